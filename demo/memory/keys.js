// SPDX-License-Identifier: MIT
import { randomDirection, seedOf, toLength1 } from './random.js';

const NOISE_SEED = 77;

/**
 * The keys of one experiment, all of length 1.
 *
 * @param {'random' | 'orthonormal'} kind random directions, or sets of `keyDim` keys at right angles
 *     to each other: there are no more such in a space of that size, so that the next set begins anew
 * @param {number} count
 * @param {number} keyDim
 * @returns {Float32Array[]}
 */
export function makeKeys(kind, count, keyDim) {
  /** @type {Float32Array[]} */
  const keys = [];
  for (let i = 0; i < count; i++) {
    const first = kind === 'orthonormal' ? i - (i % keyDim) : i;
    keys.push(awayFrom(keys.slice(first), randomDirection(seedOf(1, keyDim, i), keyDim)));
  }
  return keys;
}

// What is left of a direction without those of others (Gram and Schmidt).
/** @type {(others: Float32Array[], direction: Float32Array) => Float32Array} */
function awayFrom(others, direction) {
  // Twice: rounding leaves the first result a little askew when not much was left.
  for (const other of [...others, ...others]) {
    const along = other.reduce((sum, value, i) => sum + value * direction[i], 0);
    for (let i = 0; i < direction.length; i++) direction[i] -= along * other[i];
  }
  return toLength1(direction);
}

/**
 * A key as a bad line delivers it: the same wrong direction every time, more or less of it.
 * @type {(key: Float32Array, index: number, noise: number) => Float32Array}
 */
export function withNoise(key, index, noise) {
  if (noise === 0) return key;
  const wrong = randomDirection(seedOf(NOISE_SEED, key.length, index), key.length);
  return toLength1(key.map((value, i) => value + noise * wrong[i]));
}
