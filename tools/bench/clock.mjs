// SPDX-License-Identifier: MIT

/**
 * The shortest of several runs: what else the machine does only ever adds.
 *
 * @param {() => void} run
 * @param {number} times
 * @returns {number} milliseconds
 */
export function shortest(run, times) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/**
 * The middle one, or of an even number the lower of the two middle ones.
 *
 * @param {number[]} values
 */
export function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];
}
