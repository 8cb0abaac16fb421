// SPDX-License-Identifier: MIT
import { asyncIterable, type IterableStream } from '../async-iterable.js';

/**
 * What a generator yields, as a stream, one part ahead of its reader. The generator's signal fires
 * with `outer`, and when the stream is cancelled: a generator that waits is told so.
 */
export function streamOf<T>(
  outer: AbortSignal | undefined,
  generate: (signal: AbortSignal) => AsyncGenerator<T>,
): IterableStream<T> {
  const left = new AbortController();
  const parts = generate(outer ? AbortSignal.any([outer, left.signal]) : left.signal);
  const stream = new ReadableStream<T>({
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
  return asyncIterable(stream);
}

/** What several generators yield, as it comes. Leaving ends all of them. */
export async function* merged<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = (source: AsyncGenerator<T>) => source.next().then((step) => ({ source, step }));
  const waiting = new Map(sources.map((source) => [source, next(source)]));
  try {
    while (waiting.size > 0) {
      const { source, step } = await Promise.race(waiting.values());
      waiting.delete(source);
      if (step.done) continue;
      yield step.value;
      waiting.set(source, next(source));
    }
  } finally {
    // What they fail with then is nobody's any more.
    const ends = sources.map((source) => source.return(undefined));
    await Promise.allSettled([...waiting.values(), ...ends]);
  }
}
