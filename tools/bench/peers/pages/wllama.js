// SPDX-License-Identifier: MIT
import { LoggerWithoutDebug, Wllama } from '/wllama/esm/index.js';

export const kSettings = {
  n_batch: 512,
  n_ubatch: 512,
  // By default four texts share the context.
  n_parallel: 1,
  n_gpu_layers: 0,
};

/** Without a model. */
export function runtime() {
  const logger = { ...LoggerWithoutDebug, log: () => {}, warn: () => {} };
  // Where there is no private file system it has no cache, and refuses to begin without one.
  const cacheManager = 'getDirectory' in (navigator.storage ?? {}) ? undefined : {};
  const wllama = new Wllama(
    { default: '/wllama/esm/wasm/wllama.wasm' },
    { suppressNativeLog: true, logger, cacheManager },
  );
  // For engines without 64-bit memories and promises in WebAssembly, WebKit for one.
  wllama.setCompat({ worker: '/compat/wasm/wllama.js', wasm: '/compat/wasm/wllama.wasm' });
  return wllama;
}

/**
 * A loaded model.
 * @param {string} url
 * @param {number} threads
 * @param {number} contextTokens
 */
export async function open(url, threads, contextTokens) {
  const wllama = runtime();
  // Not loadModelFromUrl(): that stores the file first.
  const file = await (await fetch(url)).blob();
  await wllama.loadModel([file], { ...kSettings, n_threads: threads, n_ctx: contextTokens });
  return wllama;
}

/** @param {import('../../peers.mjs').Work & { url: string }} work @returns {Promise<import('../../peers.mjs').Run>} */
export async function measure({ url, threads, prompt, decode, partialCharacters, warmUp }) {
  const start = performance.now();
  const wllama = await open(url, threads, 1024);
  const loadMs = performance.now() - start;
  /** @type {(text: string, count: number) => Promise<any>} */
  const write = (text, count) =>
    wllama.createCompletion({
      prompt: text,
      max_tokens: count,
      temperature: 0,
      ignore_eos: true,
      cache_prompt: false,
      // It fails where its text is not UTF-8, and random weights write anything.
      logit_bias: partialCharacters.map((id) => [id, false]),
    });
  await write(warmUp.prompt, warmUp.decode);

  const asked = performance.now();
  const { timings } = await write(prompt, decode);
  const totalMs = performance.now() - asked;
  const run = {
    loadMs,
    prefillMs: timings.prompt_ms,
    decodeMs: totalMs - timings.prompt_ms,
    prefillTokens: timings.prompt_n,
    decodeTokens: timings.predicted_n,
    threads: wllama.getNumThreads(),
    engine: `llama.cpp ${Wllama.getLibllamaVersion()}`,
  };
  await wllama.exit();
  return run;
}
