// SPDX-License-Identifier: MIT
// What a prompt may be, what it is measured to take, and what is refused.
import {
  LanguageModelToolCall,
  LanguageModelToolError,
  LanguageModelToolSuccess,
  languageModelOf,
} from '../../dist/prompt-api.js';
import { makeModel } from '../../tools/make-model.mjs';
import { DEMO, loadModel, rejection } from '../api/models.js';

const GENERATION = { maxTokens: 3 };

let model;
let Bound;
beforeAll(async () => {
  model = await loadModel(DEMO);
  Bound = languageModelOf(model);
});
afterAll(() => model.dispose());

let session;
beforeEach(async () => {
  session = await Bound.create({ generation: GENERATION });
});
afterEach(() => session.destroy());

const user = (content) => ({ role: 'user', content });

describe('what is no text', () => {
  test.each([
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['an object', {}, '[object Object]'],
    ['a number', 12, '12'],
    ['an object that says what it is', { toString: () => 'a fox' }, 'a fox'],
  ])('is written as one: %s', async (_, input, text) => {
    const needed = await session.measureContextUsage(text);
    expect(await session.measureContextUsage(input)).toBe(needed);
    expect(await session.measureContextUsage([{ role: 'user', content: input ?? text }])).toBe(
      needed,
    );
    expect(await session.append(input)).toBeUndefined();
    expect(session.contextUsage).toBe(needed);
    expect(typeof (await session.prompt(input))).toBe('string');
    for await (const piece of session.promptStreaming(input)) expect(typeof piece).toBe('string');
  });

  test.each([
    ['a symbol', Symbol('x')],
    ['a message without a role', [{ content: 'x' }]],
    ['a message of nobody', [{ role: 'tool', content: 'x' }]],
    ['a message without content', [{ role: 'user' }]],
    ['a text among messages', ['x']],
    ['a part of no type', [user([{ value: 'x' }])]],
    ['a part of a type that does not exist', [user([{ type: 'soup', value: 'x' }])]],
    ['a part without a value', [user([{ type: 'text' }])]],
    ['bytes as a text', [user([{ type: 'text', value: new Uint8Array(1) }])]],
  ])('and no message is refused: %s', async (_, input) => {
    for (const call of ['prompt', 'append', 'measureContextUsage']) {
      expect((await rejection(session[call](input))).name).toBe('TypeError');
    }
  });

  test('is refused at once by streams, without a stream', () => {
    expect(() => session.promptStreaming([{ content: 'x' }])).toThrow(TypeError);
    expect(() => session.promptStreaming('x', { responseConstraint: 7 })).toThrow(TypeError);
    const reason = new Error('enough');
    expect(() => session.promptStreaming('x', { signal: AbortSignal.abort(reason) })).toThrow(
      reason,
    );
    session.destroy();
    expect(() => session.promptStreaming('x')).toThrow('destroyed');
  });

  test('ends, however long it is', async () => {
    const endless = {
      *[Symbol.iterator]() {
        for (;;) yield user('x');
      },
    };
    expect((await rejection(session.prompt(endless))).message).toMatch('65536 items');
  });
});

describe('a system message', () => {
  const system = { role: 'system', content: 'You are a bee.' };

  test('begins a conversation', async () => {
    await session.append([system, user('Hello')]);
    const other = await Bound.create({ initialPrompts: [system, user('Hello')] });
    expect(session.contextUsage).toBe(other.contextUsage);
    other.destroy();
  });

  test('comes nowhere else', async () => {
    for (const call of ['prompt', 'append']) {
      const twice = [
        [user('x'), system],
        [system, system],
      ];
      for (const input of twice) {
        expect((await rejection(session[call](input))).name).toBe('TypeError');
      }
    }
    const first = session.append('Hello');
    expect((await rejection(session.append([system]))).name).toBe('TypeError');
    await first;
    expect((await rejection(session.prompt([system]))).name).toBe('TypeError');
  });

  test('is measured as the first', async () => {
    const prompts = [system, user('Hello'), { role: 'assistant', content: 'Hi' }];
    const other = await Bound.create({ initialPrompts: prompts });
    expect(await other.measureContextUsage(prompts)).toBe(other.contextUsage);
    expect(await session.measureContextUsage(prompts)).toBe(other.contextUsage);
    other.destroy();
  });
});

describe('no messages', () => {
  test('add nothing', async () => {
    expect(await session.measureContextUsage([])).toBe(0);
    expect(await session.append([])).toBeUndefined();
    expect(session.contextUsage).toBe(0);
  });

  test('ask for an answer to what there is', async () => {
    const other = await Bound.create({ samplingMode: 'most-predictable', generation: GENERATION });
    const asked = await Bound.create({ samplingMode: 'most-predictable', generation: GENERATION });
    await other.append('Tell a story.');
    expect(await other.prompt([])).toBe(await asked.prompt('Tell a story.'));
    other.destroy();
    asked.destroy();
    expect(typeof (await session.prompt([]))).toBe('string');
    expect(await session.measureContextUsage([user([])])).toBe(
      await session.measureContextUsage(''),
    );
  });
});

test('what is measured is what is taken, and what an error asks for', async () => {
  const shape = { layers: 2, fullAttentionInterval: 2, contextLength: 192 };
  const small = await loadModel(makeModel({ shape }));
  const Small = languageModelOf(small);
  const other = await Small.create();
  const long = 'Once upon a time. '.repeat(100);
  const needed = await other.measureContextUsage(long);
  for (const call of ['append', 'prompt']) {
    const error = await rejection(other[call](long));
    expect([error.name, error.requested, error.quota]).toEqual(['QuotaExceededError', needed, 192]);
  }
  const error = await rejection(Small.create({ initialPrompts: [user(long)] }));
  expect([error.requested, error.quota]).toEqual([needed, 192]);
  // The whole window is taken, and the answer finds no room.
  let full = 'x';
  while ((await other.measureContextUsage(`${full}x`)) <= 192) full += 'x';
  const fits = await rejection(other.prompt(full));
  expect([fits.name, fits.requested]).toEqual(['QuotaExceededError', 193]);
  other.destroy();
  await small.dispose();
});

describe('what a response is held to', () => {
  const rating = {
    type: 'object',
    properties: { Rating: { type: 'integer', minimum: 0, maximum: 5 } },
    required: ['Rating'],
    additionalProperties: false,
  };
  const begin = (content) => [user('Hello'), { role: 'assistant', content, prefix: true }];
  const ask = (prefix, responseConstraint) => held.prompt(begin(prefix), { responseConstraint });

  let held;
  beforeEach(async () => {
    held = await Bound.create({ generation: { maxTokens: 100 } });
  });
  afterEach(() => held.destroy());

  test('counts what it begins with', async () => {
    for (const prefix of ['{', '{ "Rating": ', '{\n  "Rating" :\n']) {
      const { Rating } = JSON.parse(prefix + (await ask(prefix, rating)));
      expect(Number.isInteger(Rating) && Rating >= 0 && Rating <= 5).toBe(true);
    }
    expect(await ask('{"Rating":3}', rating)).toBe('');
    expect(`yes, it${await ask('yes, it', /yes, it (is|was)/)}`).toMatch(/^yes, it (is|was)$/);
  });

  test.each([
    ['invalid', rating],
    ['{"Rating": 1 2', rating],
    ['{"Rating": 9', rating],
    ['no', /yes|maybe/],
    ['x'.repeat(100_000), /x+/],
  ])('cannot begin so: %.20s', async (prefix, constraint) => {
    expect((await rejection(ask(prefix, constraint))).name).toBe('NotSupportedError');
  });

  test('must be an object that JSON can write', async () => {
    const circular = {};
    circular.self = circular;
    for (const [wanted, name] of [
      [circular, 'NotSupportedError'],
      [{ type: 'soup' }, 'NotSupportedError'],
      [null, 'TypeError'],
      ['{}', 'TypeError'],
    ]) {
      const error = await rejection(session.prompt('Hello', { responseConstraint: wanted }));
      expect(error.name).toBe(name);
    }
  });
});

describe('what a tool is asked and says', () => {
  const TOOLS = {
    expectedInputs: [{ type: 'tool-call' }, { type: 'tool-response' }],
    expectedOutputs: [{ type: 'tool-call' }],
  };
  const call = (more) => new LanguageModelToolCall({ callID: '1', name: 'lookup', ...more });
  const found = (...result) =>
    new LanguageModelToolSuccess({ callID: '1', name: 'lookup', result });
  const says = (role, type, value) => [{ role, content: [{ type, value }] }];

  let told;
  beforeEach(async () => {
    told = await Bound.create({ ...TOOLS, generation: GENERATION });
  });
  afterEach(() => told.destroy());

  test('is made of names', () => {
    expect(call()).toMatchObject({ callID: '1', name: 'lookup', arguments: {} });
    expect(() => new LanguageModelToolCall({ name: 'x' })).toThrow(TypeError);
    expect(() => new LanguageModelToolSuccess({ callID: '1', name: 'x' })).toThrow(TypeError);
    expect(() => found({ type: 'soup', value: 1 })).toThrow(TypeError);
    expect(() => new LanguageModelToolError({ callID: '1', name: 'x' })).toThrow(TypeError);
    const failed = { callID: '1', name: 'x', errorMessage: 7 };
    expect(new LanguageModelToolError(failed).errorMessage).toBe('7');
  });

  test('is refused where it is not what it should be', async () => {
    const circular = {};
    circular.self = circular;
    const text = (value) => says('user', 'tool-response', found({ type: 'text', value }));
    const object = (value) => says('user', 'tool-response', found({ type: 'object', value }));
    for (const [input, name] of [
      [says('user', 'tool-call', call()), 'TypeError'],
      [says('assistant', 'tool-response', found()), 'TypeError'],
      [says('assistant', 'tool-call', {}), 'TypeError'],
      [says('user', 'tool-response', call()), 'TypeError'],
      [says('user', 'text', call()), 'TypeError'],
      [says('assistant', 'tool-call', call({ arguments: [] })), 'DataError'],
      [says('assistant', 'tool-call', call({ arguments: null })), 'DataError'],
      [says('assistant', 'tool-call', call({ arguments: circular })), 'DataError'],
      [text(circular), 'DataError'],
      [text(() => {}), 'DataError'],
      [text(1n), 'DataError'],
      [object(new Blob([])), 'DataError'],
      [says('user', 'tool-response', found({ type: 'image', value: 1 })), 'NotSupportedError'],
    ]) {
      for (const method of ['prompt', 'append', 'measureContextUsage']) {
        expect((await rejection(told[method](input))).name).toBe(name);
      }
    }
  });

  test('is refused by a session that does not expect it', async () => {
    for (const input of [
      says('assistant', 'tool-call', call()),
      says('user', 'tool-response', found({ type: 'text', value: 'x' })),
    ]) {
      expect((await rejection(session.prompt(input))).name).toBe('NotSupportedError');
    }
  });
});
