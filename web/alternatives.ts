// SPDX-License-Identifier: MIT
// Fetched with the first text that is written in several ways.

import type { TextRequest } from './engine/types.js';
import { type GenerationStream, generationStream } from './generation-stream.js';
import { type GenerationOptions, laterSeed, type PrefillOptions } from './options.js';
import type { Message } from './text/message.js';
import type { Calls } from './worker/calls.js';

/** A conversation that can be gone on from in several ways. */
interface Branching<Branch> {
  oncontextoverflow: unknown;
  clone(): Promise<Branch>;
  append(messages: readonly Message[], options: PrefillOptions): Promise<void>;
  promptStreaming(messages: readonly Message[], options: GenerationOptions): GenerationStream;
  destroy(): void;
}

const MOST = 128;

/** Answers to one message, each in a clone of `session`. */
export async function answers<Branch extends Branching<Branch>>(
  session: Branch,
  messages: readonly Message[],
  count: number,
  options: GenerationOptions & { seed: number },
): Promise<{ session: Branch; stream: GenerationStream }[]> {
  checkCount(count);
  const asked = messages.filter(({ prefix }) => !prefix);
  const sessions: Branch[] = [];
  try {
    const first = await session.clone();
    sessions.push(first);
    first.oncontextoverflow = session.oncontextoverflow;
    const { signal, onPrefill } = options;
    if (asked.length > 0) await first.append(asked, { signal, onPrefill });
    while (sessions.length < count) sessions.push(await first.clone());
  } catch (error) {
    for (const clone of sessions) clone.destroy();
    throw error;
  }
  const begun = messages.slice(asked.length);
  return sessions.map((clone, i) => ({
    session: clone,
    stream: clone.promptStreaming(begun, { ...options, seed: laterSeed(options.seed, i) }),
  }));
}

/** What one prompt goes on with. */
export async function completions(
  calls: Calls,
  { prompt, settings, seed }: TextRequest,
  count: number,
  options: PrefillOptions,
): Promise<GenerationStream[]> {
  checkCount(count);
  const texts: number[] = [];
  const destroy = (text: number) => calls.post('destroySession', [text]);
  try {
    const { signal, onPrefill } = options;
    const reading = { signal, onProgress: onPrefill, late: destroy };
    const first = await calls.run('readText', [prompt], reading);
    texts.push(first);
    while (texts.length < count) {
      texts.push((await calls.run('cloneSession', [first])).session);
    }
  } catch (error) {
    for (const text of texts) destroy(text);
    throw error;
  }
  return texts.map((session, i) => {
    const request = { session, settings: { ...settings, seed: laterSeed(seed, i) } };
    const stream = generationStream(calls, request, { signal: options.signal });
    const over = () => destroy(session);
    stream.result.then(over, over);
    return stream;
  });
}

function checkCount(count: unknown): void {
  if (Number.isInteger(count) && (count as number) >= 1 && (count as number) <= MOST) return;
  throw new RangeError(`count must be a whole number from 1 to ${MOST}`);
}
