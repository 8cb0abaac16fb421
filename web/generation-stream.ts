// SPDX-License-Identifier: MIT

import { asyncIterable, type IterableStream } from './async-iterable.js';
import type { GenerationResult, Request, Step, TextReport } from './engine/types.js';
import type { PrefillOptions } from './options.js';
import type { Calls } from './worker/calls.js';
import { proxyCallback } from './worker/rpc.js';

/**
 * Text as it is written: a `ReadableStream` that is async-iterable in every browser. Leaving the
 * loop, or cancelling the stream, ends the generation within one token.
 */
export interface GenerationStream extends IterableStream<string> {
  /**
   * All there is to know once the text is complete; rejects as the stream does. The text is only
   * written as the stream is read: to wait for the result alone, use {@link Model.complete}.
   */
  readonly result: Promise<GenerationResult>;
}

/**
 * Hears what a generation made of its text when the prompt has been read, and when it is over; after a
 * failure it has to ask. Does not reject.
 */
export type OnUse = (report?: TextReport) => Promise<void>;

/** One generation on the engine, from the first call to the last. */
class Writing {
  readonly result: Promise<GenerationResult>;
  readonly #calls: Calls;
  readonly #request: Request;
  readonly #signal: AbortSignal | undefined;
  readonly #onPrefill: PrefillOptions['onPrefill'];
  readonly #onUse: OnUse;
  readonly #call: number;
  #settle!: { resolve(result: GenerationResult): void; reject(reason: unknown): void };
  #ending: Promise<void> | undefined;

  constructor(
    calls: Calls,
    request: Request,
    { signal, onPrefill }: PrefillOptions,
    onUse: OnUse = async () => {},
  ) {
    this.#calls = calls;
    this.#request = request;
    this.#signal = signal;
    this.#onPrefill = onPrefill;
    this.#onUse = onUse;
    this.#call = calls.number();
    this.result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Whoever only reads the stream sees its error there.
    this.result.catch(() => {});
  }

  /** Whether the reader has gone away. */
  get stopped(): boolean {
    return this.#ending !== undefined;
  }

  async start(): Promise<void> {
    await this.#step(async () => {
      this.#signal?.throwIfAborted();
      this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
      const onPrefill = proxyCallback(this.#onPrefill);
      await this.#onUse(
        await this.#calls.run((engine) => engine.start(this.#call, this.#request, onPrefill)),
      );
    });
  }

  /** The next piece of text, or undefined at the end. */
  async next(): Promise<string | undefined> {
    return this.#step(async () => {
      const step = await this.#calls.run((engine) => engine.next(this.#call));
      if ('piece' in step) return step.piece;
      this.#over(step);
      return undefined;
    });
  }

  /** Writes to the end. */
  async finish(): Promise<void> {
    await this.#step(async () => {
      this.#over(await this.#calls.run((engine) => engine.finish(this.#call)));
    });
  }

  /** Ends the generation within one token; what is written stays part of its text. */
  stop(): Promise<void> {
    this.#ending ??= this.#calls
      .run((engine) => engine.stop(this.#call))
      .then((step) => step && this.#over(step));
    return this.#ending;
  }

  readonly #onAbort = () => {
    this.stop().catch(() => {});
  };

  async #step<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.#signal?.throwIfAborted();
      return value;
    } catch (error) {
      await this.#ending?.catch(() => {});
      this.#signal?.removeEventListener('abort', this.#onAbort);
      await this.#onUse();
      const reason = this.#signal?.aborted ? this.#signal.reason : error;
      this.#settle.reject(reason);
      throw reason;
    }
  }

  #over(step: Step): void {
    if (!('result' in step)) return;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    void this.#onUse(step);
    if (!this.#signal?.aborted) this.#settle.resolve(step.result);
  }
}

/**
 * Starts a generation at once and keeps one piece ahead of its reader, no more: what a session has
 * written is what its reader has been given.
 */
export function generationStream(
  calls: Calls,
  request: Request,
  options: PrefillOptions,
  onUse?: OnUse,
): GenerationStream {
  const writing = new Writing(calls, request, options, onUse);
  const stream = new ReadableStream<string>({
    start: () => writing.start(),
    async pull(controller) {
      const piece = await writing.next();
      if (writing.stopped) return;
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
    cancel: () => writing.stop(),
  });
  return Object.assign(asyncIterable(stream), { result: writing.result });
}

/** Runs a generation to its end without handing out pieces. */
export async function generateWhole(
  calls: Calls,
  request: Request,
  options: PrefillOptions,
  onUse?: OnUse,
): Promise<GenerationResult> {
  const writing = new Writing(calls, request, options, onUse);
  await writing.start();
  await writing.finish();
  return writing.result;
}
