// SPDX-License-Identifier: MIT
// Measured: the small story model's logits differ by 0.3 to 1.3 % from those of the same weights in
// float32, its perplexity by 0.05 %; a random model of one layer differs by 1.5 to 2.2 %, by 2.4 to 3.1 %
// where 256 columns of activations share a scale, as they do in llama.cpp. All of it is the rounding of
// activations to eight bits: it is the same for every type of either kind (tests/formats/formats_test.cc
// has it to 1e-6).
import { readFileSync } from 'node:fs';
import { makeModel, twin } from '../../tools/make-model.mjs';
import { requantise } from '../../tools/requantise.mjs';
import { DEMO, demoReference, goldenPath, ids, loadModel, relativeError } from './models.js';

/** Runs `use` with a model and its float32 twin. */
async function withTwin(file, use) {
  const stored = await loadModel(file);
  const float = await loadModel(twin(file));
  try {
    await use(stored, float);
  } finally {
    await stored.dispose();
    await float.dispose();
  }
}

test('the small story model in Q4_0 predicts text as well as its weights in float32 do', async () => {
  const text = readFileSync(goldenPath(`demo/${demoReference.perplexity.text}`), 'utf8');
  const excerpt = text.slice(0, 4400);
  await withTwin(requantise({ input: DEMO, type: 'q4_0' }), async (stored, float) => {
    const found = await stored.perplexity(excerpt, { context: 512 });
    const wanted = await float.perplexity(excerpt, { context: 512 });
    expect(found.scored).toBe(2 * 511);
    expect(Math.abs(found.perplexity / wanted.perplexity - 1)).toBeLessThan(0.005);
    // The weights of four bits are not those of eight.
    expect(wanted.perplexity).toBeGreaterThan(1.2);
  });
});

test.each(['q4_0', 'q4_1', 'q5_0', 'q5_1', 'iq4_nl'])(
  'the small story model in %s has the logits of its weights in float32',
  async (type) => {
    await withTwin(requantise({ input: DEMO, type }), async (stored, float) => {
      for (const prompt of demoReference.prompts) {
        const tokens = [...prompt.ids, ...prompt.greedy];
        const found = await stored.logits(tokens, { all: true });
        const error = relativeError(found, await float.logits(tokens, { all: true }));
        expect(error).toBeLessThan(0.015);
        expect(error).toBeGreaterThan(0);
      }
      expect(stored.facts.weightsBytes).toBeLessThan(0.25 * float.facts.weightsBytes);
    });
  },
);

// Measured: logits differ by 2.4 to 2.8 %, perplexity by 0.06 %.
test('the small story model requantised to qc8 predicts text as well as its weights in float32 do', async () => {
  const text = readFileSync(goldenPath(`demo/${demoReference.perplexity.text}`), 'utf8');
  const excerpt = text.slice(0, 4400);
  const file = twin(readFileSync(DEMO));
  const float = await loadModel(file);
  const qc8 = await loadModel(file, { weights: 'qc8' });
  for (const prompt of demoReference.prompts) {
    const tokens = [...prompt.ids, ...prompt.greedy];
    const found = await qc8.logits(tokens, { all: true });
    const error = relativeError(found, await float.logits(tokens, { all: true }));
    expect(error).toBeLessThan(0.04);
    expect(error).toBeGreaterThan(0);
  }
  const found = await qc8.perplexity(excerpt, { context: 512 });
  const wanted = await float.perplexity(excerpt, { context: 512 });
  expect(Math.abs(found.perplexity / wanted.perplexity - 1)).toBeLessThan(0.005);
  expect(qc8.facts.weightsBytes).toBeLessThan(0.27 * float.facts.weightsBytes);
  await qc8.dispose();
  await float.dispose();
});

describe.each([
  ['gated delta', 0],
  ['softmax attention', 1],
])('a random model of one layer of %s', (_name, fullAttentionInterval) => {
  const shape = { base: 'tiny-256', layers: 1, fullAttentionInterval };
  const tokens = ids(100, 512);

  test.each(['f32', 'f16', 'bf16'])(
    'computes in %s exactly as with the same weights in float32',
    async (type) => {
      await withTwin(makeModel({ shape, type }), async (stored, float) => {
        const found = await stored.logits(tokens, { all: true });
        expect(relativeError(found, await float.logits(tokens, { all: true }))).toBe(0);
      });
    },
  );

  test.each([
    ['q8_0', 8.5],
    ['q4_0', 4.5],
    ['q4_1', 5],
    ['q5_0', 5.5],
    ['q5_1', 6],
    ['q4_k', 4.5],
    ['q5_k', 5.5],
    ['q6_k', 6.5625],
    ['q2_k', 3.125],
    ['q3_k', 3.5625],
    ['iq4_nl', 4.5],
    ['iq4_xs', 4.3125],
    ['mxfp4', 4.5],
    ['q4_k_m', 5],
  ])('has in %s the logits of the same weights in float32', async (type, bits) => {
    await withTwin(makeModel({ shape, type }), async (stored, float) => {
      const found = await stored.logits(tokens, { all: true });
      const error = relativeError(found, await float.logits(tokens, { all: true }));
      expect(error).toBeLessThan(/_k|_xs/.test(type) ? 0.035 : 0.025);
      expect(error).toBeGreaterThan(0);
      // Norms and convolutions stay in float32; the head of some mixes is finer.
      const parameters = float.facts.weightsBytes / 4;
      expect(stored.facts.weightsBytes).toBeLessThan((parameters * (bits + 1.2)) / 8);
    });
  });
});

describe('weights that are quantised while they load', () => {
  const tokens = ids(60, 512);
  const shapes = {
    'whole superblocks': { base: 'tiny-256', layers: 2, fullAttentionInterval: 2 },
    'rows that are none': { base: 'tiny', layers: 2, fullAttentionInterval: 2 },
    'a head of its own': { base: 'tiny-256', layers: 1, fullAttentionInterval: 0, tied: false },
  };

  async function outcome(file, options) {
    const model = await loadModel(file, options);
    try {
      const logits = Array.from(await model.logits(tokens, { all: true }));
      return { logits, weightsBytes: model.facts.weightsBytes };
    } finally {
      await model.dispose();
    }
  }

  test.each(
    ['q8_0', 'q4_0', 'q4_k'].flatMap((weights) => [
      ...['f32', 'bf16', 'q8_0'].map((type) => [weights, type, 'whole superblocks']),
      ...Object.keys(shapes).map((shape) => [weights, 'f16', shape]),
    ]),
  )(
    'to %s from %s, %s: to the bit those of a file that was quantised before',
    async (weights, type, shape) => {
      const file = makeModel({ shape: shapes[shape], type });
      const found = await outcome(file, { weights });
      const before = requantise({ input: file, type: weights, pure: true });
      expect(found).toEqual(await outcome(before));
      if (type !== weights) {
        expect(found.logits).not.toEqual((await outcome(file)).logits);
      }
    },
  );

  // 68 MB of single precision; the heap of the stored model holds them all.
  test('the heap holds the quantised weights, never the file', async () => {
    const file = twin(readFileSync(DEMO));
    const heap = async (weights) => {
      const model = await loadModel(file, { weights, threads: 1 });
      const { heapBytes } = await model.memory();
      const { weightsBytes } = model.facts;
      await model.dispose();
      return { weightsBytes, besides: heapBytes - weightsBytes };
    };
    const stored = await heap('stored');
    const quantised = await heap('q4_0');
    expect(quantised.weightsBytes).toBeLessThan(0.16 * stored.weightsBytes);
    // What a heap grows by at a time.
    expect(quantised.besides).toBeLessThan(stored.besides + 8e6);
  });

  test.each([
    ['q4_0', 'q4_k'],
    ['q4_k', 'q4_0'],
    ['q5_k', 'q8_0'],
    ['q2_k', 'q4_k'],
  ])('%s has no more bits than %s and stays', async (type, weights) => {
    const file = makeModel({ shape: shapes['whole superblocks'], type, pure: true });
    expect(await outcome(file, { weights })).toEqual(await outcome(file));
  });
});

test('the same weights in another type have other logits', async () => {
  const shape = { base: 'tiny-256', layers: 1, fullAttentionInterval: 0 };
  const file = makeModel({ shape, type: 'f32' });
  const tokens = ids(50, 512);
  const coarse = await loadModel(requantise({ input: file, type: 'q4_0' }));
  const fine = await loadModel(file);
  const error = relativeError(await coarse.logits(tokens), await fine.logits(tokens));
  // So the limits above are below what a wrong type costs.
  expect(error).toBeGreaterThan(0.05);
  await coarse.dispose();
  await fine.dispose();
});
