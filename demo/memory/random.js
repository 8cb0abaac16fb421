// SPDX-License-Identifier: MIT

/**
 * Numbers from 0 to 1 that a seed makes the same each time (mulberry32).
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * As many normally distributed numbers (Box and Muller), scaled to length 1: any direction.
 * @type {(seed: number, length: number) => Float32Array}
 */
export function randomDirection(seed, length) {
  const random = randomNumbers(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return toLength1(Float32Array.from({ length }, normal));
}

/**
 * The vector of that direction that has length 1.
 * @param {Float32Array} vector
 */
export function toLength1(vector) {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/**
 * A seed for each of many things, so that none depends on how many others there are.
 * @param {number[]} numbers
 */
export const seedOf = (...numbers) =>
  numbers.reduce(
    (seed, number) => Math.imul(seed ^ number, 0x9e3779b1) ^ (seed >>> 13),
    0x2545f491,
  );
