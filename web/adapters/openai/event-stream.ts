// SPDX-License-Identifier: MIT

import { APIError, apiError } from './error.js';

/** What stands beside the parameters of a request. */
export interface RequestOptions {
  /** Ends the answer: `create`, or the loop over its events, rejects with the signal's reason. */
  signal?: AbortSignal | null;
}

/** What is written, as it comes. Leaving the loop, or `controller.abort()`, ends the answer. */
export interface EventStream<T> extends AsyncIterable<T> {
  controller: AbortController;
}

/**
 * Starts a stream, whose first event is waited for: what is wrong with a prompt shows when it is read.
 *
 * @param outer ends it, as its own controller does
 * @param names of parameters by those of options
 */
export async function eventStream<T>(
  outer: AbortSignal | null | undefined,
  names: ReadonlyMap<string, string>,
  generate: (signal: AbortSignal) => AsyncGenerator<T>,
): Promise<EventStream<T>> {
  const controller = new AbortController();
  const { signal } = controller;
  const onAbort = () => controller.abort(outer?.reason);
  outer?.throwIfAborted();
  outer?.addEventListener('abort', onAbort, { once: true });

  async function* events(): AsyncGenerator<T> {
    try {
      yield* generate(signal);
    } catch (error) {
      // As with OpenAI's: who ends it by the controller knows.
      if (signal.aborted && !outer?.aborted) return;
      throw failure(error, names, outer);
    } finally {
      outer?.removeEventListener('abort', onAbort);
    }
  }

  const written = events();
  const first = await written.next();
  return { controller, [Symbol.asyncIterator]: () => resume(first, written) };
}

/** What an iterator gives whose first step has been taken. Leaving ends it. */
export async function* resume<T>(
  first: IteratorResult<T, unknown>,
  rest: AsyncIterator<T, unknown>,
): AsyncGenerator<T, void> {
  try {
    for (let step = first; !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

/** What a call rejects with. */
export function failure(
  error: unknown,
  names: ReadonlyMap<string, string>,
  signal?: AbortSignal | null,
): unknown {
  return signal?.aborted ? signal.reason : apiError(error, names);
}

/** An id as OpenAI's are: a prefix, and what no other has. */
export function newId(prefix: string): string {
  const [a, b] = crypto.getRandomValues(new BigUint64Array(2)) as unknown as [bigint, bigint];
  return `${prefix}${a.toString(36)}${b.toString(36)}`;
}

/** Events as server-sent ones, as far as they are read. */
export function serverSentEvents<T extends object>(
  stream: EventStream<T>,
): ReadableStream<Uint8Array> {
  const events = stream[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(`${text}\n\n`));
        try {
          const { done, value } = await events.next();
          if (done) {
            send('data: [DONE]');
            controller.close();
            return;
          }
          const name = 'type' in value ? `event: ${value.type}\n` : '';
          send(`${name}data: ${JSON.stringify(value)}`);
        } catch (error) {
          if (!(error instanceof APIError)) throw error;
          send(`data: ${JSON.stringify({ error: error.error })}`);
          controller.close();
        }
      },
      cancel: () => stream.controller.abort(),
    },
    { highWaterMark: 0 },
  );
}
