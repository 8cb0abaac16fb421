// SPDX-License-Identifier: MIT
import { loadModel } from '/dist/index.js';

/** @param {import('../../peers.mjs').Work & { url: string }} work @returns {Promise<import('../../peers.mjs').Run>} */
export async function measure({ url, threads, build, prompt, decode, warmUp }) {
  const start = performance.now();
  const model = await loadModel(url, { threads, wasm: { build } });
  const loadMs = performance.now() - start;
  /** @type {(text: string, maxTokens: number) => Promise<import('fastweights').GenerationResult>} */
  const write = (text, maxTokens) =>
    model.complete(text, { temperature: 0, maxTokens, ignoreEos: true });
  await write(warmUp.prompt, warmUp.decode);

  const asked = performance.now();
  const { promptTokens, tokens, timings } = await write(prompt, decode);
  const totalMs = performance.now() - asked;
  const { build: ran, facts } = model;
  await model.dispose();
  return {
    loadMs,
    prefillMs: timings.prefillMs,
    decodeMs: totalMs - timings.prefillMs,
    prefillTokens: promptTokens.length,
    decodeTokens: tokens.length,
    threads: facts.threads,
    engine: `${ran} build`,
  };
}
