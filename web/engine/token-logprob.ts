// SPDX-License-Identifier: MIT

import { allowedIds } from './allowed-tokens.js';
import type { TextMachine } from './prefill.js';
import type { TokenLogprob } from './types.js';

/**
 * The log probability of the token that a session drew last.
 *
 * @param alternatives how many of the most likely tokens to name
 * @param mask of the tokens that were allowed, a bit for each; undefined: all were
 */
export function tokenLogprob(
  { wasm, session, tokenizer }: TextMachine,
  token: number,
  alternatives: number,
  mask: Int32Array | undefined,
): TokenLogprob {
  const count = Math.min(alternatives, tokenizer.vocabSize);
  const best =
    count === 0
      ? []
      : wasm.withBlock(4 * count, (address) => {
          session.mostLikely(count, address);
          return [...wasm.module.HEAP32.subarray(address >>> 2, (address >>> 2) + count)];
        });
  // After the block: memory that grows takes its views away.
  const start = session.logits() >>> 2;
  const logits = wasm.module.HEAPF32.subarray(start, start + tokenizer.vocabSize);
  const total = session.logTotal();
  const entry = (id: number) => ({
    token: id,
    text: tokenizer.hasTexts ? tokenizer.decode([id]) : '',
    logprob: (logits[id] as number) - total,
  });
  const drawn = { ...entry(token), alternatives: best.map(entry) };
  if (!mask) return drawn;
  const allowed = allowedIds(mask, logits, count, total);
  return {
    ...drawn,
    allowed: {
      count: allowed.count,
      logprob: Math.min(0, Math.log(allowed.weight)),
      likeliest: allowed.best.map(entry),
    },
  };
}
