// SPDX-License-Identifier: MIT
import { type Remote, wrap } from 'comlink';
import type { Engine } from '../engine/engine.js';
import { ModelError } from '../errors.js';
import type { EngineHost, RemoteEngine } from './calls.js';
import { carrySources } from './posted-source.js';
import { carryErrors } from './rpc.js';

/** An engine in this thread; it lets other tasks run between tokens. */
export async function localHost(): Promise<EngineHost> {
  // A page whose models run in workers never downloads the engine itself.
  const { Engine } = await import('../engine/engine.js');
  return {
    engine: new Engine() as unknown as RemoteEngine,
    failed: new Promise<never>(() => {}),
    terminate() {},
  };
}

// Chromium 156 never ends workers of a worker that it ends before it has seen their ends, which
// nobody is told of: two out of three stayed for good. They take a few milliseconds.
const THREADS_END_MS = 500;

/**
 * An engine in a worker: the package's own, or one that the caller made from `fastweights/worker`.
 *
 * @param threads that the engine may start, itself among them
 */
export function workerHost(given: Worker | string | URL | undefined, threads: number): EngineHost {
  carryErrors();
  carrySources();
  const worker =
    given === undefined
      ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
      : typeof given === 'string' || Object.prototype.toString.call(given) === '[object URL]'
        ? new Worker(given as string | URL, { type: 'module' })
        : (given as Worker);
  const failed = new Promise<never>((_, reject) => {
    const lost = (event: Event) => {
      const { message = '' } = event as ErrorEvent;
      reject(new ModelError('worker', `the worker failed${message && `: ${message}`}`));
    };
    worker.addEventListener('error', lost);
    worker.addEventListener('messageerror', lost);
  });
  failed.catch(() => {});
  return {
    engine: wrap<Engine>(worker) as Remote<Engine> as unknown as RemoteEngine,
    failed,
    terminate() {
      if (threads > 1) setTimeout(() => worker.terminate(), THREADS_END_MS);
      else worker.terminate();
    },
  };
}
