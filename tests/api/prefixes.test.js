// SPDX-License-Identifier: MIT
// Texts that begin as others did go on from a kept state, and nobody can tell but by the time.
import { ModelError } from '../../dist/index.js';
import { makeModel } from '../../tools/make-model.mjs';
import { editModel } from './edit-model.js';
import { hybridModel, ids, linearModel, loadModel, rejection } from './models.js';

const GREEDY = { temperature: 0, maxTokens: 12, ignoreEos: true };
const SYSTEM = [{ role: 'system', content: 'You are brief, and you know all about foxes.' }];

/** What all tokens were drawn from: the same logits give the same numbers, to the bit. */
const drawn = { ...GREEDY, logprobs: 20 };

describe.each([
  ['linear', linearModel],
  ['hybrid', hybridModel],
])('a %s model', (_, make) => {
  let file;
  let plain;
  let model;
  beforeAll(async () => {
    file = make();
    plain = await loadModel(file);
  });
  beforeEach(async () => {
    model = await loadModel(file, { prefixes: true });
  });
  afterEach(() => model.dispose());
  afterAll(() => plain.dispose());

  const complete = async (from, prompt, options = drawn) => {
    const { text, tokens, logprobs, promptTokens, prefixTokens } = await from.complete(
      prompt,
      options,
    );
    return [{ text, tokens, logprobs, promptTokens }, prefixTokens];
  };

  test.each([1, 7, 64, 65, 100, 119, 120])(
    'a text of 120 tokens goes on from %d of them to the bit',
    async (count) => {
      const text = ids(120);
      const [expected, none] = await complete(plain, text);
      expect(none).toBe(0);
      const kept = await model.keepPrefix(text.slice(0, count));
      expect(kept).toMatchObject({ tokens: count, inMemory: true, stored: false });
      expect(await complete(model, text)).toEqual([expected, count]);
      // Those that only begin alike do not.
      const other = text.with(count - 1, (text[count - 1] + 1) % 250);
      expect(await complete(model, other)).toEqual([(await complete(plain, other))[0], 0]);
      expect((await complete(model, text.slice(0, count)))[1]).toBe(count);
      if (count > 1) expect((await complete(model, text.slice(0, count - 1)))[1]).toBe(0);
    },
  );

  test('the longest of several is taken, and only the rest is read', async () => {
    const text = ids(120);
    for (const count of [20, 90, 50]) await model.keepPrefix(text.slice(0, count));
    const reads = [];
    const stream = model.generate(text, { ...GREEDY, onPrefill: (read) => reads.push(read) });
    for await (const _ of stream);
    expect((await stream.result).prefixTokens).toBe(90);
    expect(reads).toEqual([{ tokens: 30, total: 30 }]);
    expect((await complete(model, text.slice(0, 89)))[1]).toBe(50);
    expect((await model.prefixes()).map(({ tokens }) => tokens)).toEqual([50, 90, 20]);
  });

  test('penalties see the tokens that were not read', async () => {
    const text = ids(60, 20);
    // Only what the text has too may be drawn.
    const logitBias = Object.fromEntries(ids(300, 20).map((id) => [id, 50]));
    const penalties = { repetitionPenalty: 3, frequencyPenalty: 2, penaltyWindow: 4096 };
    const options = { ...drawn, ...penalties, logitBias };
    const [expected] = await complete(plain, text, options);
    await model.keepPrefix(text.slice(0, 50));
    expect(await complete(model, text, options)).toEqual([expected, 50]);
    const [rest] = await complete(plain, text.slice(50), options);
    expect(rest.tokens).not.toEqual(expected.tokens);
    const [unpunished] = await complete(plain, text, { ...drawn, logitBias });
    expect(unpunished.tokens).not.toEqual(expected.tokens);
  });

  test('chats begin from it, whoever makes them, and draw the same', async () => {
    const talk = async (session) => {
      const said = [];
      for (const text of ['one', 'and two'])
        said.push(await session.prompt(text, { maxTokens: 8 }));
      return said;
    };
    const expected = await talk(await plain.createSession({ initialPrompts: SYSTEM, seed: 4 }));
    const { tokens } = await model.keepPrefix(SYSTEM);
    const reads = [];
    const session = await model.createSession({
      initialPrompts: SYSTEM,
      seed: 4,
      onPrefill: (read) => reads.push(read),
    });
    expect(session.contextUsage).toBe(tokens);
    expect(reads).toEqual([]);
    expect(await talk(session)).toEqual(expected);
    expect(session.stats.prefixTokens).toBe(0);
    const late = await model.createSession({ seed: 4 });
    await late.prompt([...SYSTEM, { role: 'user', content: 'one' }], { maxTokens: 8 });
    expect(late.stats.prefixTokens).toBe(tokens);
    expect(late.stats.timings.prefillTokensPerSecond).toBeGreaterThan(0);

    // Rewound to nothing, it goes on from there again; restored, it needs none.
    await session.rewind(1);
    expect(await talk(session)).toEqual(expected);
    const without = await model.createSession({ initialPrompts: SYSTEM, seed: 4, checkpoints: 0 });
    await without.prompt('never said', GREEDY);
    await without.rewind(1);
    expect(await talk(without)).toEqual(expected);
    const saved = await (await plain.createSession({ initialPrompts: SYSTEM, seed: 4 })).save();
    const restored = await model.restore(saved, { checkpoints: 0 });
    expect(await talk(restored)).toEqual(expected);
    await restored.rewind(1);
    expect(await talk(restored)).toEqual(expected);
    // Of what lies before the change, only what was not kept is read again.
    await restored.rewind(1);
    await restored.prompt('one', GREEDY);
    expect(restored.stats.prefixTokens).toBe(tokens);
    expect(restored.stats.rereadTokens).toBeLessThan(
      restored.stats.promptTokens.length - tokens + 1,
    );
  });

  test('keeping what is kept reads nothing', async () => {
    const reads = [];
    const onPrefill = (read) => reads.push(read);
    const first = await model.keepPrefix(ids(40), { onPrefill });
    expect(await model.keepPrefix(ids(40), { onPrefill })).toEqual(first);
    expect(await model.keepPrefix(Int32Array.from(ids(40)))).toEqual(first);
    await model.keepPrefix(ids(50), { onPrefill });
    expect(reads).toEqual([
      { tokens: 40, total: 40 },
      { tokens: 10, total: 10 },
    ]);
  });

  test('text is text, special tokens included, up to what may become another token', async () => {
    await model.keepPrefix('<|im_start|>user\nA:');
    const [, kept] = await complete(model, '<|im_start|>user\nA: hello');
    expect(kept).toBe(await model.countTokens('<|im_start|>user\nA:'));
    // In the vocabulary there is ' the', so the blank is not one by itself.
    const [open, whole] = [await model.tokenize('so '), await model.tokenize('so the')];
    expect(whole).not.toEqual(expect.arrayContaining(open));
    const { tokens } = await model.keepPrefix('so ');
    expect(tokens).toBeLessThan(open.length);
    expect((await complete(model, 'so the'))[1]).toBe(tokens);
  });

  test('listed, counted, bounded and forgotten', async () => {
    const prefixes = [ids(30, 250, 1), ids(30, 250, 2), ids(30, 250, 3)];
    const { bytes } = await model.keepPrefix(prefixes[0]);
    expect((await model.memory()).prefixBytes).toBe(bytes);
    const small = await loadModel(file, { prefixes: { memoryBytes: 2.5 * bytes } });
    const kept = async () =>
      Promise.all(prefixes.map(async (prefix) => (await complete(small, prefix))[1] > 0));
    await small.keepPrefix(prefixes[0]);
    await small.keepPrefix(prefixes[1]);
    // Used, it is not the first to go.
    expect((await complete(small, prefixes[0]))[1]).toBe(30);
    await small.keepPrefix(prefixes[2]);
    expect(await kept()).toEqual([true, false, true]);
    expect((await small.memory()).prefixBytes).toBe(2 * bytes);
    const list = await small.prefixes();
    expect(list).toHaveLength(2);
    for (const one of list) {
      expect(one).toEqual({ ...one, tokens: 30, bytes, inMemory: true, stored: false });
    }
    expect(await small.deletePrefix(list[0].id)).toBe(true);
    expect(await small.deletePrefix(list[0].id)).toBe(false);
    expect((await kept()).filter(Boolean)).toHaveLength(1);
    expect(await small.deletePrefix()).toBe(true);
    expect(await small.deletePrefix()).toBe(false);
    expect(await kept()).toEqual([false, false, false]);
    expect((await small.memory()).prefixBytes).toBe(0);
    await small.dispose();
  });

  test('what cannot be is said, and nothing stays behind', async () => {
    const { heapInUse } = await model.memory();
    for (const [prefix, kind] of [
      ['', RangeError],
      [[], RangeError],
      [[-1], RangeError],
      [[1, 0.5], RangeError],
      [[250_000], RangeError],
      [[{ role: 'nobody', content: 'x' }], TypeError],
      [[{ role: 'user' }], TypeError],
      [undefined, TypeError],
      [null, TypeError],
      [7, TypeError],
      [{}, TypeError],
    ]) {
      expect(await rejection(model.keepPrefix(prefix))).toBeInstanceOf(kind);
    }
    const aborted = model.keepPrefix(ids(10), { signal: AbortSignal.abort('early') });
    expect(await rejection(aborted)).toBe('early');
    expect(await rejection(model.keepPrefix('x', { onPrefill: 1 }))).toBeInstanceOf(TypeError);
    expect((await model.memory()).heapInUse).toBe(heapInUse);
    expect(await model.prefixes()).toEqual([]);
    for (const call of [plain.keepPrefix('x'), plain.prefixes(), plain.deletePrefix()]) {
      expect(await rejection(call)).toBeInstanceOf(TypeError);
    }
    const tiny = await loadModel(file, { prefixes: { memoryBytes: 100 } });
    const error = await rejection(tiny.keepPrefix(ids(10)));
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toMatch(/10 tokens takes \d+ bytes/);
    // Not after all has been read.
    const reads = [];
    const options = { onPrefill: (read) => reads.push(read) };
    expect(await rejection(tiny.keepPrefix(ids(10), options))).toBeInstanceOf(RangeError);
    expect(reads).toEqual([]);
    expect((await complete(tiny, ids(20)))[1]).toBe(0);
    await tiny.dispose();
  });
});

// With float32 weights: those of 8 bits round what they multiply, and make as much of the smallest
// difference as of a larger one.
test.each([
  ['linear', { layers: 3, fullAttentionInterval: 0 }],
  ['hybrid', { layers: 2, fullAttentionInterval: 2 }],
])('with fewer bits it is nearly the same, in fewer bytes (%s)', async (_, shape) => {
  const file = makeModel({ shape, type: 'f32' });
  const [bytes, best] = [{}, {}];
  for (const precision of ['f32', 'f16', 'int8']) {
    const model = await loadModel(file, { prefixes: { precision } });
    bytes[precision] = (await model.keepPrefix(ids(100))).bytes;
    const { logprobs, prefixTokens } = await model.complete(ids(120), drawn);
    expect(prefixTokens).toBe(100);
    best[precision] = new Map(
      logprobs[0].alternatives.map(({ token, logprob }) => [token, logprob]),
    );
    await model.dispose();
  }
  expect(bytes.f16 / bytes.f32).toBeCloseTo(0.5, 1);
  expect(bytes.int8 / bytes.f32).toBeCloseTo(0.28, 1);
  const error = (packed) => {
    const shared = [...best.f32].filter(([token]) => packed.has(token));
    expect(shared.length).toBeGreaterThan(15);
    return Math.max(...shared.map(([token, logprob]) => Math.abs(packed.get(token) - logprob)));
  };
  const [half, byte] = [error(best.f16), error(best.int8)];
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(0.002);
  expect(byte).toBeGreaterThan(half);
  expect(byte).toBeLessThan(0.03);
});

test('a template that wants a message of the user is kept up to its words', async () => {
  const template = `{%- if messages[-1].role != 'user' %}{{ raise_exception('no user') }}{% endif %}
{%- for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`;
  const changed = editModel(linearModel(), {
    set: { 'tokenizer.chat_template': ['string', template] },
  });
  const model = await loadModel(changed, { prefixes: true });
  const { tokens } = await model.keepPrefix(SYSTEM);
  const before = `<|im_start|>system\n${SYSTEM[0].content}<|im_end|>\n<|im_start|>user\n`;
  expect(tokens).toBe(await model.countTokens(before));
  const session = await model.createSession({ initialPrompts: SYSTEM });
  expect(session.contextUsage).toBe(0);
  for (const text of ['Hello', '1 + 1', 'été']) {
    const other = await model.createSession({ initialPrompts: SYSTEM });
    await other.prompt(text, GREEDY);
    expect(other.stats.prefixTokens).toBe(tokens);
  }
  await model.dispose();
});

test('options that cannot be kept are refused before anything is read', async () => {
  for (const [prefixes, kind] of [
    ['yes', TypeError],
    [7, TypeError],
    [{ memoryBytes: -1 }, RangeError],
    [{ memoryBytes: '1' }, TypeError],
    [{ storedBytes: Number.NaN }, RangeError],
    [{ precision: 'f8' }, TypeError],
  ]) {
    expect(await rejection(loadModel('nowhere.gguf', { prefixes }))).toBeInstanceOf(kind);
  }
  // Node has no storage.
  const error = await rejection(loadModel('nowhere.gguf', { prefixes: { storedBytes: 1e6 } }));
  expect(error).toBeInstanceOf(ModelError);
  expect(error.code).toBe('cache_unavailable');
});
