// SPDX-License-Identifier: MIT
// Keys and values in fewer bytes: what a text takes, how it goes on, and with what it can be saved.
import { inspectModel } from '../../dist/index.js';
import { hybridModel, loadModel, rejection } from './models.js';

const file = hybridModel();
const TYPES = ['f32', 'bf16', 'int8'];
// Over two pages, and of no run of the same token.
const prompt = Array.from({ length: 150 }, (_, i) => 3 + ((i * i) % 61));
const greedy = { temperature: 0, maxTokens: 24, ignoreEos: true };

async function withModel(kv, use, options = {}) {
  const model = await loadModel(file, { kv, ...options });
  try {
    return await use(model);
  } finally {
    await model.dispose();
  }
}

test('a text takes what inspection and the facts say, in bf16 half and in int8 less', async () => {
  const found = {};
  for (const kv of TYPES) {
    const { memory } = await inspectModel(file, { kv });
    await withModel(kv, async (model) => {
      expect(model.facts.kvBytesPerToken).toBe(memory.kvBytesPerToken);
      const { memory: used } = await model.complete(prompt.slice(0, 60), {
        ...greedy,
        maxTokens: 3,
      });
      expect(used.kvBytes).toBe(64 * memory.kvBytesPerToken);
      found[kv] = memory.kvBytesPerToken;
    });
  }
  expect(found.bf16).toBe(found.f32 / 2);
  expect(found.int8).toBeLessThan(found.bf16);
});

test('bf16 is the default of quantised weights, and logits of all are near to each other', async () => {
  const logits = {};
  for (const kv of [undefined, ...TYPES]) {
    logits[kv ?? 'default'] = await withModel(kv, (model) => model.logits(prompt));
  }
  expect(logits.default).toEqual(logits.bf16);
  const size = Math.hypot(...logits.f32);
  for (const [kv, limit] of [
    ['bf16', 0.01],
    ['int8', 0.03],
  ]) {
    const off = Math.hypot(...logits[kv].map((x, i) => x - logits.f32[i])) / size;
    expect(off).toBeGreaterThan(0);
    expect(off).toBeLessThan(limit);
  }
});

test('f32 is the default of weights that are floats, unless they are requantised', async () => {
  const floats = hybridModel({ type: 'f16' });
  const taken = async (options) => (await inspectModel(floats, options)).memory.kvBytesPerToken;
  expect(await taken()).toBe(await taken({ kv: 'f32' }));
  expect(await taken({ weights: 'q8_0' })).toBe(await taken({ kv: 'bf16' }));
});

describe.each(TYPES)('a session in %s', (kv) => {
  const turn = ['Tell me of a fox, and of what it does all day in the forest.', greedy];

  test.each(['f32', 'f16', 'int8'])('saved as %s goes on', async (precision) => {
    await withModel(kv, async (model) => {
      const session = await model.createSession({ seed: 1 });
      await session.prompt(...turn);
      const bytes = await session.save({ precision });
      const [clone, restored] = [await session.clone(), await model.restore(bytes)];
      const answer = await clone.prompt('And then?', greedy);
      const again = await restored.prompt('And then?', greedy);
      if (precision === 'f32') expect(again).toBe(answer);
      // Pages that hold other numbers than floats are saved as they are.
      const twice = await (await model.restore(bytes)).save({ precision });
      expect(twice).toEqual(bytes);
    });
  });

  test('is refused, in clear words, by a model that keeps them otherwise', async () => {
    const bytes = await withModel(kv, async (model) => {
      const session = await model.createSession({ seed: 1 });
      await session.prompt(...turn);
      return session.save();
    });
    for (const other of TYPES.filter((type) => type !== kv)) {
      await withModel(other, async (model) => {
        const error = await rejection(model.restore(bytes));
        expect(error.code).toBe('wrong_model');
        expect(error.message).toContain(`kv '${kv}'`);
        expect(error.message).toContain(`kv '${other}'`);
        // What is in its place is an empty session, and the model goes on.
        await model.complete('Hi', { ...greedy, maxTokens: 2 });
      });
    }
  });

  test('begins from a kept prefix as if it had been read', async () => {
    const text = 'Once upon a time there was a fox who lived in a hole under an old tree. ';
    const plain = await withModel(kv, (model) => model.complete(`${text}It`, greedy));
    await withModel(
      kv,
      async (model) => {
        await model.keepPrefix(text);
        const found = await model.complete(`${text}It`, greedy);
        expect(found.prefixTokens).toBeGreaterThan(0);
        expect(found.tokens).toEqual(plain.tokens);
      },
      { prefixes: true },
    );
  });
});

test('a type that does not exist is refused', async () => {
  for (const kv of ['q8_0', 'BF16', null, 16]) {
    const error = await rejection(loadModel(file, { kv }));
    expect(error.name).toBe('TypeError');
    expect(error.message).toContain('kv must be one of f32, bf16, int8');
  }
});
