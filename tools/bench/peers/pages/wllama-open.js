// SPDX-License-Identifier: MIT
import { kSettings, open, runtime } from './wllama.js';

/**
 * @param {import('./open.js').Work} work
 * @returns {Promise<import('../../open.mjs').Opened>}
 */
export async function measure({ kind, url, threads }) {
  const start = performance.now();
  const wllama = kind === 'wllama' ? await open(url, threads, 1024) : runtime();
  if (kind !== 'wllama') {
    await wllama.loadModelFromUrl(url, { ...kSettings, n_threads: threads, n_ctx: 1024 });
  }
  const openMs = performance.now() - start;
  await wllama.createCompletion({ prompt: 'Hello', max_tokens: 1 });
  const firstTokenMs = performance.now();
  const bytes = Number((await fetch(url, { method: 'HEAD' })).headers.get('content-length'));
  await wllama.exit();
  return { openMs, firstTokenMs, bytes };
}
