// SPDX-License-Identifier: MIT
//
// node logits-run.mjs LIBRARY MODEL TOKENS OUTPUT: llama.cpp's logits after each token, written as raw
// float32 [tokens, vocabulary]. In a process of its own, which llama.cpp ends where it asserts.

import { writeFile } from 'node:fs/promises';

import { openLlamaCpp } from './open.mjs';

const [library, modelPath, ids, output] = process.argv.slice(2);
const tokens = ids.split(',').map(Number);
const llama = await openLlamaCpp(library);
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({
  threads: 1,
  contextSize: tokens.length + 8,
  // Otherwise keys and values are rounded to 16 bits.
  flashAttention: false,
  experimentalKvCacheKeyType: 'F32',
  experimentalKvCacheValueType: 'F32',
});
const generateNext = { logits: true };
const found = await context
  .getSequence()
  .controlledEvaluate(tokens.map((token) => [token, { generateNext }]));
const rows = found.map((/** @type {{ next: { logits: Map<number, number> } }} */ { next }) => {
  const row = new Float32Array(next.logits.size);
  for (const [token, logit] of next.logits) row[token] = logit;
  return row;
});
const bytes = rows.map((/** @type {Float32Array<ArrayBuffer>} */ row) => Buffer.from(row.buffer));
await writeFile(output, Buffer.concat(bytes));
await context.dispose();
await model.dispose();
await llama.dispose();
