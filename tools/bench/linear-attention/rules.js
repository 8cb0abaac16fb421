// SPDX-License-Identifier: MIT
//
// The rules that both sides have: what each is called on either, and the same inputs for both.

export const kHeads = 16;
export const kDim = 128;

const kChannels = kHeads * kDim;

/**
 * @typedef {object} SharedRule
 * @property {string} name of the row
 * @property {string} rule of AssociativeMemory
 * @property {string} updateRule of LinearAttention
 * @property {number} [decays] a token has
 * @property {boolean} [constant] whether the decays are a setting of ours
 * @property {boolean} [beta] whether it has rates
 */

/** @type {SharedRule[]} */
export const kRules = [
  { name: 'linear', rule: 'linear', updateRule: 'linear' },
  { name: 'gated, by head', rule: 'retnet', updateRule: 'gated', decays: kHeads, constant: true },
  { name: 'gated, by channel', rule: 'gla', updateRule: 'gated', decays: kChannels },
  { name: 'delta', rule: 'delta', updateRule: 'delta', beta: true },
  {
    ...{ name: 'gated delta, by head', rule: 'gated_delta', updateRule: 'gated_delta' },
    ...{ decays: kHeads, beta: true },
  },
  {
    ...{ name: 'gated delta, by channel', rule: 'kda', updateRule: 'gated_delta' },
    ...{ decays: kChannels, beta: true },
  },
];

/**
 * Inputs of so many tokens, the same at every call: keys and queries of length one, decays of 0.82
 * to 1, rates of 0 to 1.
 *
 * @param {SharedRule} rule
 * @param {number} tokens
 */
export function sharedInputs({ decays = 0, constant = false, beta = false }, tokens) {
  let seed = 1;
  const uniform = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  /** @type {(count: number, of: (value: unknown, i: number) => number) => Float32Array} */
  const numbers = (count, of) => Float32Array.from({ length: count }, of);
  const rows = () => numbers(tokens * kChannels, () => 2 * uniform() - 1);
  const [q, k] = [units(rows()), units(rows())];
  const v = rows();
  const every = numbers(constant ? decays : tokens * decays, () => -0.2 * uniform());
  const g = constant ? numbers(tokens * decays, (_, i) => every[i % decays]) : every;
  return { q, k, v, g, decay: every, beta: numbers(beta ? tokens * kHeads : 0, uniform) };
}

/** @param {Float32Array} values */
function units(values) {
  for (let i = 0; i < values.length; i += kDim) {
    const row = values.subarray(i, i + kDim);
    const length = Math.hypot(...row);
    for (let j = 0; j < kDim; j++) row[j] /= length;
  }
  return values;
}
