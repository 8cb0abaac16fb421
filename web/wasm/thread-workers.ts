// SPDX-License-Identifier: MIT
import { isNode, nodeModule, packageFile } from '../node.js';
import type { Build } from './builds.js';

/** What the runtime uses of a thread's worker. */
export interface ThreadWorker {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: unknown): void;
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

const MOST_MS = 20_000;

/** What `new` makes a thread's worker of. */
export type StartThread = new (url: string | URL, options?: WorkerOptions) => ThreadWorker;
let starts: StartThread | undefined;

/** Has the workers of threads made by something else than this scope's own `Worker`. */
export function startThreadsBy(other: StartThread): void {
  starts = other;
}

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
  const start = isNode() ? () => nodeWorker(build) : () => webWorker(build);
  await startEach(workers, count, start, MOST_MS);
}

/** @internal The same with workers that `start` makes, and within other milliseconds. */
export async function startEach(
  workers: ThreadWorkers,
  count: number,
  start: () => ThreadWorker,
  mostMs: number,
): Promise<void> {
  const begun: ThreadWorker[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const one = () =>
    new Promise((resolve, reject) => {
      const worker = start();
      begun.push(worker);
      workers.loadWasmModuleToWorker(worker).then(resolve, reject);
      // In place of Emscripten's, which throws where nobody can catch it.
      worker.onerror = (event) => {
        event.preventDefault?.();
        reject(new Error(`a thread did not start${event.message ? `: ${event.message}` : ''}`));
      };
    });
  const late = new Promise((_, reject) => {
    const why = `the threads did not start within ${mostMs / 1000} s`;
    timer = setTimeout(() => reject(new Error(why)), mostMs);
  });
  try {
    await Promise.race([Promise.all(Array.from({ length: count }, one)), late]);
  } catch (error) {
    for (const worker of begun) worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  workers.unusedWorkers.push(...begun);
  for (const worker of begun) worker.unref?.();
}

function webWorker(build: Build): ThreadWorker {
  const { Worker: own } = globalThis;
  // Bundlers find a worker's file only where this scope's `Worker` is called.
  if (starts) globalThis.Worker = starts as unknown as typeof Worker;
  try {
    return WORKERS[build]();
  } finally {
    globalThis.Worker = own;
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
