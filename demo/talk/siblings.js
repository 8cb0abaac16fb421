// SPDX-License-Identifier: MIT
import { button } from './words.js';

/** @import { Turn } from './tree.js' */

/**
 * The way to what else was said at the same place: nothing where there is nothing else.
 *
 * @param {Turn} turn
 * @param {(turn: Turn) => void} goTo
 */
export function siblings(turn, goTo) {
  const all = turn.parent?.children ?? [];
  if (all.length < 2) return [];
  const index = all.indexOf(turn);
  const what = turn.role === 'assistant' ? 'answer' : 'question';
  const before = button('‹', 'step', () => goTo(latest(all[index - 1])));
  const after = button('›', 'step', () => goTo(latest(all[index + 1])));
  before.setAttribute('aria-label', `The ${what} before`);
  after.setAttribute('aria-label', `The next ${what}`);
  before.disabled = index === 0;
  after.disabled = index === all.length - 1;
  return [before, ` ${index + 1} of ${all.length} `, after];
}

/** Where a branch ends that is followed by its latest turns. @param {Turn} turn @returns {Turn} */
export function latest(turn) {
  const last = turn.children.at(-1);
  return last ? latest(last) : turn;
}
