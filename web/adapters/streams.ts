// SPDX-License-Identifier: MIT

/**
 * What a generator yields, as a stream, one part ahead of its reader. The generator's signal fires
 * with `outer`, and when the stream is cancelled: a generator that waits is told so.
 */
export function streamOf<T>(
  outer: AbortSignal | undefined,
  generate: (signal: AbortSignal) => AsyncGenerator<T>,
): ReadableStream<T> {
  const left = new AbortController();
  const parts = generate(outer ? AbortSignal.any([outer, left.signal]) : left.signal);
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (left.signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      left.abort();
      await parts.return(undefined).catch(() => {});
    },
  });
}
