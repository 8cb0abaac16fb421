// SPDX-License-Identifier: MIT
// A small model guesses for another one: texts are what they are without it.
import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { makeModel } from '../../tools/make-model.mjs';
import { DEMO, linearModel, loadModel, otherModels, rejection } from './models.js';

const prompt = 'Once upon a time there was a fox who liked to sing, and a bear who did not.';
const small = () => makeModel({ shape: { layers: 1, fullAttentionInterval: 0 }, seed: '2' });
const hybrid = () => makeModel({ shape: { layers: 2, fullAttentionInterval: 2 } });
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 20 }, kind: { enum: ['fox', 'bear'] } },
  required: ['name', 'kind'],
  additionalProperties: false,
};

// A pass takes as long as any other by this clock, so that whatever may be guessed is. For the core, which
// looks at it in each pass to choose how it reads weights, it stands still.
let clock;
beforeAll(() => {
  let now = 0;
  const isCore = () => /\bwasm\b/.test(new Error().stack);
  clock = jest.spyOn(performance, 'now').mockImplementation(() => (isCore() ? now : now++));
});
afterAll(() => clock.mockRestore());

const load = (source, draft, options) => loadModel(source, { worker: false, draft, ...options });

/** A text, and how many pieces it came in. */
async function written(model, options) {
  const stream = model.generate(prompt, { maxTokens: 100, ignoreEos: true, ...options });
  let pieces = 0;
  for await (const _ of stream) pieces++;
  const { text, tokens, finishReason, stopString, logprobs } = await stream.result;
  return { result: { text, tokens, finishReason, stopString, logprobs }, pieces };
}

describe.each([
  ['itself', () => DEMO, () => DEMO],
  ['itself, with softmax layers', hybrid, hybrid],
  ['a smaller one', linearModel, small],
  ['one with softmax layers', small, hybrid],
  [
    'one whose state cannot be taken back',
    linearModel,
    () => otherModels.find(([name]) => name === 'mamba')[1](),
  ],
])('a model that is guessed by %s', (_name, make, makeDraft) => {
  let model;
  beforeAll(async () => {
    model = await load(make(), makeDraft());
  });
  afterAll(() => model.dispose());

  test.each([
    ['greedily', { temperature: 0 }],
    ['by a seed', { seed: 5 }],
    ['with penalties', { seed: 9, repetitionPenalty: 1.2, frequencyPenalty: 0.3 }],
    ['with log probabilities', { seed: 2, logprobs: 2 }],
    ['to a stop string', { seed: 3, stop: ['the', ' a', 'e'] }],
    ['held to a schema', { seed: 4, constraint: { type: 'json_schema', schema: SCHEMA } }],
  ])('writes the same %s', async (_how, options) => {
    for (const maxTokens of [3, 100]) {
      const off = await written(model, { ...options, maxTokens, speculate: false });
      const on = await written(model, { ...options, maxTokens });
      expect(on.result).toEqual(off.result);
    }
  });

  test('goes on, back and apart as without', async () => {
    const told = [];
    for (const speculate of [false, true]) {
      const how = { speculate, maxTokens: 12, temperature: 0, ignoreEos: true };
      const session = await model.createSession({ seed: 8 });
      const said = [await session.prompt('Sing!', how), await session.prompt('Sing again!', how)];
      const copy = await session.clone();
      await session.rewind(2);
      said.push(await session.prompt('Dance!', how), await copy.prompt('Sleep!', how));
      await copy.rewind(0);
      said.push(await copy.prompt('Wake up!', how));
      const restored = await model.restore(await session.save());
      said.push(await restored.prompt('Sing!', how));
      const bytes = [await session.save(), await copy.save()];
      told.push({ said, bytes });
      for (const text of [session, copy, restored]) text.destroy();
    }
    expect(told[1]).toEqual(told[0]);
  });

  test('beside other texts each has its own', async () => {
    const options = (seed) => ({ seed, maxTokens: 30, ignoreEos: true });
    const alone = [];
    for (const seed of [1, 2, 3]) {
      alone.push(await model.complete(prompt, { ...options(seed), speculate: false }));
    }
    const together = await Promise.all(
      [1, 2, 3].map((seed) => model.complete(prompt, options(seed))),
    );
    expect(together.map(({ tokens }) => tokens)).toEqual(alone.map(({ tokens }) => tokens));
  });
});

test.each([
  // Eight tokens of each, the first of which is alone, and one now and then; an end is not guessed.
  ['all linear', () => DEMO, 21],
  // Of random weights, which are never sure of many.
  ['with softmax layers', hybrid, 60],
])('a model that is guessed by itself, %s, needs few passes', async (_, make, most) => {
  const model = await load(make(), make());
  // What passes cost is found out first.
  for (let i = 0; i < 3; i++) await written(model, { temperature: 0 });
  const { pieces } = await written(model, { temperature: 0 });
  expect(pieces).toBeLessThan(most);
  await model.dispose();
});

test('what it takes is told, counted and given back', async () => {
  const [plain, model] = [await load(DEMO), await load(DEMO, readFileSync(DEMO))];
  const { draft, speculate } = model.facts;
  expect([plain.facts.draft, plain.facts.speculate, speculate]).toEqual([undefined, false, true]);
  expect(draft).toMatchObject({ architecture: 'qwen35', weightsBytes: plain.facts.weightsBytes });
  const before = await model.memory();
  expect(before.weightsBytes).toBe(model.facts.weightsBytes + draft.weightsBytes);
  const how = { maxTokens: 20, ignoreEos: true };
  const session = await model.createSession();
  await session.prompt('Sing!', { ...how, speculate: false });
  expect((await model.memory()).stateBytes).toBe(model.facts.stateBytes);
  await session.prompt('Sing!', how);
  const used = await model.memory();
  expect(used.stateBytes).toBe(model.facts.stateBytes + draft.stateBytes);
  const copy = await session.clone();
  expect((await model.memory()).stateBytes).toBe(2 * used.stateBytes);
  await copy[Symbol.asyncDispose]();
  await session[Symbol.asyncDispose]();
  const { heapInUse, ...rest } = await model.memory();
  expect(rest).toEqual({ ...before, heapInUse: undefined, heapBytes: rest.heapBytes });
  // What the first text leaves behind: its batch.
  expect(heapInUse - before.heapInUse).toBeLessThan(10_000);
  for (let i = 0; i < 5; i++) {
    const other = await model.createSession();
    await other.prompt('Sing!', how);
    await (await other.clone())[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    expect((await model.memory()).heapInUse).toBe(heapInUse);
  }
  await Promise.all([plain.dispose(), model.dispose()]);
});

test.each([undefined, 'f32', 'bf16', 'int8'])(
  'keeps keys and values as the model does (%s)',
  async (kv) => {
    const model = await load(hybrid(), hybrid(), { kv });
    expect(model.facts.draft.kvBytesPerToken).toBe(model.facts.kvBytesPerToken);
    await model.dispose();
  },
);

test('is heard while it reads a long prompt', async () => {
  const model = await load(small(), hybrid(), { batchTokens: 8 });
  const controller = new AbortController();
  const { signal } = controller;
  const stream = model.generate('la '.repeat(500), { signal, maxTokens: 40, ignoreEos: true });
  const ended = rejection(
    (async () => {
      for await (const _ of stream) setTimeout(() => controller.abort());
    })(),
  );
  expect((await ended).name).toBe('AbortError');
  await model.complete('la la', { maxTokens: 5 });
  await model.dispose();
});

describe('a draft that cannot be used', () => {
  test.each([
    [
      'of another vocabulary',
      () => linearModel(),
      'wrong_model',
      /another vocabulary: .*token \d+ is/,
    ],
    ['that is no model', () => new Uint8Array(100), 'invalid_header', /^the draft: /],
    ['that is not there', () => '/no/such/model.gguf', 'not_found', /^the draft: .*model\.gguf/],
    [
      'that ends early',
      () => readFileSync(DEMO).subarray(0, 9_000_000),
      'truncated',
      /^the draft: /,
    ],
  ])('%s is an error that says so', async (_name, make, code, message) => {
    const error = await rejection(load(DEMO, make()));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    const model = await load(DEMO, DEMO);
    expect((await model.complete('Once', { maxTokens: 4 })).tokens).toHaveLength(4);
    await model.dispose();
  });

  test('of another digest, or an option that there is not', async () => {
    const wrong = await rejection(load(DEMO, { source: DEMO, sha256: '0'.repeat(64) }));
    expect(wrong.code).toBe('integrity');
    const named = await rejection(load(DEMO, { source: DEMO, sha: '' }));
    expect(named.message).toBe('draft.sha is not an option; the nearest is draft.sha256');
  });
});
