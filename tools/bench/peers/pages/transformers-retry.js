// SPDX-License-Identifier: MIT
import { open, tokensOf, writeOne } from './transformers.js';

/** @param {import('../../retry.mjs').Talk & { url: string }} talk @returns {Promise<import('../../retry.mjs').Retries>} */
export async function measure({ url, threads, turns, answer, edits }) {
  const { tokenizer, model, ...facts } = await open(url.split('/').at(-1), threads);
  // It keeps nothing from one call to the next: earlier answers may as well be given.
  const written = tokenizer.decode([answer.token]).repeat(answer.tokens);
  const before = turns.slice(0, -1).flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: written },
  ]);
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
  const again = (content) => answered([...before, { role: 'user', content }]);
  // The browser compiles what runs often, and the other runtimes have read the conversation by now.
  await answered(before.slice(0, 1));
  const runs = [];
  let last = turns.at(-1);
  for (const edit of edits) {
    runs.push({ retry: await again(last), edit: await again(edit) });
    last = edit;
  }
  const heldTokens = runs[0].retry.tokens + answer.tokens;
  await model.dispose();
  return { heldTokens, runs, ...facts };
}
