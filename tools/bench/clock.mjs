// SPDX-License-Identifier: MIT

/** @typedef {(run: () => void) => number} Clock milliseconds of a call */

/** @type {Clock} */
export function wallMs(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/**
 * Of a call that one thread makes: what others do meanwhile does not count, but for caches and memory.
 * @type {Clock}
 */
export function processorMs(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * The shortest of several runs: what else the machine does only ever adds.
 *
 * @param {() => void} run
 * @param {number} times
 * @param {Clock} [clock]
 * @returns {number} milliseconds
 */
export function shortest(run, times, clock = wallMs) {
  return Math.min(...Array.from({ length: times }, () => clock(run)));
}

/**
 * The middle one, or of an even number the lower of the two middle ones.
 *
 * @param {number[]} values
 */
export function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];
}
