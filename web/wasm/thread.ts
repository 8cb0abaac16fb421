// SPDX-License-Identifier: MIT
import { isNode, nodeModule } from '../node.js';

type Create = () => Promise<unknown>;

/**
 * Makes this worker one of a model's threads, by the glue that its owner runs. `create` takes over
 * messages before it first waits, so that none is lost.
 */
export function runThread(create: Create): void {
  if (isNode()) likeWorker();
  // How the glue tells that it is to run a thread.
  Object.defineProperty(globalThis, 'name', { value: 'em-pthread' });
  void create();
}

// What workers of browsers have.
function likeWorker(): void {
  const { parentPort } = nodeModule<typeof import('node:worker_threads')>('node:worker_threads');
  const postMessage = (message: unknown) => parentPort?.postMessage(message);
  const location = { href: '' };
  Object.assign(globalThis, { self: globalThis, importScripts() {}, location, postMessage });
  parentPort?.on('message', (message) => self.onmessage?.({ data: message } as MessageEvent));
}
