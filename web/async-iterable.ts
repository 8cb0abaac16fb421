// SPDX-License-Identifier: MIT

/**
 * A stream that `for await` reads in every browser; said so that programs compile which know nothing of
 * the streams' own iterators (`DOM.AsyncIterable` in TypeScript's `lib`).
 */
export type IterableStream<T> = ReadableStream<T> & {
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
};

/** Gives a stream the iterator that WebKit's have not: leaving the loop cancels the stream. */
export function asyncIterable<T>(stream: ReadableStream<T>): IterableStream<T> {
  if (!(Symbol.asyncIterator in stream)) {
    Object.defineProperty(stream, Symbol.asyncIterator, { value: () => iterate(stream) });
  }
  return stream as IterableStream<T>;
}

async function* iterate<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // After the last piece there is nothing left to cancel.
    await reader.cancel().finally(() => reader.releaseLock());
  }
}
