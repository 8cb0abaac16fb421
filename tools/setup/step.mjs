// SPDX-License-Identifier: MIT
//
// One line on stderr when a slow step starts, and one with its time when it ends.

/**
 * @template T
 * @param {string} what for example 'installing the compiler'
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const start = performance.now();
  process.stderr.write(`${what} ...\n`);
  const result = await work();
  const seconds = (performance.now() - start) / 1000;
  process.stderr.write(`${what}: ${seconds.toFixed(1)} s\n`);
  return result;
}
