// SPDX-License-Identifier: MIT
import { Wllama } from '/wllama/esm/index.js';
import { open } from './wllama.js';

/**
 * @import { Retries, Start, Talk } from '../../retry.mjs'
 * @param {Talk & { url: string }} talk
 * @returns {Promise<Retries>}
 */
export async function measure({ url, threads, turns, answer, edits }) {
  const wllama = await open(url, threads, 4096);
  /** @type {import('fastweights').Message[]} */
  let messages = [];
  let heldTokens = 0;
  // What it has of a prompt it keeps by itself, with as many checkpoints as llama.cpp makes.
  /** @type {(content: string, maxTokens: number) => Promise<number>} */
  const ask = async (content, maxTokens) => {
    messages.push({ role: 'user', content });
    const { choices, usage } = await wllama.createChatCompletion({
      messages,
      max_tokens: maxTokens,
      temperature: 0,
      cache_prompt: true,
      logit_bias: { [answer.token]: answer.bias },
    });
    messages.push({ role: 'assistant', content: choices[0].message.content });
    heldTokens = usage.total_tokens;
    return usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens;
  };
  for (const turn of turns) await ask(turn, answer.tokens);
  const held = heldTokens;

  /** @type {(text: string) => Promise<Start>} */
  const again = async (text) => {
    const asked = performance.now();
    messages = messages.slice(0, -2);
    const tokens = await ask(text, 1);
    return { ms: performance.now() - asked, tokens };
  };
  const runs = [];
  let last = turns[turns.length - 1];
  for (const edit of edits) {
    runs.push({ retry: await again(last), edit: await again(edit) });
    last = edit;
  }
  const used = wllama.getNumThreads();
  await wllama.exit();
  const engine = `llama.cpp ${Wllama.getLibllamaVersion()}`;
  return { heldTokens: held, runs, threads: used, engine };
}
