// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { createClient, createFetch } from '../../dist/openai.js';
import { DEMO, loadModel, rejection } from '../api/models.js';
import { forcing } from './forced-calls.js';
import { DICE as dice, openai } from './openai-asked.js';
import { brieflyThinkingModel } from './thinking-model.js';

const tools = [
  { type: 'function', function: dice },
  { type: 'function', function: { name: 'weather' } },
];
const messages = [{ role: 'user', content: 'Roll a die!' }];
const one = (name) => ({ type: 'function', function: { name } });
// Two calls, one after the other.
const ASK = {
  ...{ messages, tools, model: 'story' },
  ...{ seed: 2, temperature: 1.5, max_completion_tokens: 400 },
};

let model;
let ours;
let theirs;
beforeAll(async () => {
  model = await loadModel(DEMO);
  ours = createClient(model);
  theirs = openai(createFetch(model));
});
afterAll(() => model.dispose());

const results = (message) => [
  message,
  ...message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '5' })),
];

describe.each([
  ['ours', () => ours],
  ["OpenAI's", () => theirs],
])('%s', (_, client) => {
  const create = (params) => client().chat.completions.create({ ...ASK, ...params });

  test('calls tools with arguments of their schemas', async () => {
    for (const seed of [1, 3]) {
      const { choices, usage } = await create({ seed, tool_choice: 'required' });
      const [{ message, finish_reason }] = choices;
      expect([message.role, message.content, finish_reason]).toEqual([
        'assistant',
        null,
        'tool_calls',
      ]);
      expect(message.tool_calls.length).toBeGreaterThan(0);
      for (const call of message.tool_calls) {
        expect(call.type).toBe('function');
        const given = JSON.parse(call.function.arguments);
        if (call.function.name === 'weather') expect(given).toEqual({});
        else expect(given).toEqual({ sides: expect.any(Number) });
      }
      expect(usage.completion_tokens_details).toEqual({ reasoning_tokens: 0 });
    }
  });

  test('streams the same: a call is named, then come its arguments', async () => {
    const asked = { tool_choice: 'required', logprobs: true };
    const whole = (await create(asked)).choices[0];
    const calls = [];
    let last;
    for await (const { choices } of await create({ ...asked, stream: true })) {
      [last] = choices;
      for (const { index, id, type, function: part } of last.delta.tool_calls ?? []) {
        if (id) calls.push({ id, type, function: { ...part } });
        else calls[index].function.arguments += part.arguments;
        expect(calls).toHaveLength(index + 1);
      }
    }
    expect(calls).toEqual(whole.message.tool_calls);
    expect(last.finish_reason).toBe('tool_calls');
    expect(last.logprobs).toEqual(whole.logprobs);
    const written = whole.logprobs.content.map(({ token }) => token).join('');
    for (const call of calls) expect(written).toContain(call.function.arguments);
  });

  test('is chosen for', async () => {
    for (const [choice, wanted] of [
      [one('weather'), ['weather']],
      [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [one('weather')] } }],
    ]) {
      const { choices } = await create({ tool_choice: choice });
      const names = choices[0].message.tool_calls.map((call) => call.function.name);
      if (wanted) expect(names).toEqual(wanted);
      expect(new Set(names)).toEqual(new Set(['weather']));
    }
    const none = await create({ tool_choice: 'none', max_completion_tokens: 8 });
    expect(none.choices[0].message.tool_calls).toBeUndefined();
    expect(none.choices[0].message.content.length).toBeGreaterThan(4);
  });

  test('calls once where calls may not be parallel', async () => {
    const count = async (seed, parallel_tool_calls) => {
      const { choices } = await create({ seed, tool_choice: 'required', parallel_tool_calls });
      return choices[0].message.tool_calls.length;
    };
    const several = [2, 0, 6, 7];
    while ((await count(several[0], true)) === 1) several.shift();
    expect(several.length).toBeGreaterThan(0);
    expect(await count(several[0], false)).toBe(1);
  });

  test('goes on from what tools gave, reading only that', async () => {
    const made = jest.spyOn(model, 'createSession').mockClear();
    const cached = async (params) => {
      const { usage } = await create({ tool_choice: 'none', max_completion_tokens: 4, ...params });
      return usage.prompt_tokens_details.cached_tokens;
    };
    const first = await create({ tool_choice: 'required' });
    const asked = first.usage.prompt_tokens;
    const session = await made.mock.results[0].value;
    const more = [...messages, ...results(first.choices[0].message)];
    // Calls may be read again: they are rendered with other spaces than the model has written.
    expect(await cached({ messages: more })).toBeGreaterThanOrEqual(asked);
    // Another history: the question alone is held.
    const [call] = first.choices[0].message.tool_calls;
    const [, { content, ...told }] = results({ tool_calls: [call] });
    const other = [
      ...messages,
      { role: 'assistant', tool_calls: [{ ...call, function: { ...call.function } }] },
      { ...told, content: [{ type: 'text', text: content }] },
    ];
    expect(await cached({ messages: other })).toBeGreaterThanOrEqual(asked - 1);
    expect(made).toHaveBeenCalledTimes(1);
    const { name } = call.function;
    expect((await session.messages()).slice(1, 3)).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: call.id, name, arguments: JSON.parse(call.function.arguments) }],
      },
      { role: 'tool', content: '5', toolCallId: call.id, name },
    ]);
    // Other tools, another conversation.
    expect(await cached({ messages: more, tools: [tools[0]] })).toBe(0);
    expect(made).toHaveBeenCalledTimes(2);
    made.mockRestore();
  });

  test('makes several choices of one prompt, which is read once', async () => {
    const asked = { tool_choice: 'required', n: 2 };
    const both = await create(asked);
    for (const [i, { message, finish_reason }] of both.choices.entries()) {
      const alone = await create({ ...asked, n: 1, seed: ASK.seed + i });
      expect(finish_reason).toBe('tool_calls');
      expect(alone.choices[0].message).toEqual(message);
      expect(alone.usage.prompt_tokens).toBe(both.usage.prompt_tokens);
    }
  });

  test('a call that is cut short is none', async () => {
    const { choices } = await create({ tool_choice: one('dice'), max_completion_tokens: 30 });
    expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } });
    expect(choices[0].message.tool_calls).toBeUndefined();
  });

  const call = (given, name = 'dice') => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: given } }],
  });
  const result = { role: 'tool', tool_call_id: 'a', content: '5' };
  const said = 'messages[1].tool_calls[0].function.arguments';
  test.each([
    [{ tools: [{ type: 'custom', custom: { name: 'f' } }] }, 'tools[0].type'],
    [{ tools: [{ type: 'function' }] }, 'tools[0]'],
    [{ tools: [tools[0], tools[0]] }, 'tools'],
    [{ tools: [one('a b')] }, 'tools'],
    [{ tools: [{ ...one('f'), function: { name: 'f', parameters: { type: 'array' } } }] }, 'tools'],
    [{ tool_choice: 'sometimes' }, 'tool_choice'],
    [{ tool_choice: one('other') }, 'tool_choice'],
    [{ tool_choice: 'required', tools: [] }, 'tool_choice'],
    [{ tool_choice: { type: 'custom', custom: { name: 'f' } } }, 'tool_choice'],
    [{ parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    [{ messages: [...messages, call('{"sides": '), result] }, said],
    [{ messages: [...messages, call('[2]'), result] }, said],
    [
      { messages: [...messages, call('{}'), { ...result, tool_call_id: 'b' }] },
      'messages[2].tool_call_id',
    ],
    [{ messages: [{ role: 'function', name: 'dice', content: '5' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'assistant', content: null }] }, 'messages[0].content'],
  ])('refuses %j', async (wrong, param) => {
    for (const stream of [false, true]) {
      const error = await rejection(create({ ...wrong, stream }));
      expect([error.status, error.type, error.param]).toEqual([
        400,
        'invalid_request_error',
        param,
      ]);
      expect(error.code).toMatch(/^(invalid_value|unsupported_parameter)$/);
    }
  });
});

describe("OpenAI's helpers", () => {
  const given = [];
  const sides = z.object({ sides: z.int().min(2).max(100) });
  const rolls = zodFunction({
    name: 'dice',
    description: 'Rolls a die.',
    parameters: sides,
    function: (parsed) => {
      given.push(parsed);
      return { rolled: 2 };
    },
  });
  const city = z.object({ city: z.enum(['Rome', 'Oslo']) });
  const weather = zodFunction({
    name: 'weather',
    parameters: city,
    function: (parsed) => {
      given.push(parsed);
      return 'sunny';
    },
  });

  // The small story model would tell a story: what it has to call is chosen for it, turn by turn.
  test.each([false, true])('run tools to the end (streamed: %s)', async (stream) => {
    given.length = 0;
    const fetch = forcing(createFetch(model), [one('dice'), one('weather'), 'none']);
    const runner = openai(fetch).chat.completions.runTools({
      ...ASK,
      max_completion_tokens: 200,
      parallel_tool_calls: false,
      stop: '.',
      tools: [rolls, weather],
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    });
    const heard = [];
    runner.on('functionToolCall', ({ name }) => heard.push(name));
    const text = await runner.finalContent();
    expect(heard).toEqual(['dice', 'weather']);
    expect(sides.safeParse(given[0]).success).toBe(true);
    expect(city.safeParse(given[1]).success).toBe(true);
    expect(text.length).toBeGreaterThan(10);
    const roles = runner.messages.map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
    const { total_tokens } = await runner.totalUsage();
    expect(total_tokens).toBeGreaterThan(300);
  });

  test('parse what is held to a schema, arguments and answers', async () => {
    const called = await theirs.chat.completions.parse({
      ...ASK,
      tools: [rolls],
      tool_choice: one('dice'),
    });
    const [call] = called.choices[0].message.tool_calls;
    expect(sides.safeParse(call.function.parsed_arguments).success).toBe(true);
    const answered = await theirs.chat.completions.parse({
      ...ASK,
      tools: undefined,
      response_format: zodResponseFormat(city, 'city'),
    });
    expect(city.safeParse(answered.choices[0].message.parsed).success).toBe(true);
  });

  test('hear arguments as they are written', async () => {
    const stream = theirs.chat.completions.stream({
      ...ASK,
      tools: [rolls],
      tool_choice: one('dice'),
    });
    const [deltas, done] = [[], []];
    stream.on('tool_calls.function.arguments.delta', (event) => deltas.push(event));
    stream.on('tool_calls.function.arguments.done', (event) => done.push(event));
    const { choices } = await stream.finalChatCompletion();
    expect(deltas.length).toBeGreaterThan(4);
    expect(done).toHaveLength(1);
    expect(done[0].arguments).toBe(deltas.at(-1).arguments);
    expect(choices[0].message.tool_calls[0].function.arguments).toBe(done[0].arguments);
  });

  test('end in the middle of a call', async () => {
    const stream = await theirs.chat.completions.create({
      ...ASK,
      tool_choice: 'required',
      stream: true,
    });
    let heard = 0;
    for await (const { choices } of stream) {
      if (choices[0].delta.tool_calls && ++heard === 3) stream.controller.abort();
    }
    expect(heard).toBeLessThan(8);
    const next = await theirs.chat.completions.create({ ...ASK, tool_choice: one('weather') });
    expect(next.choices[0].finish_reason).toBe('tool_calls');
  });
});

describe('of a model that thinks', () => {
  let thinker;
  let client;
  beforeAll(async () => {
    thinker = await loadModel(brieflyThinkingModel());
    client = openai(createFetch(thinker));
  });
  afterAll(() => thinker.dispose());
  const city = { type: 'object', properties: { city: { enum: ['Rome', 'Oslo'] } } };
  const schema = { ...city, required: ['city'], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'city', schema } };
  const asked = { model: '-', messages, seed: 7, max_completion_tokens: 2000, response_format };
  const create = (params) => client.chat.completions.create({ ...asked, ...params });

  test('the thought stands apart, and is counted', async () => {
    const { choices, usage } = await create();
    const [{ message }] = choices;
    expect(['Rome', 'Oslo']).toContain(JSON.parse(message.content).city);
    expect(message.reasoning_content.length).toBeGreaterThan(4);
    const { reasoning_tokens } = usage.completion_tokens_details;
    expect(reasoning_tokens).toBeGreaterThan(4);
    expect(reasoning_tokens).toBeLessThan(usage.completion_tokens);
    const streamed = { content: '', reasoning_content: '' };
    for await (const { choices } of await create({ stream: true })) {
      const [{ delta }] = choices;
      for (const key of Object.keys(streamed)) streamed[key] += delta[key] ?? '';
    }
    const { content, reasoning_content } = message;
    expect(streamed).toEqual({ content, reasoning_content });
  });

  test('an effort of none leaves it out', async () => {
    const { choices, usage } = await create({ reasoning_effort: 'none' });
    expect(choices[0].message.reasoning_content).toBeUndefined();
    expect(usage.completion_tokens_details.reasoning_tokens).toBe(0);
    const low = await create({ reasoning_effort: 'low', max_completion_tokens: 3 });
    expect(low.usage.completion_tokens_details.reasoning_tokens).toBe(3);
  });

  test('a conversation goes on whether or not its thoughts are sent back', async () => {
    for (const isSent of [true, false]) {
      const first = await create();
      const { reasoning_content, ...rest } = first.choices[0].message;
      const message = isSent ? { ...rest, reasoning_content } : rest;
      const more = [...messages, message, { role: 'user', content: 'More.' }];
      const made = jest.spyOn(thinker, 'createSession');
      const { usage } = await create({ messages: more });
      expect(made).not.toHaveBeenCalled();
      made.mockRestore();
      // The template leaves past thoughts out: what lies before the answer is held.
      const { cached_tokens } = usage.prompt_tokens_details;
      expect(cached_tokens).toBeGreaterThan(first.usage.prompt_tokens / 2);
    }
    client = createClient(thinker);
    const made = jest.spyOn(thinker, 'createSession').mockClear();
    const first = await create();
    const session = await made.mock.results[0].value;
    made.mockRestore();
    const changed = { ...first.choices[0].message, reasoning_content: 'Something else.' };
    await create({ messages: [...messages, changed, messages[0]] });
    expect((await session.messages()).at(-3).reasoning).toBe('Something else.');
  });
});
