// SPDX-License-Identifier: MIT

const kAtOnce = 2;

/**
 * @template T
 * @param {T[]} items in the order in which they begin, but that those that need it run alone, last
 * @param {(item: T) => boolean} isAlone
 * @param {(item: T) => Promise<void>} run
 */
export async function twoAtATime(items, isAlone, run) {
  const together = items.filter((item) => !isAlone(item));
  const lane = async () => {
    for (let item = together.shift(); item; item = together.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: kAtOnce }, lane));
  for (const item of items.filter(isAlone)) await run(item);
}
