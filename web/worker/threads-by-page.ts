// SPDX-License-Identifier: MIT
// The engine's side of `page-threads.ts`; apart from it, as an engine's worker must not name its own file
// as that of another worker: Turbopack never ends with one that does.
import type { StartThread, ThreadWorker } from '../wasm/thread-workers.js';
import { type Reply, type Request, received, send } from './protocol.js';

/** What starts the workers of an engine's threads by its page, which `scope` is joined to. */
export function workersByPage(scope: Worker): StartThread {
  const started = new Map<number, WorkerByPage>();
  let next = 1;
  const post = (message: Reply & { thread: number }) => send(scope, message);
  scope.addEventListener('message', (event) => {
    const message = received<Request>(event);
    if (!message || !('thread' in message)) return;
    const worker = started.get(message.thread);
    if (message.kind === 'from thread') {
      worker?.onmessage?.({ data: message.message } as MessageEvent);
    } else {
      worker?.onerror?.({ message: message.why } as ErrorEvent);
    }
  });

  class WorkerByPage implements ThreadWorker {
    onmessage: ThreadWorker['onmessage'] = null;
    onerror: ThreadWorker['onerror'] = null;
    readonly #thread = next++;

    constructor(url: string | URL, options: WorkerOptions = {}) {
      started.set(this.#thread, this);
      post({ kind: 'start thread', thread: this.#thread, url: String(url), options });
    }

    postMessage(message: unknown): void {
      post({ kind: 'to thread', thread: this.#thread, message });
    }

    terminate(): void {
      started.delete(this.#thread);
      post({ kind: 'end thread', thread: this.#thread });
    }
  }
  return WorkerByPage;
}
