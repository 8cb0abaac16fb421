// SPDX-License-Identifier: MIT
// The workers of a model's threads are started by the page, which passes on what they and the engine's
// worker say to each other: a few messages at a start. A worker of a worker is one that Firefox does not
// always start while a driver listens to its workers (it waits in `new Worker` for ever, one time in
// forty), and that Chromium does not always end with its owner.
import type { Reply, Request } from './protocol.js';
import { failureOf, startWorker } from './start-worker.js';

type ToPage = Extract<Reply, { thread: number }>;
type ToEngine = Extract<Request, { thread: number }>;

/** In the page: the workers of one engine's threads. */
export class Threads {
  readonly #workers = new Map<number, Worker>();
  readonly #post: (message: ToEngine) => void;

  constructor(post: (message: ToEngine) => void) {
    this.#post = post;
  }

  hear(asked: ToPage): void {
    const { thread } = asked;
    if (asked.kind === 'start thread') this.#start(asked);
    if (asked.kind === 'to thread') this.#workers.get(thread)?.postMessage(asked.message);
    if (asked.kind === 'end thread') this.#end(thread);
  }

  endAll(): void {
    for (const thread of this.#workers.keys()) this.#end(thread);
  }

  #start({ thread, url, options }: Extract<ToPage, { url: string }>): void {
    const fail = (error: Error) => {
      this.#end(thread);
      this.#post({ kind: 'thread failed', thread, why: error.message });
    };
    try {
      const { worker } = startWorker(url, options);
      this.#workers.set(thread, worker);
      worker.onmessage = ({ data }) => this.#post({ kind: 'from thread', thread, message: data });
      const onError = (event: Event) => fail(failureOf(event));
      worker.onerror = onError;
      worker.onmessageerror = onError;
    } catch (error) {
      fail(error as Error);
    }
  }

  #end(thread: number): void {
    this.#workers.get(thread)?.terminate();
    this.#workers.delete(thread);
  }
}
