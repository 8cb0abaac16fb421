// SPDX-License-Identifier: MIT
import { open } from './wllama.js';

// Beside what is held and read: what it keeps free.
const kSpare = 64;

/**
 * @import { PeerWork, Speeds } from '../../context.mjs'
 * @param {PeerWork & { url: string }} work
 * @returns {Promise<Speeds[]>}
 */
export async function measure({ url, threads, texts, decode, partialCharacters }) {
  const most = Math.max(...texts.map(({ held, read }) => held.tokens + read.tokens));
  const wllama = await open(url, threads, most + decode + kSpare);
  /** @type {(prompt: string, count: number) => Promise<any>} */
  const write = (prompt, count) =>
    wllama.createCompletion({
      prompt,
      max_tokens: count,
      temperature: 0,
      ignore_eos: true,
      cache_prompt: true,
      // It fails where its text is not UTF-8, and random weights write anything.
      logit_bias: partialCharacters.map((id) => [id, false]),
    });
  await write(' warm up', decode);
  const found = [];
  for (const { held, read } of texts) {
    if (held.tokens > 0) await write(held.text, 1);
    const { timings } = await write(held.text + read.text, decode);
    // It takes up a text some tokens before its end.
    if (timings.prompt_n > 2 * read.tokens) throw new Error(`${timings.prompt_n} tokens were read`);
    found.push({
      held: held.tokens,
      prefill: (1000 * timings.prompt_n) / timings.prompt_ms,
      decode: (1000 * timings.predicted_n) / timings.predicted_ms,
    });
  }
  await wllama.exit();
  return found;
}
