// SPDX-License-Identifier: MIT

// Queries and keys have length 1, so their products are at most 1: the usual factor, one over the
// root of keyDim, would make all pairs weigh alike.
const SHARPNESS = 24;

/**
 * What the page compares: a name of the package's rules, how it is set up and written to, and what
 * to say of it. `kept` is what one write leaves of everything before, 1 at most.
 *
 * @typedef {object} Rule
 * @property {import('fastweights').MemoryRule} rule
 * @property {string} name
 * @property {string} maths
 * @property {string} words
 * @property {(kept: number) => object} [settings]
 * @property {(kept: number) => Record<string, number[]>} [inputs] of a write, beside key and value
 */

/** @type {Rule[]} */
export const RULES = [
  {
    rule: 'linear',
    name: 'Linear',
    maths: 'S ← S + k vᵀ',
    words:
      'Adds each pair to all before. A query reads a share of every value whose key is not at right angles to it, and nothing is ever taken out.',
  },
  {
    rule: 'retnet',
    name: 'Decay (RetNet)',
    maths: 'S ← α S + k vᵀ',
    words:
      'Adds too, but everything before fades a little at each write. The newest stand out; the oldest are lost.',
    settings: (kept) => ({ decay: [Math.log(kept)] }),
  },
  {
    rule: 'delta',
    name: 'Delta',
    maths: 'S ← S + k (v − Sᵀk)ᵀ',
    words:
      'Reads what the key recalls already and writes the difference: the newest pair is always right, and an old value of its key is gone. Similar keys are disturbed.',
  },
  {
    rule: 'gated_delta',
    name: 'Gated delta',
    maths: 'S ← α S, then S ← S + k (v − Sᵀk)ᵀ',
    words:
      'Fades, then corrects like delta. What is no longer written makes room; the layers of the story model work like this.',
    inputs: (kept) => ({ g: [Math.log(kept)] }),
  },
  {
    rule: 'least_squares',
    name: 'Least squares',
    maths: 'S ← S + P k (v − Sᵀk)ᵀ / (1 + k·P k)',
    words:
      'A second matrix P knows which directions are taken, so that S fits all pairs at once: exact while there are no more of them than numbers in a key. Two values of one key are averaged.',
  },
  {
    rule: 'softmax',
    name: 'Softmax attention',
    maths: `o = Σ softmax(${SHARPNESS} q·k) v`,
    words:
      'Has no S. It keeps every pair and compares the query with each key: sharp at any number, but its memory grows. Two values of one key are averaged.',
    settings: () => ({ scale: SHARPNESS }),
  },
];
