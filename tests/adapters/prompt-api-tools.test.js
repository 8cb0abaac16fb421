// SPDX-License-Identifier: MIT
// Calls of tools, by the small story model, which is made to call one wherever it is asked to.
import { jest } from '@jest/globals';
import { Model, Session } from '../../dist/index.js';
import {
  LanguageModelToolCall,
  LanguageModelToolError,
  LanguageModelToolSuccess,
  languageModelOf,
} from '../../dist/prompt-api.js';
import { DEMO, loadModel, rejection } from '../api/models.js';

const CALL = 'Call!';
const WEATHER = {
  name: 'get_weather',
  description: 'Gets the weather.',
  inputSchema: {
    type: 'object',
    properties: { location: { enum: ['Seattle'] } },
    required: ['location'],
  },
};

const { respond } = Session.prototype;
let model;
let Bound;
/** The messages of every answer that may call. */
let asked;
beforeAll(async () => {
  model = await loadModel(DEMO);
  Bound = languageModelOf(model);
});
beforeEach(() => {
  asked = [];
  jest.spyOn(Session.prototype, 'respond').mockImplementation(function (messages, options) {
    asked.push(messages);
    const isTold = messages.some(({ content }) => content.includes(CALL));
    const toolChoice = isTold ? 'required' : 'none';
    return respond.call(this, messages, { ...options, toolChoice, parallelToolCalls: false });
  });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => model.dispose());

const create = (tools, options) =>
  Bound.create({
    tools,
    samplingMode: 'most-predictable',
    generation: { maxTokens: 60 },
    expectedInputs: [{ type: 'tool-call' }, { type: 'tool-response' }],
    expectedOutputs: [{ type: 'tool-call' }],
    ...options,
  });

const says = (type, value) => [
  { role: type === 'tool-call' ? 'assistant' : 'user', content: [{ type, value }] },
];

describe('a call', () => {
  test('is part of an answer, which goes on from what came of it', async () => {
    const session = await create([WEATHER]);
    const answer = await session.prompt(CALL);
    const calls = answer.filter(({ type }) => type === 'tool-call');
    expect(calls.length).toBe(1);
    const [{ value: call }] = calls;
    expect(call).toBeInstanceOf(LanguageModelToolCall);
    expect(call).toMatchObject({ name: 'get_weather', arguments: { location: 'Seattle' } });
    expect(call.callID).toMatch(/./);
    const found = new LanguageModelToolSuccess({
      callID: call.callID,
      name: call.name,
      result: [
        { type: 'text', value: 'Rain' },
        { type: 'object', value: { degrees: 9 } },
        { type: 'text', value: [1, 'two'] },
      ],
    });
    const used = session.contextUsage;
    expect(await session.measureContextUsage(says('tool-response', found))).toBeGreaterThan(5);
    expect(typeof (await session.prompt(says('tool-response', found)))).toBe('string');
    expect(session.contextUsage).toBeGreaterThan(used);
    expect(asked.at(-1)).toEqual([
      {
        role: 'tool',
        content: 'Rain\n{"degrees":9}\n[1,"two"]',
        toolCallId: call.callID,
        name: 'get_weather',
      },
    ]);
    session.destroy();
  });

  test('is a piece of a stream, and of what a copy answers', async () => {
    const session = await create([WEATHER]);
    const copy = await session.clone();
    for (const one of [session, copy]) {
      const pieces = [];
      for await (const piece of one.promptStreaming(CALL)) pieces.push(piece);
      expect(pieces.at(-1)).toMatchObject({ type: 'tool-call', value: { name: 'get_weather' } });
      expect(pieces.slice(0, -1).every((piece) => typeof piece === 'string')).toBe(true);
      one.destroy();
    }
  });

  test('that failed is told of as an error', async () => {
    const session = await create([WEATHER]);
    const failed = { callID: 'a', name: 'get_weather', errorMessage: 'no network' };
    await session.append(says('tool-call', new LanguageModelToolCall(failed)));
    const response = new LanguageModelToolError(failed);
    const [message] = says('tool-response', response);
    message.content.push({ type: 'text', value: 'Go on.' });
    await session.prompt([message]);
    expect(asked.at(-1)).toEqual([
      { role: 'tool', content: 'Error: no network', toolCallId: 'a', name: 'get_weather' },
      { role: 'user', content: 'Go on.' },
    ]);
    session.destroy();
  });

  test('can be part of what a session begins with', async () => {
    const spy = jest.spyOn(Model.prototype, 'createSession');
    const filters = { cities: ['Paris', 'Tokyo'] };
    const values = [
      { callID: 'a', name: 'get_weather', arguments: { filters } },
      { callID: 'b', name: 'get_weather' },
    ].map((init) => ({ type: 'tool-call', value: new LanguageModelToolCall(init) }));
    const content = [{ type: 'text', value: 'I look.' }, ...values];
    const session = await create([WEATHER], { initialPrompts: [{ role: 'assistant', content }] });
    const [{ tools, initialPrompts }] = spy.mock.calls.at(-1);
    expect(tools).toEqual([
      {
        name: 'get_weather',
        description: 'Gets the weather.',
        parameters: WEATHER.inputSchema,
      },
    ]);
    expect(initialPrompts).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        toolCalls: [
          { id: 'a', name: 'get_weather', arguments: { filters } },
          { id: 'b', name: 'get_weather', arguments: {} },
        ],
      },
    ]);
    session.destroy();
  });

  test('is no beginning of an answer', async () => {
    const session = await create([WEATHER]);
    const [message] = says('tool-call', new LanguageModelToolCall({ callID: 'a', name: 'b' }));
    const error = await rejection(session.prompt([{ ...message, prefix: true }]));
    expect(error.name).toBe('SyntaxError');
    session.destroy();
  });
});

describe('a tool that can be run', () => {
  const running = (execute) => ({ ...WEATHER, execute });

  test('is run, and the answer goes on', async () => {
    const execute = jest.fn(async () => 'Rain');
    const session = await create([running(execute)]);
    expect(typeof (await session.prompt(CALL))).toBe('string');
    expect(execute.mock.calls).toEqual([[{ location: 'Seattle' }]]);
    expect(asked.length).toBe(2);
    expect(asked[1]).toMatchObject([{ role: 'tool', content: 'Rain', name: 'get_weather' }]);
    session.destroy();
  });

  test('is told of as an error where it throws', async () => {
    const execute = () => {
      throw new Error('no network');
    };
    const session = await create([running(execute)]);
    expect(typeof (await session.prompt(CALL))).toBe('string');
    expect(asked[1]).toMatchObject([{ role: 'tool', content: 'Error: no network' }]);
    session.destroy();
  });

  test('is left when the signal fires', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const execute = () => {
      queueMicrotask(() => controller.abort(reason));
      return new Promise(() => {});
    };
    const session = await create([running(execute)]);
    const { signal } = controller;
    expect(await rejection(session.prompt(CALL, { signal }))).toBe(reason);
    expect(typeof (await session.prompt('Hello'))).toBe('string');
    session.destroy();
  });

  test('is not run for ever', async () => {
    // A model that never stops asking.
    jest.spyOn(Session.prototype, 'respond').mockImplementation(async function* () {
      yield { type: 'tool-call', id: 'a', name: 'get_weather', arguments: {} };
    });
    const execute = jest.fn(() => 'Rain');
    const session = await create([running(execute)]);
    const answer = await session.prompt(CALL);
    expect(execute).toHaveBeenCalledTimes(16);
    expect(answer.at(-1).value.name).toBe('get_weather');
    session.destroy();
  });

  test('is asked for where another one cannot be run', async () => {
    const execute = jest.fn();
    const other = { ...WEATHER, name: 'get_traffic' };
    const session = await create([running(execute), other]);
    const answer = await session.prompt(CALL);
    expect(answer.at(-1).type).toBe('tool-call');
    expect(execute).not.toHaveBeenCalled();
    session.destroy();
    const wrong = rejection(create([{ ...WEATHER, execute: 'x' }]));
    expect((await wrong).name).toBe('TypeError');
  });
});
