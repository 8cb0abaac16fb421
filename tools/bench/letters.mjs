// SPDX-License-Identifier: MIT

/**
 * A text of `count` tokens. Not every runtime takes token ids, and any vocabulary has a space and a
 * letter as one token: which tokens they are does not change the work.
 *
 * @param {number} count
 * @param {number} first letter: texts with different ones have no beginning in common
 */
export function letters(count, first) {
  const letter = (/** @type {number} */ i) => String.fromCharCode(97 + ((first + 7 * i) % 26));
  return Array.from({ length: count }, (_, i) => ` ${letter(i)}`).join('');
}
