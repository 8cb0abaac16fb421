// SPDX-License-Identifier: MIT
import { some, time } from './words.js';

/** @import { Cost, Turn } from './tree.js' */

const ENDS = {
  stop: 'ended by itself',
  'tool-calls': 'called a tool',
  length: 'reached the token limit',
  cancelled: 'stopped',
};

/** What it took to get to where an answer begins, part by part. @param {Cost} cost */
export function costOfBeginning({ backMs, again, firstMs }) {
  return [
    `${some(again, 'token')} read again`,
    ...(backMs > 0 ? [`state copied in ${time(backMs)}`] : []),
    ...(firstMs === undefined ? [] : [`first word after ${time(firstMs)}`]),
  ];
}

/** The same, as short as can be. @param {Cost} cost */
export const shortCost = ({ again, firstMs }) =>
  `${some(again, 'token')} again${firstMs === undefined ? '' : `, ${time(firstMs)}`}`;

/** How an answer was written, part by part. @param {Cost} cost */
export function costOfWriting({ tokens, perSecond, finishReason }) {
  if (tokens === undefined) return [];
  return [
    some(tokens, 'token'),
    ...(perSecond === undefined ? [] : [`${perSecond.toFixed(0)} a second`]),
    ...(finishReason === undefined ? [] : [ENDS[finishReason]]),
  ];
}

const MOST_LETTERS = 60;
/** Beginnings that are the same for so long tell nobody which is which. */
const SAME_LETTERS = 20;

/** The beginning of a turn's words, in one line. @param {Turn} turn */
export function beginning({ text }) {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS - 1).trimEnd()}…` : line;
}

/** What tells an answer from those before it: where they part, if they begin in the same words. @param {Turn} turn */
export function difference(turn) {
  const { text, parent } = turn;
  let same = 0;
  for (const other of parent?.children ?? []) {
    if (other === turn) break;
    let shared = 0;
    while (shared < text.length && text[shared] === other.text[shared]) shared++;
    same = Math.max(same, shared);
  }
  if (same < SAME_LETTERS || same === text.length) return beginning(turn);
  const word = text.lastIndexOf(' ', same) + 1;
  const line = text.slice(word).replaceAll(/\s+/g, ' ');
  return `…${line.slice(0, MOST_LETTERS)}`;
}
