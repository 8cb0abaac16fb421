// SPDX-License-Identifier: MIT

import { otherTasks } from '../abort.js';
import { ModelError } from '../errors.js';
import type { WasmModel } from '../wasm/glue.js';
import { checkRoom, notFinite, outOfMemory, type TextMachine } from './prefill.js';

/**
 * Reads tokens from a zero state.
 *
 * @returns logits after the last of `ids`, [vocabSize], or after every one, [ids.length, vocabSize]
 * @throws the signal's reason; ModelError `context_full`, `out_of_memory`, `not_finite`
 */
export async function logits(
  { wasm, session, tokenizer, contextWindow }: TextMachine,
  model: WasmModel,
  ids: readonly number[],
  all: boolean,
  signal: AbortSignal,
): Promise<Float32Array> {
  checkRoom(0, ids.length, contextWindow);
  const { vocabSize } = tokenizer;
  const found = withRoom((all ? ids.length : 1) * vocabSize);
  const take = (address: number, count: number, at: number) => {
    if (!wasm.module.allFinite(address, count)) throw notFinite();
    found.set(wasm.floats(address, count), at);
  };
  const step = all ? model.logitRows() : wasm.batchTokens;
  for (let at = 0; at < ids.length; at += step) {
    const part = ids.slice(at, at + step);
    const address = wasm.putIds(part);
    if (all) {
      const rows = session.evaluate(address, part.length) >>> 0;
      if (rows === 0) throw outOfMemory();
      take(rows, part.length * vocabSize, at * vocabSize);
    } else {
      const last = at + part.length === ids.length;
      if (!session.prefill(address, part.length, last)) throw outOfMemory();
      if (last) take(session.logits(), vocabSize, 0);
    }
    await otherTasks();
    signal.throwIfAborted();
  }
  return found;
}

function withRoom(floats: number): Float32Array {
  try {
    return new Float32Array(floats);
  } catch (cause) {
    throw new ModelError('out_of_memory', `no memory for ${floats} logits`, { cause });
  }
}
