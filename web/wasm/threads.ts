// SPDX-License-Identifier: MIT
import { isNode, nodeModule } from '../node.js';

const MOST_BY_DEFAULT = 8;

/**
 * How many threads a model gets.
 *
 * @param asked whole number >= 1, or undefined for half the logical cores, at most 8: the other
 * half mostly shares their arithmetic units, and the page wants some too
 * @param inPage whether the model runs in a page's own thread, which must not sleep: it spins while
 * others work, so by default there are none
 * @returns 1 where memory cannot be shared between threads, or nothing starts them (service workers)
 */
export async function threadCount(asked: number | undefined, inPage: boolean): Promise<number> {
  if (!hasThreads()) return 1;
  if (asked !== undefined) return asked;
  if (inPage) return 1;
  return Math.max(1, Math.min(MOST_BY_DEFAULT, Math.floor((await logicalCores()) / 2)));
}

function hasThreads(): boolean {
  if (typeof SharedArrayBuffer !== 'function') return false;
  return isNode() || (globalThis.crossOriginIsolated === true && typeof Worker === 'function');
}

async function logicalCores(): Promise<number> {
  if (!isNode()) return globalThis.navigator?.hardwareConcurrency ?? 1;
  const os = nodeModule<typeof import('node:os')>('node:os');
  return os.availableParallelism();
}
