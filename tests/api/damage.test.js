// SPDX-License-Identifier: MIT
// Every damaged file must end in a ModelError, or load where the damage does no harm; it must do so
// soon, and without taking more memory than a sound file.
import { readFileSync } from 'node:fs';
import { inspectModel } from '../../dist/index.js';
import { headerFlips, hostileHeaders, truncations } from '../../tools/damage.mjs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { makeModel } from '../../tools/make-model.mjs';
import { BUILD, DEMO, heldBytes, loadModel } from './models.js';

// Of processors' time, which other work on the machine does not lengthen.
const CASE_MS = 2000;
// Two thousand loads a test: four times what they take on two busy processors.
const TEST_MS = 240_000;
const EXTRA_BYTES = 64 * 2 ** 20;

const CODES = new Set([
  'invalid_header',
  'truncated',
  'unsupported_type',
  'unsupported_architecture',
  'invalid_metadata',
  'missing_tensor',
  'shape_mismatch',
  'not_finite',
  'unsupported_tokenizer',
  'out_of_memory',
]);

// Layers of both kinds, as few weights as a header of full length allows.
const tiny = makeModel({
  shape: { layers: 2, fullAttentionInterval: 2, modelDim: 64, feedForwardDim: 64 },
});
const demo = new Uint8Array(readFileSync(DEMO));

// One compiled module for all: what is measured is the loading.
let wasm;
beforeAll(async () => {
  const build = BUILD ?? 'simd128';
  const file = new URL(`../../dist/wasm/fastweights-${build}.wasm`, import.meta.url);
  wasm = { build, module: await WebAssembly.compile(readFileSync(file)) };
});

/** What became of one damaged file: undefined, or what is wrong with the outcome. */
async function verdict(work, bytes, counts) {
  const before = process.memoryUsage.rss();
  const started = process.cpuUsage();
  let found;
  try {
    await work(bytes);
    counts.loaded += 1;
  } catch (error) {
    if (error?.name !== 'ModelError' || !CODES.has(error.code)) {
      found = `${error?.name}: ${error?.message} (${error?.code})\n${error?.stack}`;
    }
  }
  const { user, system } = process.cpuUsage(started);
  const took = (user + system) / 1000;
  if (took > CASE_MS) return `took ${took.toFixed(0)} ms`;
  const grown = process.memoryUsage.rss() - before;
  if (grown > bytes.length + EXTRA_BYTES) return `took ${grown} bytes`;
  return found;
}

async function loadAndRun(bytes, options = {}) {
  const model = await loadModel(bytes, { wasm, ...options });
  try {
    // What loads must also run.
    const row = await model.logits([1, 2, 3]);
    if (row.length !== model.vocabSize) throw new TypeError('a row of another length');
    if (model.facts.weightsBytes > bytes.length + EXTRA_BYTES) throw new TypeError('weights');
    const { heapBytes } = await model.memory();
    if (heapBytes > bytes.length + EXTRA_BYTES) throw new TypeError(`heap of ${heapBytes} bytes`);
  } finally {
    await model.dispose();
  }
}

const inspect = (bytes) => inspectModel(bytes, { wasm });

/** Tries every file; fails naming the damage of each that ends otherwise than it should. */
async function tryAll(files, work) {
  const counts = { tried: 0, loaded: 0 };
  const wrong = [];
  let longest = 0;
  const before = await heldBytes();
  for (const { name, bytes } of files) {
    const found = await verdict(work, bytes, counts);
    if (found !== undefined) wrong.push(`${name}: ${found}`);
    counts.tried += 1;
    longest = Math.max(longest, bytes.length);
    // So that what is left over is not taken for what the next file needs.
    if (counts.tried % 200 === 0) await heldBytes();
  }
  expect(wrong).toEqual([]);
  // The last file and its model may not be collected yet; a leak would keep one of each.
  expect((await heldBytes()) - before).toBeLessThan(2 * longest + 2 ** 24);
  return counts;
}

const headerEnd = (bytes) => openGguf(bytes).headerEnd;

test('the sound files load', async () => {
  await loadAndRun(tiny);
  await loadAndRun(demo);
  await inspect(demo);
});

test(
  'a file cut at any of 200 places is an error',
  async () => {
    const { tried, loaded } = await tryAll(truncations(tiny, 200), loadAndRun);
    expect(tried).toBeGreaterThan(150);
    expect(loaded).toBe(0);
  },
  TEST_MS,
);

test.each(['q8_0', 'q4_0', 'q4_k', 'qc8'])('so is one whose weights become %s', async (weights) => {
  const requantised = (bytes) => loadAndRun(bytes, { weights });
  expect((await tryAll(truncations(tiny, 20), requantised)).loaded).toBe(0);
});

test(
  'a flipped byte anywhere in the header is an error or does no harm',
  async () => {
    const counts = await tryAll(headerFlips(tiny, headerEnd(tiny), 2000, 'flips'), loadAndRun);
    expect(counts.tried).toBe(2000);
    // A flip in a name or a text may do no harm; one in a length, a merge or a token cannot.
    expect(counts.loaded).toBeGreaterThan(50);
    expect(counts.loaded).toBeLessThan(500);
  },
  TEST_MS,
);

test(
  'flipped bytes in the hyper-parameters and the tensor table are an error or do no harm',
  async () => {
    // A copy whose vocabulary is out of the way: nearly every flip hits a number that counts.
    const { metadata, tensors } = openGguf(tiny);
    const start = [...metadata.keys()].indexOf('tokenizer.ggml.model');
    expect(start).toBeGreaterThan(10);
    expect(tensors.length).toBeGreaterThan(20);
    const text = Buffer.from(tiny.buffer, tiny.byteOffset, tiny.length);
    const regions = [
      [0, text.indexOf('tokenizer.ggml.tokens')],
      [text.lastIndexOf('token_embd.weight') - 8, headerEnd(tiny)],
    ];
    const counts = { tried: 0, loaded: 0 };
    for (const [from, to] of regions) {
      expect(to - from).toBeGreaterThan(500);
      const shifted = function* () {
        for (const { name, bytes } of headerFlips(
          tiny.subarray(from),
          to - from,
          500,
          `at ${from}`,
        )) {
          const whole = tiny.slice();
          whole.set(bytes, from);
          yield { name: `from ${from} on, ${name}`, bytes: whole };
        }
      };
      const found = await tryAll(shifted(), loadAndRun);
      counts.tried += found.tried;
      counts.loaded += found.loaded;
    }
    expect(counts.tried).toBe(1000);
    expect(counts.loaded).toBeGreaterThan(10);
    expect(counts.loaded).toBeLessThan(200);
  },
  TEST_MS,
);

test('headers that lie are errors', async () => {
  const { tried, loaded } = await tryAll(hostileHeaders(tiny), loadAndRun);
  expect(tried).toBeGreaterThan(40);
  expect(loaded).toBe(0);
});

test(
  'the small story model, cut or with a flipped byte, is an error or loads',
  async () => {
    const cuts = await tryAll(truncations(demo, 40), loadAndRun);
    expect(cuts.loaded).toBe(0);
    const flips = await tryAll(headerFlips(demo, headerEnd(demo), 20, 'flips'), loadAndRun);
    expect(flips.tried).toBe(20);
    const seen = await tryAll(headerFlips(demo, headerEnd(demo), 60, 'more flips'), inspect);
    expect(seen.tried).toBe(60);
    const lies = await tryAll(hostileHeaders(demo), loadAndRun);
    expect(lies.loaded).toBe(0);
  },
  TEST_MS,
);

test('damaged weights do not keep a model from running', async () => {
  const random = tiny.slice();
  const { dataStart } = openGguf(tiny);
  // No byte above 0x3f: in any type a number.
  for (let i = dataStart; i < random.length; i++) random[i] = (i * 2654435761) >>> 26;
  await loadAndRun(random);
  // Even of such numbers a token is drawn, and every draw is in the vocabulary.
  const model = await loadModel(random, { wasm });
  const stream = model.generate([1, 2], { maxTokens: 5, ignoreEos: true });
  for await (const _ of stream);
  const { tokens } = await stream.result;
  expect(tokens.every((token) => token >= 0 && token < model.vocabSize)).toBe(true);
  await model.dispose();
});

test('weights that are no numbers are refused', async () => {
  const { dataStart } = openGguf(tiny);
  await expect(loadAndRun(tiny.slice().fill(0xff, dataStart))).rejects.toMatchObject({
    code: 'not_finite',
  });
});

test('after all of this a sound file loads', async () => {
  await loadAndRun(tiny);
});
