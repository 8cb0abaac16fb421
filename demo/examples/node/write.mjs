#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// write.mjs MODEL QUESTION...: an answer on stdout as it is written, all else on stderr. Ctrl-C ends it.
import process from 'node:process';
import { loadModel } from 'fastweights';

const [source, ...words] = process.argv.slice(2);
const stopping = new AbortController();
const { signal } = stopping;
process.once('SIGINT', () => stopping.abort());

/** @param {import('fastweights').LoadProgress} progress */
function onProgress({ loaded, total }) {
  const percent = total ? ` (${Math.round((100 * loaded) / total)} %)` : '';
  process.stderr.write(`\r${(loaded / 1e6).toFixed(1)} MB${percent}`);
}

async function answer() {
  if (!source || words.length === 0) throw new TypeError('write.mjs MODEL QUESTION...');
  const model = await loadModel(source, { signal, onProgress });
  process.stderr.write('\n');
  const session = await model.createSession({ temperature: 0.8 });
  const stream = session.promptStreaming(words.join(' '), { signal, maxTokens: 400 });
  for await (const piece of stream) process.stdout.write(piece);
  const { tokens, timings } = await stream.result;
  const rate = timings.decodeTokensPerSecond.toFixed(0);
  process.stdout.write('\n');
  process.stderr.write(`${tokens.length} tokens, ${rate} a second\n`);
  await model.dispose();
}

answer().catch((error) => {
  process.stderr.write(`\n${signal.aborted ? 'Stopped.' : tell(error)}\n`);
  process.exitCode = signal.aborted ? 130 : 1;
});

/**
 * An error with what is under it, which often says more.
 *
 * @param {any} error
 * @returns {string}
 */
function tell({ name, code, message, cause }) {
  const own = `${name}${code ? ` (${code})` : ''}: ${message}`;
  return cause ? `${own}\n${tell(cause)}` : own;
}
