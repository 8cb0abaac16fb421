// SPDX-License-Identifier: MIT
import { isNode, nodeModule, packageFile } from '../node.js';
import type { Build } from './builds.js';

interface ThreadWorker {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
  /** Node: lets the process end though the worker runs. */
  unref?(): void;
}

/** The part of Emscripten's runtime that keeps its threads' workers. */
export interface ThreadWorkers {
  unusedWorkers: ThreadWorker[];
  loadWasmModuleToWorker(worker: ThreadWorker): Promise<unknown>;
  terminateAllThreads(): void;
}

// In full and literally: so bundlers find the files, and Vite wants the options to be static.
const WORKERS = {
  simd128: () => new Worker(new URL('./thread-simd128.js', import.meta.url), { type: 'module' }),
  relaxed: () => new Worker(new URL('./thread-relaxed.js', import.meta.url), { type: 'module' }),
};

// When another worker is started for a thread whose first has not come: Firefox 153 never starts one in
// thirty of a worker's own workers. The one that comes first is taken, so a slow machine loses nothing.
const AGAIN_MS = [2000, 6000];
const MOST_MS = 20_000;

/**
 * Starts the workers of `count` threads. A thread of C++ starts in a worker that runs already: who
 * makes it waits for it, and no worker starts while its owner waits.
 *
 * @throws Error when one does not start: a policy forbids it, its file is not where it should be, or
 * it has not come within 20 seconds
 */
export async function startWorkers(
  workers: ThreadWorkers,
  build: Build,
  count: number,
): Promise<void> {
  const start = isNode() ? () => nodeWorker(build) : () => WORKERS[build]();
  await startEach(workers, count, start, { again: AGAIN_MS, most: MOST_MS });
}

/** @internal The same with workers that `start` makes, and with other times in milliseconds. */
export async function startEach(
  workers: ThreadWorkers,
  count: number,
  start: () => ThreadWorker,
  { again, most }: { again: readonly number[]; most: number },
): Promise<void> {
  const begun = new Set<ThreadWorker>();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const one = () =>
    new Promise<ThreadWorker>((resolve, reject) => {
      let ready = false;
      const begin = () => {
        if (ready) return;
        const worker = start();
        begun.add(worker);
        const come = () => {
          ready = true;
          resolve(worker);
        };
        workers.loadWasmModuleToWorker(worker).then(come, reject);
        // In place of Emscripten's, which throws where nobody can catch it.
        worker.onerror = (event) => {
          event.preventDefault?.();
          reject(new Error(`a thread did not start${event.message ? `: ${event.message}` : ''}`));
        };
      };
      const late = () => reject(new Error(`a thread did not start within ${most / 1000} s`));
      begin();
      timers.push(...again.map((ms) => setTimeout(begin, ms)), setTimeout(late, most));
    });
  try {
    const ready = await Promise.all(Array.from({ length: count }, one));
    workers.unusedWorkers.push(...ready);
    for (const worker of ready) {
      begun.delete(worker);
      worker.unref?.();
    }
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // Those that came too late, and all where one is missing.
    for (const worker of begun) worker.terminate();
  }
}

// Node's own kind: a global Worker would be taken for a sign of a browser. Flags of the process are
// for its main script.
function nodeWorker(build: Build): ThreadWorker {
  const { Worker } = nodeModule<typeof import('node:worker_threads')>('node:worker_threads');
  const worker = new Worker(packageFile(`./thread-${build}.js`), { execArgv: [] });
  const listener = worker as unknown as ThreadWorker;
  worker.on('message', (message) => listener.onmessage?.({ data: message } as MessageEvent));
  worker.on('error', (error) => listener.onerror?.(error as unknown as ErrorEvent));
  return listener;
}
