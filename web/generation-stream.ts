// SPDX-License-Identifier: MIT

import { asyncIterable, type IterableStream } from './async-iterable.js';
import type {
  Ended,
  GenerationResult,
  Request,
  Step,
  TextReport,
  TokenLogprob,
} from './engine/types.js';
import type { PrefillOptions } from './options.js';
import type { AnswerPart } from './tools/answer-reader.js';
import type { Calls } from './worker/calls.js';

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
  /**
   * With the option `logprobs`: the entries of all tokens so far, to be read while the text is being
   * written. They come no later than their piece, and at most one piece before it.
   */
  readonly logprobs: readonly TokenLogprob[];
}

/**
 * Hears what a generation made of its text when the prompt has been read, and when it is over; after a
 * failure it has to ask. Does not reject.
 */
export type OnUse = (report?: TextReport) => Promise<void>;

/** One generation on the engine, from the first call to the last. */
export class Writing {
  readonly result: Promise<GenerationResult>;
  /** The result, and what its text has become. */
  readonly ended: Promise<Ended>;
  /** Those of the tokens so far, if they are asked for. */
  readonly logprobs: TokenLogprob[] = [];
  readonly #calls: Calls;
  readonly #request: Request;
  readonly #options: PrefillOptions;
  readonly #onUse: OnUse;
  /** Fires when the reader has gone away, or with the caller's signal. */
  readonly #left = new AbortController();
  #settle!: { resolve(ended: Ended): void; reject(reason: unknown): void };
  #generation: number | undefined;
  /** Resolves once the engine has let go. */
  #letGo: Promise<void> | undefined;

  constructor(calls: Calls, request: Request, options: PrefillOptions, onUse?: OnUse) {
    this.#calls = calls;
    this.#request = request;
    this.#options = options;
    this.#onUse = onUse ?? (async () => {});
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.result = this.ended.then(({ result }) => result);
    // Whoever only reads the stream sees its error there.
    this.result.catch(() => {});
  }

  /** Whether the reader has gone away. */
  get stopped(): boolean {
    return this.#left.signal.aborted;
  }

  async start(): Promise<void> {
    const { signal, onPrefill } = this.#options;
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', this.#onAbort, { once: true });
      const { generation, report } = await this.#calls.run('start', [this.#request], {
        signal: this.#left.signal,
        onProgress: onPrefill,
        late: (begun) => this.#calls.post('stop', [begun.generation]),
      });
      this.#generation = generation;
      this.#letGo = this.#calls.run('outcome', [generation]).then(
        (ended) => this.#over(ended),
        (error) => this.#failed(error),
      );
      await this.#onUse(report);
    } catch (error) {
      await this.#failed(error);
      throw this.#reason(error);
    }
  }

  /** The next piece of text, or the next parts of an answer; undefined at the end. */
  async next(): Promise<string | AnswerPart[] | undefined> {
    const step = await this.#step('next');
    for (const entry of entries(step, this.logprobs.length)) this.logprobs.push(entry);
    return 'piece' in step ? step.piece : undefined;
  }

  /** Writes to the end. */
  async finish(): Promise<void> {
    await this.#step('finish');
  }

  /** Ends the generation within one token; what is written stays part of its text. */
  async stop(): Promise<void> {
    this.#left.abort();
    if (this.#generation === undefined) return;
    await this.#calls.run('stop', [this.#generation]);
    await this.#letGo;
  }

  readonly #onAbort = () => {
    this.#left.abort(this.#options.signal?.reason);
    this.stop().catch(() => {});
  };

  async #step(how: 'next' | 'finish'): Promise<Step> {
    try {
      const step = await this.#calls.run(how, [this.#generation as number]);
      if ('result' in step) await this.#letGo;
      this.#options.signal?.throwIfAborted();
      return step;
    } catch (error) {
      await this.#letGo;
      throw this.#reason(error);
    }
  }

  #over(ended: Ended): void {
    const { signal } = this.#options;
    signal?.removeEventListener('abort', this.#onAbort);
    void this.#onUse(ended);
    if (signal?.aborted) this.#settle.reject(signal.reason);
    else this.#settle.resolve(ended);
  }

  async #failed(error: unknown): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    await this.#onUse();
    this.#settle.reject(this.#reason(error));
  }

  #reason(error: unknown): unknown {
    const { signal } = this.#options;
    return signal?.aborted ? signal.reason : error;
  }
}

/** Those of a step: of the end, what has not come with a piece, such as the token of the end. */
function entries(step: Step, there: number): TokenLogprob[] {
  if ('piece' in step) return step.logprobs ?? [];
  return step.result.logprobs?.slice(there) ?? [];
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
    async start(controller) {
      // Ended by others than its reader: it may be waiting, or not be reading at all.
      writing.result.catch((error) => controller.error(error));
      await writing.start();
    },
    async pull(controller) {
      const piece = await writing.next();
      if (writing.stopped) return;
      if (piece === undefined) controller.close();
      else controller.enqueue(piece as string);
    },
    cancel: () => writing.stop(),
  });
  const { result, logprobs } = writing;
  return Object.assign(asyncIterable(stream), { result, logprobs });
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
