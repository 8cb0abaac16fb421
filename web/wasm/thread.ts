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

// What workers of browsers have, and Deno's have in part.
function likeWorker(): void {
  const { parentPort } = nodeModule<typeof import('node:worker_threads')>('node:worker_threads');
  const scope = {
    self: globalThis,
    location: { href: '' },
    importScripts() {},
    postMessage: (message: unknown) => parentPort?.postMessage(message),
  };
  for (const [name, value] of Object.entries(scope)) {
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value });
  }
  parentPort?.on('message', (message) => self.onmessage?.({ data: message } as MessageEvent));
}
