// SPDX-License-Identifier: MIT
// The models of these tests, and what several of them do with one.

import { readFileSync } from 'node:fs';
import { setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { loadModel as load } from '../../dist/index.js';
import { makeModel } from '../../tools/make-model.mjs';
import { kSmallModel } from '../../tools/setup/embedded-model.mjs';
import { randomNumbers } from '../support/byte-level.js';

export { rejection } from '../support/rejection.js';

// Models run here that take seconds where several processes share a machine.
jest.setTimeout(60_000);

const local = (path) => new URL(path, import.meta.url);

/** The small story model: stories, all layers linear, Q8_0. */
export const DEMO = kSmallModel;

/** What the small story model's reference implementation makes of it. */
export const demoReference = JSON.parse(readFileSync(local('../golden/demo/reference.json')));
for (const [number, prompt] of demoReference.prompts.entries()) prompt.number = number;

/** The build that FASTWEIGHTS_BUILD names; undefined leaves the choice to the package. */
export const BUILD = process.env.FASTWEIGHTS_BUILD || undefined;

/** Load options with the build under test. */
export const withBuild = (options = {}) => ({
  ...options,
  wasm: { build: BUILD, ...options.wasm },
});

/** `loadModel` with the build under test. */
export const loadModel = (source, options) => load(source, withBuild(options));

/** Little-endian float32 numbers of a file in tests/golden. */
export function goldenFloats(path) {
  const bytes = readFileSync(local(`../golden/${path}`));
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

export const goldenPath = (path) => local(`../golden/${path}`);

const FIXTURES = [
  'qwen3_5',
  'qwen3_5_kv_equal',
  'qwen3_5_linear',
  'falcon_h1',
  'granite_moe_hybrid',
  'mamba',
  'mamba2',
  'nemotron_h',
  'rwkv6_k1',
  'rwkv7_h32',
];

/** Tiny models with the logits and greedy tokens of their reference implementation. */
export const fixtures = FIXTURES.map((name) => ({
  name,
  path: local(`../golden/models/${name}/model-f32.gguf`).pathname,
  sequences: JSON.parse(readFileSync(local(`../golden/models/${name}/fixture.json`))).sequences.map(
    ({ ids, logits, greedy16 }) => ({
      ids,
      greedy16,
      logits: goldenFloats(`models/${name}/${logits}`),
    }),
  ),
}));

/** A random model that is quick to run: all layers linear, and ChatML as its template. */
export const linearModel = () => makeModel({ shape: { layers: 3, fullAttentionInterval: 0 } });

/**
 * The same with one softmax layer and a window of 192 tokens, three KV pages.
 * @param {object} [options] of makeModel
 */
export const hybridModel = (options) =>
  makeModel({ shape: { layers: 2, fullAttentionInterval: 2, contextLength: 192 }, ...options });

const OTHERS = ['lfm2', 'granite-h', 'falcon-h1', 'mamba2', 'mamba', 'rwkv7'];

/** A random model of each other architecture, with its name. */
export const otherModels = OTHERS.map((name) => [
  name,
  () => makeModel({ shape: `tiny-${name}`, type: 'q8_0' }),
]);

/** One of each kind, with what makes it. */
export const everyModel = [
  ['linear', linearModel],
  ['hybrid', hybridModel],
  ['trained', () => DEMO],
  ...otherModels,
];

/** Relative root mean square of the difference; NaN for any NaN. */
export function relativeError(found, wanted) {
  expect(found.length).toBe(wanted.length);
  let difference = 0;
  let size = 0;
  for (let i = 0; i < wanted.length; i++) {
    difference += (found[i] - wanted[i]) ** 2;
    size += wanted[i] ** 2;
  }
  return Math.sqrt(difference / size);
}

/** Log softmax of a row of logits. */
export function logSoftmax(logits) {
  const largest = logits.reduce((a, b) => Math.max(a, b));
  const sum = logits.reduce((total, x) => total + Math.exp(x - largest), 0);
  return Float64Array.from(logits, (x) => x - largest - Math.log(sum));
}

setFlagsFromString('--expose-gc');
const collectOnce = runInNewContext('gc');

/**
 * Bytes that JavaScript and WebAssembly's memories hold once nothing is left that could be collected. Not what the system
 * counts for the process: its allocator keeps some of what was freed.
 */
export async function heldBytes() {
  // Finalizers run in tasks of their own, and free what a second collection finds.
  let least = Number.POSITIVE_INFINITY;
  for (let same = 0; same < 3; same++) {
    collectOnce();
    await nextTask();
    const { heapUsed, external } = process.memoryUsage();
    const now = heapUsed + external;
    if (now < least - 2 ** 20) same = -1;
    least = Math.min(least, now);
  }
  return least;
}

/** The pieces of a stream and its result. */
export async function collect(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return { pieces, ...(await stream.result) };
}

/** Random ids below `vocab`, the same each time. */
export function ids(count, vocab = 250, seed = 7) {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => Math.floor(random() * vocab));
}
