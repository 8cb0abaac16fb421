// SPDX-License-Identifier: MIT
import { inspectModel } from '../../dist/index.js';
import { collect, linearModel, loadModel, rejection } from './models.js';

let model;
let session;
beforeAll(async () => {
  model = await loadModel(linearModel());
  session = await model.createSession();
});
afterAll(() => model.dispose());

// Objects of the test's realm and of the package's compare by name.
const outcome = async (call) => {
  try {
    await call();
    return 'accepted';
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

const OPTIONS = {
  temperature: { types: ['1', null, true, {}], ranges: [-0.1, NaN, Infinity], good: [0, 0.5, 2] },
  topK: { types: ['1', null], ranges: [-1, 1.5, NaN, Infinity], good: [0, 1, 1e6] },
  topP: { types: ['1', null], ranges: [0, -1, 1.01, NaN], good: [1e-9, 0.5, 1] },
  minP: { types: ['1', null], ranges: [-0.01, 1.01, NaN], good: [0, 0.5, 1] },
  repetitionPenalty: { types: ['1', null], ranges: [0, -1, NaN, Infinity], good: [0.5, 1, 3] },
  frequencyPenalty: { types: ['1', null], ranges: [NaN, Infinity], good: [-2, 0, 2] },
  presencePenalty: { types: ['1', null], ranges: [NaN, -Infinity], good: [-2, 0, 2] },
  penaltyWindow: { types: ['1', null], ranges: [-1, 0.5, 4097], good: [0, 64, 4096] },
  logitBias: {
    types: ['1', null, 5, [1, 2], new Map([[1, 2]]), { 1: '2' }, { 1: null }],
    ranges: [{ '-1': 1 }, { 1.5: 1 }, { word: 1 }, { 512: 1 }, { 1: NaN }, { 1: Infinity }],
    good: [{}, { 3: 5 }, { 3: -Infinity, 511: -1 }],
  },
  seed: { types: ['1', null, 1n], ranges: [-1, 0.5, 2 ** 53, NaN], good: [0, 1, 2 ** 53 - 1] },
  maxTokens: { types: ['1', null], ranges: [0, -1, 1.5, NaN, -Infinity], good: [1, 2] },
  stop: {
    types: [1, null, [1], ['a', null], {}],
    ranges: ['', ['a', '']],
    good: ['a', [], ['a', 'b']],
  },
  logprobs: { types: ['1', null, true], ranges: [-1, 21, 0.5, NaN], good: [0, 20] },
  ignoreEos: { types: ['yes', null, 1], ranges: [], good: [true, false] },
  onPrefill: { types: ['yes', null, {}], ranges: [], good: [() => {}] },
};

// A session's own options leave out those of a single text.
const OF_TEXT = ['maxTokens', 'stop', 'logprobs', 'ignoreEos'];

const CALLS = {
  'model.generate': (options) => collect(model.generate('Hi', { maxTokens: 2, ...options })),
  'model.complete': (options) => model.complete('Hi', { maxTokens: 2, ...options }),
  'session.prompt': (options) => session.prompt('Hi', { maxTokens: 2, ...options }),
  'session.promptStreaming': (options) =>
    collect(session.promptStreaming('Hi', { maxTokens: 2, ...options })),
  'model.createSession': async (options) =>
    (await model.createSession(options))[Symbol.asyncDispose](),
};

describe.each(Object.keys(CALLS))('%s', (call) => {
  const names = Object.keys(OPTIONS).filter(
    (name) => call !== 'model.createSession' || !OF_TEXT.includes(name),
  );

  test.each(names)('rejects %s of the wrong type, and names it', async (name) => {
    for (const value of OPTIONS[name].types) {
      const found = await outcome(() => CALLS[call]({ [name]: value }));
      expect([value, found]).toEqual([value, expect.stringMatching(`^TypeError: .*${name}`)]);
    }
  });

  test.each(names)('rejects %s out of range, and names it', async (name) => {
    for (const value of OPTIONS[name].ranges) {
      const found = await outcome(() => CALLS[call]({ [name]: value }));
      expect([value, found]).toEqual([value, expect.stringMatching(`^RangeError: .*${name}`)]);
    }
  });

  test.each(names)('takes %s, and undefined as if it were not there', async (name) => {
    for (const value of [undefined, ...OPTIONS[name].good]) {
      expect([value, await outcome(() => CALLS[call]({ [name]: value }))]).toEqual([
        value,
        'accepted',
      ]);
    }
  });

  test('rejects options and a signal that are none', async () => {
    expect(await outcome(() => CALLS[call]({ signal: {} }))).toMatch(/^TypeError: .*signal/);
    expect(await outcome(() => CALLS[call]({ signal: 5 }))).toMatch(/^TypeError: .*signal/);
  });
});

test.each([null, 5, 'fast'])('options of %p are a TypeError', async (options) => {
  for (const call of [
    () => collect(model.generate('Hi', options)),
    () => model.complete('Hi', options),
    () => session.prompt('Hi', options),
    () => collect(session.promptStreaming('Hi', options)),
  ]) {
    expect([String(call), await outcome(call)]).toEqual([
      String(call),
      expect.stringMatching(/^TypeError: options/),
    ]);
  }
});

test('options of null are a TypeError everywhere', async () => {
  for (const call of [
    () => session.append('Hi', null),
    () => model.createSession(null),
    () => model.logits([1], null),
    () => model.perplexity('Hello', null),
    () => model.tokenize('Hello', null),
    () => model.detokenize([1], null),
    () => inspectModel(linearModel(), null),
  ]) {
    expect([String(call), await outcome(call)]).toEqual([
      String(call),
      expect.stringMatching(/^TypeError: /),
    ]);
  }
});

test('options given as undefined are the defaults', async () => {
  const seed = 77;
  const plain = await collect(model.generate([1, 2, 3], { seed, maxTokens: 30 }));
  const all = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, undefined]));
  const same = await collect(model.generate([1, 2, 3], { ...all, seed, maxTokens: 30 }));
  const written = await collect(
    model.generate([1, 2, 3], {
      temperature: 0.8,
      topK: 40,
      topP: 0.95,
      minP: 0.05,
      repetitionPenalty: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
      penaltyWindow: 64,
      logitBias: {},
      stop: [],
      ignoreEos: false,
      seed,
      maxTokens: 30,
    }),
  );
  expect(same.tokens).toEqual(plain.tokens);
  expect(written.tokens).toEqual(plain.tokens);
});

describe('messages', () => {
  const BAD = [
    [5, /^TypeError: .*input/],
    [null, /^TypeError: .*input/],
    [undefined, /^TypeError: .*input/],
    [{ role: 'user', content: 'Hi' }, /^TypeError: .*input/],
    [['Hi'], /^TypeError: message 0 .*role/],
    [[null], /^TypeError: message 0 .*role/],
    [[{ role: 'robot', content: 'Hi' }], /^TypeError: message 0 .*role/],
    [[{ role: 'user', content: 5 }], /^TypeError: message 0 .*content/],
    [[{ role: 'user', content: 'Hi' }, { role: 'user' }], /^TypeError: message 1 .*content/],
  ];
  test.each(BAD)('%j are refused', async (input, wanted) => {
    const { contextUsage } = session;
    expect(await outcome(() => session.prompt(input))).toMatch(wanted);
    expect(await outcome(() => collect(session.promptStreaming(input)))).toMatch(wanted);
    expect(await outcome(() => session.append(input))).toMatch(wanted);
    if (input !== undefined) {
      expect(await outcome(() => model.createSession({ initialPrompts: input }))).toMatch(wanted);
    }
    expect(session.contextUsage).toBe(contextUsage);
  });

  test('may come from every role, and be empty', async () => {
    const own = await model.createSession({
      initialPrompts: ['system', 'user', 'assistant', 'tool'].map((role) => ({
        role,
        content: '',
      })),
    });
    await own.prompt('', { maxTokens: 1 });
    await own.append([]);
    expect(own.contextUsage).toBeGreaterThan(10);
    own.destroy();
  });

  test('thinking must be a boolean', async () => {
    for (const thinking of ['yes', 1, null]) {
      const found = await outcome(() => model.createSession({ thinking }));
      expect(found).toMatch(/^TypeError: .*thinking/);
    }
    for (const thinking of [true, false, undefined]) {
      (await model.createSession({ thinking })).destroy();
    }
  });
});

describe('texts and tokens', () => {
  test.each([5, null, undefined, {}, [65]])('a text of %p is refused', async (text) => {
    for (const call of [() => model.tokenize(text), () => model.perplexity(text)]) {
      expect(await outcome(call)).toMatch(/^TypeError: text/);
    }
    const wanted = Array.isArray(text) ? /^TypeError: message 0/ : /^TypeError: text/;
    expect(await outcome(() => model.countTokens(text))).toMatch(wanted);
  });

  test.each([5, null, undefined, 'text', {}])('tokens of %p are refused', async (tokens) => {
    for (const call of [() => model.logits(tokens), () => model.detokenize(tokens)]) {
      expect(await outcome(call)).toMatch(/^TypeError: tokens/);
    }
    if (tokens !== 'text') {
      expect(await outcome(() => collect(model.generate(tokens)))).toMatch(/^TypeError: prompt/);
    }
  });

  test.each([[[-1]], [[512]], [[1, 0.5]], [['1']], [[NaN]], [[null]], [[1n]]])(
    'tokens of %p are out of range',
    async (tokens) => {
      for (const call of [
        () => model.logits(tokens),
        () => model.detokenize(tokens),
        () => collect(model.generate(tokens)),
      ]) {
        expect(await outcome(call)).toMatch(/^RangeError: (tokens|prompt)/);
      }
    },
  );

  test('logits want tokens', async () => {
    expect(await outcome(() => model.logits([]))).toMatch(/^RangeError: tokens/);
    const row = await model.logits([1]);
    const [typed, all] = [
      await model.logits(Int32Array.of(1)),
      await model.logits([1], { all: true }),
    ];
    expect(row).toHaveLength(512);
    expect([...typed]).toEqual([...row]);
    expect(all).toHaveLength(512);
  });

  test.each([1, 0, -5, 2.5, NaN, Infinity, '512', null])(
    'a perplexity context of %p is out of range',
    async (context) => {
      const found = await outcome(() => model.perplexity('Hello there', { context }));
      expect(found).toMatch(/^(Type|Range)Error: context/);
    },
  );

  test('perplexity of a text that is shorter than a window is a RangeError', async () => {
    expect(await outcome(() => model.perplexity('Hello', { context: 100 }))).toMatch(
      /^RangeError: .*100/,
    );
    expect(await outcome(() => model.perplexity('', { context: 2 }))).toMatch(/^RangeError/);
    const progress = await outcome(() => model.perplexity('Hello', { context: 2, onProgress: 5 }));
    expect(progress).toMatch(/^TypeError: .*onProgress/);
  });
});

describe('loadModel', () => {
  const bytes = linearModel();
  test.each([
    [{ onProgress: 5 }, /^TypeError: .*onProgress/],
    [{ signal: {} }, /^TypeError: .*signal/],
    [{ sha256: 'abc' }, /^(Type|Range)Error: .*sha256/],
    [{ sha256: 5 }, /^TypeError: .*sha256/],
    [{ worker: true }, /^TypeError: .*[Ww]orker/],
    [{ worker: './worker.js' }, /^TypeError: .*[Ww]orker/],
    [{ wasm: { build: 'fast' } }, /^TypeError: .*build/],
    [{ cache: 'yes' }, /^TypeError: .*cache/],
    ...['q8', 8, null].map((wrong) => [{ weights: wrong }, /^TypeError: .*weights/]),
    ...['2', null, true].flatMap((wrong) => [
      [{ threads: wrong }, /^TypeError: .*threads/],
      [{ batchTokens: wrong }, /^TypeError: .*batchTokens/],
    ]),
    ...[0, -1, 1.5, 2 ** 32, NaN].flatMap((wrong) => [
      [{ threads: wrong }, /^RangeError: .*threads/],
      [{ batchTokens: wrong }, /^RangeError: .*batchTokens/],
    ]),
    [{ threads: 65 }, /^RangeError: .*threads.*64/],
    [{ batchTokens: 2049 }, /^RangeError: .*batchTokens.*2048/],
  ])('refuses %j', async (options, wanted) => {
    expect(await outcome(() => loadModel(bytes, options))).toMatch(wanted);
  });

  test.each([undefined, null, 5, true, {}, [], [5]])('refuses %p as a source', async (source) => {
    expect(await outcome(() => loadModel(source))).toMatch(/^(Type|Range)Error: .*(model|source)/);
    expect(await outcome(() => inspectModel(source))).toMatch(
      /^(Type|Range)Error: .*(model|source)/,
    );
  });

  test('inspection refuses weights of no known form', async () => {
    const refused = await outcome(() => inspectModel(bytes, { weights: 'int8' }));
    expect(refused).toMatch(/^TypeError: .*weights/);
  });

  test('takes options that are undefined', async () => {
    const other = await loadModel(bytes, {
      onProgress: undefined,
      signal: undefined,
      cache: undefined,
      sha256: undefined,
      worker: undefined,
      weights: undefined,
      threads: undefined,
      batchTokens: undefined,
    });
    expect(other.vocabSize).toBe(512);
    await other.dispose();
  });

  test('a callback that throws ends the load with what it throws', async () => {
    const mine = new Error('mine');
    const throwing = () => {
      throw mine;
    };
    expect(await rejection(loadModel(bytes, { onProgress: throwing }))).toBe(mine);
  });
});
