// SPDX-License-Identifier: MIT

// The collector runs in some of them, and its time counts.
const ROUNDS = 6;

/**
 * The least milliseconds of processor time that each work took, in turns: what else runs on the
 * machine delays all of them and is charged to none.
 *
 * @param {(() => unknown)[]} works
 */
export async function leastCpuTimes(works) {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, work] of works.entries()) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      least[i] = Math.min(least[i], (user + system) / 1000);
    }
  }
  return least;
}
