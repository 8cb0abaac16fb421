// SPDX-License-Identifier: MIT

interface ThreadWorker {
  onerror: ((event: ErrorEvent) => void) | null;
  /** Node: lets the process end though the worker runs. */
  unref?(): void;
}

/** The part of Emscripten's runtime that keeps its threads' workers. */
export interface ThreadWorkers {
  unusedWorkers: ThreadWorker[];
  allocateUnusedWorker(): void;
  loadWasmModuleToWorker(worker: ThreadWorker): Promise<unknown>;
  terminateAllThreads(): void;
}

/**
 * Starts the workers of `count` threads. A thread of C++ starts in a worker that runs already: who
 * makes it waits for it, and no worker starts while its owner waits.
 *
 * @throws Error when one does not start: a policy forbids it, or its file is not where it should be
 */
export async function startWorkers(workers: ThreadWorkers, count: number): Promise<void> {
  for (let i = 0; i < count; i++) workers.allocateUnusedWorker();
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
