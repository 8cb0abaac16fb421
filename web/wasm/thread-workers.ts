// SPDX-License-Identifier: MIT
import { isNode, nodeModule, packageFile } from '../node.js';
import type { Build } from './builds.js';

interface ThreadWorker {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
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

/**
 * Starts the workers of `count` threads. A thread of C++ starts in a worker that runs already: who
 * makes it waits for it, and no worker starts while its owner waits.
 *
 * @throws Error when one does not start: a policy forbids it, or its file is not where it should be
 */
export async function startWorkers(
  workers: ThreadWorkers,
  build: Build,
  count: number,
): Promise<void> {
  const start = isNode() ? nodeWorker : (of: Build): ThreadWorker => WORKERS[of]();
  for (let i = 0; i < count; i++) workers.unusedWorkers.push(start(build));
  await Promise.all(
    workers.unusedWorkers.map(
      (worker) =>
        new Promise<void>((resolve, reject) => {
          workers.loadWasmModuleToWorker(worker).then(() => resolve(), reject);
          // In place of Emscripten's, which throws where nobody can catch it.
          worker.onerror = (event) => {
            event.preventDefault?.();
            reject(new Error(`a thread did not start${event.message ? `: ${event.message}` : ''}`));
          };
        }),
    ),
  );
  for (const worker of workers.unusedWorkers) worker.unref?.();
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
