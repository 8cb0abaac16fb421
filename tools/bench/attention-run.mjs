// SPDX-License-Identifier: MIT
//
// node attention-run.mjs MODULE WORK: times attention of tests/bench in this engine, prints one JSON object.

import { processorMs, shortest } from './clock.mjs';

/**
 * @typedef {object} AttentionWork
 * @property {{ query: number, kv: number, dim: number }[]} shapes heads and their dims
 * @property {number} held
 * @property {number[]} tokens of a call
 * @property {number} repeat
 *
 * Of a layer and token.
 * @typedef {object} AttentionFound
 * @property {string} shape
 * @property {string} kv
 * @property {number} tokens
 * @property {number} bytes
 * @property {number} multiplyAdds
 * @property {number} ms
 *
 * @typedef {{ gflops: number, int8Gops: number, readGBps: number, held: number, found: AttentionFound[] }} AttentionsFound
 */

const kTypes = ['f32', 'bf16', 'int8'];
const kReadBytes = 256 * 2 ** 20;

const [path, given] = process.argv.slice(2);
/** @type {AttentionWork} */
const { shapes, held, tokens, repeat } = JSON.parse(given);
const { default: create } = await import(path);
const module = await create();

/** @type {(name: string, rounds: number, ...memory: number[]) => number} billions of operations a second */
function peak(name, rounds, ...memory) {
  const run = module[`_${name}`];
  // Wasm functions are compiled well after many calls, not after one long one.
  for (let i = 0; i < 50; i++) run(1000, ...memory);
  const ms = shortest(() => run(rounds, ...memory), repeat, processorMs);
  return (rounds * module[`_${name}OfARound`]()) / ms / 1e6;
}

function readGBps() {
  const memory = module._Allocate(kReadBytes);
  for (let i = 0; i < 50; i++) module._ReadBytes(memory, 65536, 1);
  const times = [1, 4].map((streams) =>
    shortest(() => module._ReadBytes(memory, kReadBytes, streams), repeat, processorMs),
  );
  module._Free(memory);
  return kReadBytes / Math.min(...times) / 1e6;
}

/** @type {AttentionFound[]} */
const found = [];
for (const { query, kv, dim } of shapes) {
  for (const [type, name] of kTypes.entries()) {
    for (const count of tokens) {
      const small = module._MakeAttention(type, query, kv, dim, 640, count);
      for (let i = 0; i < 20; i++) module._RunAttention(small);
      module._FreeAttention(small);
      const attention = module._MakeAttention(type, query, kv, dim, held, count);
      const ms = shortest(() => module._RunAttention(attention), repeat, processorMs) / count;
      const multiplyAdds = 2 * query * dim * (held + (count + 1) / 2);
      const bytes = module._AttentionBytes(attention);
      const shape = `${query} on ${kv} of ${dim}`;
      found.push({ shape, kv: name, tokens: count, bytes, multiplyAdds, ms });
      module._FreeAttention(attention);
    }
  }
}
const memory = module._Allocate(256);
new Float32Array(module.HEAPU8.buffer, memory, 8).fill(0.5);
const gflops = peak('FloatOperations', 1e6, memory);
const int8Gops = peak('Int8Operations', 1e6, 7, memory, memory + 192);
process.stdout.write(JSON.stringify({ gflops, int8Gops, readGBps: readGBps(), held, found }));
