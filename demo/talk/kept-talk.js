// SPDX-License-Identifier: MIT
// The conversation that this browser keeps, one for each model: the session where the package keeps
// sessions, the texts of all branches beside it.
import { EMBEDDED } from '../embedded.js';
import { nameOf } from './saved-talk.js';
import { PLACES, Talk } from './talk.js';
import { readTree, storeTree } from './tree-file.js';

/**
 * @import { Model } from 'fastweights'
 * @import { Tree } from './tree.js'
 */

const OWN_PLACE = `talk with ${EMBEDDED.url.pathname.split('/').at(-1)}`;

/** @type {(model: Model, embedded: boolean) => string} */
const placeOf = (model, embedded) => (embedded ? OWN_PLACE : `talk: ${nameOf(model)}`.slice(0, 64));

/**
 * What another tab has kept meanwhile and these branches, which come last.
 *
 * @type {(place: string, tree: Tree, unfinished: boolean) => Tree}
 */
function allBranches(place, tree, unfinished) {
  const own = readTree(storeTree(tree, { unfinished }));
  try {
    const kept = readTree(JSON.parse(localStorage.getItem(place) ?? ''));
    kept.merge(own);
    return kept;
  } catch {
    // There is nothing, or what nobody can read.
    return own;
  }
}

/**
 * Keeps the texts of all branches, at once.
 *
 * @param {Talk} talk
 * @param {boolean} embedded whether its model is the site's own
 * @param {object} [options]
 * @param {boolean} [options.unfinished] whether answers that are being written are kept as far as they have come
 * @throws DOMException where there is no room
 */
export function keepTexts({ model, tree }, embedded, { unfinished = false } = {}) {
  const place = placeOf(model, embedded);
  localStorage.setItem(place, JSON.stringify(storeTree(allBranches(place, tree, unfinished))));
}

/**
 * Keeps the texts of all branches, and the state where the conversation stands, if that is held.
 *
 * @param {Talk} talk
 * @param {boolean} embedded whether its model is the site's own
 * @throws ModelError `cache_unavailable`, or a DOMException where there is no room
 */
export async function keepTalk(talk, embedded) {
  keepTexts(talk, embedded);
  const { model, tree, held } = talk;
  await held?.get(tree.current)?.persist(placeOf(model, embedded));
}

/**
 * Goes on with what was kept of conversations with this model, or begins one.
 *
 * @param {Model} model
 * @param {boolean} embedded
 * @returns {Promise<{ talk: Talk, problem?: unknown }>} why what was kept is not all there, where it is not
 */
export async function resumeTalk(model, embedded) {
  const place = placeOf(model, embedded);
  /** @type {unknown} */
  let problem;
  let tree;
  try {
    const stored = localStorage.getItem(place);
    if (stored !== null) tree = readTree(JSON.parse(stored));
  } catch (error) {
    problem = error;
  }
  const talk = await Talk.begin(model, tree);
  if (tree && talk.held) {
    try {
      await talk.adopt(await model.resume(place, PLACES));
    } catch (error) {
      // The texts are there: what the state would have remembered is read again.
      const { code } = /** @type {import('fastweights').ModelError} */ (error);
      if (code !== 'not_found') problem = error;
    }
  }
  return { talk, problem };
}

/** @type {(model: Model, embedded: boolean) => Promise<void>} */
export async function forgetTalk(model, embedded) {
  const place = placeOf(model, embedded);
  try {
    localStorage.removeItem(place);
  } catch {
    // Where a page may keep nothing there is nothing to forget.
    return;
  }
  const { storedSessions } = await import('fastweights');
  await storedSessions.delete(place);
}

/** Whether this browser keeps a conversation with the site's own model. */
export function isTalkKept() {
  try {
    return localStorage.getItem(OWN_PLACE) !== null;
  } catch {
    // Where a page may keep nothing, even asking is refused; keeping says so in words.
    return false;
  }
}
