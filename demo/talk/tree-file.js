// SPDX-License-Identifier: MIT
import { Tree } from './tree.js';

/**
 * @import { Cost, Turn } from './tree.js'
 *
 * A turn as it is stored: its parent and the answer that it shares its beginning with are numbers in
 * the same list, 0 the root and -1 none.
 * @typedef {{ parent: number, role: string, text: string, ends: number[], given: number, lead: number, from: number, usage?: number, cost?: Cost }} StoredTurn
 *
 * @typedef {{ turns: StoredTurn[], current: number }} StoredTree
 */

const ROLES = ['system', 'user', 'assistant', 'tool'];

/**
 * The tree as plain values.
 *
 * @param {Tree} tree
 * @param {object} [options]
 * @param {boolean} [options.unfinished] whether what has come of answers that are being written is part of it
 * @returns {StoredTree}
 */
export function storeTree(tree, { unfinished = false } = {}) {
  const isStored = (/** @type {Turn} */ { busy, text }) => !busy || (unfinished && text !== '');
  const listed = [tree.root, ...tree.turns()].filter(isStored);
  const numbers = new Map(listed.map((turn, index) => [turn, index]));
  /** @param {Turn | undefined} turn */
  const number = (turn) => (turn && numbers.get(turn)) ?? -1;
  const turns = listed.slice(1).map(({ role, text, ends, given, lead, usage, cost, ...links }) => ({
    ...{ role, text, ends, given, lead, usage, cost },
    parent: number(links.parent),
    from: number(links.from),
  }));
  const { current } = tree;
  return { turns, current: Math.max(0, number(isStored(current) ? current : current.parent)) };
}

/**
 * The tree again. What was stored may have been written by anybody: nothing is believed.
 *
 * @param {unknown} stored
 * @returns {Tree}
 * @throws TypeError for what is no tree
 */
export function readTree(stored) {
  const { turns, current } = /** @type {Partial<StoredTree>} */ (stored ?? {});
  if (!Array.isArray(turns)) throw new TypeError('the conversation has no turns');
  const tree = new Tree();
  /** @type {Turn[]} */
  const read = [tree.root];
  for (const [index, turn] of turns.entries()) {
    const where = `turn ${index + 1} of the conversation`;
    const parent = read[turn?.parent];
    if (!parent) throw new TypeError(`${where} follows none before it`);
    if (!ROLES.includes(turn.role) || typeof turn.text !== 'string') {
      throw new TypeError(`${where} has no role or no text`);
    }
    const made = tree.add(parent, /** @type {Turn['role']} */ (turn.role), turn.text);
    made.ends = endsOf(turn, where);
    made.given = whole(turn.given, turn.text.length);
    made.lead = whole(turn.lead, made.ends[0] ?? turn.text.length);
    made.from = read[turn.from] === tree.root ? undefined : read[turn.from];
    if (typeof turn.usage === 'number') made.usage = turn.usage;
    made.cost = costOf(turn.cost);
    read.push(made);
  }
  tree.current = read[whole(current, read.length - 1)] ?? tree.root;
  return tree;
}

/** @type {(turn: StoredTurn, where: string) => number[]} */
function endsOf({ ends, text }, where) {
  const rises = (/** @type {unknown} */ end, /** @type {number} */ i) =>
    Number.isInteger(end) && Number(end) <= text.length && Number(end) >= (ends[i - 1] ?? 0);
  if (Array.isArray(ends) && ends.every(rises)) return ends;
  throw new TypeError(`${where} has pieces that are not those of its text`);
}

/** @type {(cost: unknown) => Cost | undefined} */
function costOf(cost) {
  if (typeof cost !== 'object' || cost === null) return undefined;
  const { backMs, again, ...rest } = /** @type {Record<string, unknown>} */ (cost);
  if (typeof backMs !== 'number' || typeof again !== 'number') return undefined;
  const numbers = ['firstMs', 'tokens', 'perSecond', 'seed'];
  const known = Object.entries(rest).filter(
    ([key, value]) =>
      (numbers.includes(key) && typeof value === 'number') ||
      (key === 'finishReason' && typeof value === 'string'),
  );
  return { backMs, again, ...Object.fromEntries(known) };
}

/** @type {(value: unknown, most: number) => number} */
function whole(value, most) {
  return Number.isInteger(value) ? Math.min(Math.max(0, Number(value)), most) : 0;
}
