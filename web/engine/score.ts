// SPDX-License-Identifier: MIT

import { otherTasks } from '../abort.js';
import { notFinite, outOfMemory, type TextMachine } from './prefill.js';

/** How well a model predicts a text. */
export interface Score {
  /** Tokens of the whole text. */
  tokens: number;
  /** Tokens that were predicted. */
  scored: number;
  /** Sum of -log p over them, in nats. */
  nll: number;
  /** e to the mean of -log p. */
  perplexity: number;
  /** Bits per byte of the text that was predicted. */
  bitsPerByte: number;
}

/**
 * Encodes the whole text with its special tokens and cuts it into windows of `window` tokens; the
 * last incomplete one is dropped. Each window starts from a zero state and its first token is not
 * scored.
 *
 * @throws RangeError when the text is shorter than one window; ModelError `out_of_memory`,
 * `not_finite`
 */
export async function score(
  { wasm, session, tokenizer }: TextMachine,
  text: string,
  window: number,
  signal: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<Score> {
  const ids = Int32Array.from(tokenizer.encode(text, { eos: false }));
  const windows = Math.floor(ids.length / window);
  if (windows === 0) {
    throw new RangeError(`the text has ${ids.length} tokens, fewer than one window of ${window}`);
  }
  const { batchTokens } = wasm;
  let nll = 0;
  let bytes = 0;
  for (let w = 0; w < windows; w++) {
    session.reset();
    const start = w * window;
    const end = start + window;
    for (let at = start; at < end; at += batchTokens) {
      const stop = Math.min(at + batchTokens, end);
      const next = stop < end ? (ids[stop] as number) : -1;
      const part = session.score(wasm.putIds(ids.subarray(at, stop)), stop - at, next);
      if (part < 0) throw outOfMemory();
      if (Number.isNaN(part)) throw notFinite();
      nll += part;
      await otherTasks();
      signal.throwIfAborted();
    }
    for (let i = start + 1; i < end; i++) bytes += tokenizer.bytes(ids[i] as number).byteLength;
    onProgress?.(w + 1, windows);
  }
  const scored = windows * (window - 1);
  return {
    tokens: ids.length,
    scored,
    nll,
    perplexity: Math.exp(nll / scored),
    bitsPerByte: nll / Math.LN2 / bytes,
  };
}
