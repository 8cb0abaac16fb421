// SPDX-License-Identifier: MIT
//
// One run of llama.cpp by node-llama-cpp, in a process of its own: node native-run.mjs LIBRARY WORK
// prints the run as JSON.

import { openLlamaCpp } from '../../llamacpp/open.mjs';

const [library, given] = process.argv.slice(2);
/**
 * @import { Run, Work } from '../peers.mjs'
 * @type {Work}
 */
const { model: modelPath, threads, prompt, decode, warmUp } = JSON.parse(given);
const llama = await openLlamaCpp(library);
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ threads, contextSize: 1024, batchSize: 512 });
const sequence = context.getSequence();

/** @type {(text: string, count: number) => Promise<Omit<Run, 'threads' | 'engine'>>} */
async function write(text, count) {
  const tokens = model.tokenize(text);
  await sequence.clearHistory();
  const asked = performance.now();
  let first = 0;
  let written = 0;
  // An end of text is a token like others.
  for await (const _ of sequence.evaluate(tokens, { temperature: 0, yieldEogToken: true })) {
    if (++written === 1) first = performance.now();
    if (written === count) break;
  }
  const decodeMs = performance.now() - first;
  return {
    prefillMs: first - asked,
    decodeMs,
    prefillTokens: tokens.length,
    decodeTokens: written,
  };
}

await write(warmUp.prompt, warmUp.decode);
const run = await write(prompt, decode);
process.stdout.write(
  JSON.stringify({
    ...run,
    threads: context.currentThreads,
    engine: `llama.cpp ${llama.llamaCppRelease.release}`,
  }),
);
await context.dispose();
await model.dispose();
await llama.dispose();
