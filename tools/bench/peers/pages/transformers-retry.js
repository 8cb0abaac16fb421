// SPDX-License-Identifier: MIT
import { open, tokensOf, writeOne } from './transformers.js';

/**
 * @import { Retries, Start, Talk } from '../../retry.mjs'
 * @import { Message } from 'fastweights'
 * @param {Talk & { url: string }} talk
 * @returns {Promise<Retries>}
 */
export async function measure({ url, threads, turns, answer, edits }) {
  const { tokenizer, model, ...facts } = await open(url.slice(url.lastIndexOf('/') + 1), threads);
  // It keeps nothing from one call to the next: earlier answers may as well be given.
  const written = tokenizer.decode([answer.token]).repeat(answer.tokens);
  /** @type {Message[]} */
  const before = turns.slice(0, -1).flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: written },
  ]);
  /** @type {(messages: Message[]) => Promise<Start>} */
  const answered = async (messages) => {
    const asked = performance.now();
    const inputs = tokensOf(tokenizer, messages);
    const { sequences } = await writeOne(model, inputs, (logits) => {
      logits[answer.token] += answer.bias;
    });
    const ms = performance.now() - asked;
    const token = Number(sequences.data.at(-1));
    if (token !== answer.token) throw new Error(`token ${token} was written`);
    return { ms, tokens: inputs.input_ids.dims[1] };
  };
  /** @param {string} content */
  const again = (content) => answered([...before, { role: 'user', content }]);
  // The browser compiles what runs often, and the other runtimes have read the conversation by now.
  await answered(before.slice(0, 1));
  const runs = [];
  let last = turns[turns.length - 1];
  for (const edit of edits) {
    runs.push({ retry: await again(last), edit: await again(edit) });
    last = edit;
  }
  const heldTokens = runs[0].retry.tokens + answer.tokens;
  await model.dispose();
  return { heldTokens, runs, ...facts };
}
