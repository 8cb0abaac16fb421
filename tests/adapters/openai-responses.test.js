// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { createClient, createFetch } from '../../dist/openai.js';
import { DEMO, loadModel, rejection } from '../api/models.js';
import { GREEDY, openai, TOOLS as tools } from './openai-asked.js';
import { brieflyThinkingModel } from './thinking-model.js';

const [dice, weather] = tools;

const CALL = {
  ...{ model: 'any', input: 'Roll a die!', tools, tool_choice: 'required' },
  ...{ parallel_tool_calls: false, seed: 1, temperature: 1.5, max_output_tokens: 300 },
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

async function collect(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

const resultsOf = ({ output }) =>
  output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '5' }));

describe.each([
  ['ours', () => ours.responses],
  ["OpenAI's", () => theirs.responses],
])('%s', (_, client) => {
  const create = (params, options) => client().create({ ...GREEDY, ...params }, options);

  test('answers', async () => {
    const metadata = { from: 'a test' };
    const found = await create({ instructions: 'Be kind.', metadata });
    const session = await model.createSession({ temperature: 0 });
    const wanted = await session.prompt(
      [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: GREEDY.input },
      ],
      { maxTokens: 8 },
    );
    session.destroy();
    expect(found).toMatchObject({
      id: expect.stringMatching(/^resp_\w{20,}$/),
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: wanted,
      model: 'story-17m-linear-q8_0',
      ...{ instructions: 'Be kind.', temperature: 0, top_p: null, metadata, error: null },
      output: [
        {
          type: 'message',
          role: 'assistant',
          id: expect.stringMatching(/^msg_\w{20,}$/),
          status: 'incomplete',
          content: [{ type: 'output_text', text: wanted, annotations: [] }],
        },
      ],
    });
    expect(Math.abs(found.created_at - Date.now() / 1000)).toBeLessThan(60);
    const { input_tokens, output_tokens, total_tokens } = found.usage;
    expect([output_tokens, total_tokens]).toEqual([8, input_tokens + 8]);
    const items = [
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'input_text', text: GREEDY.input }] },
    ];
    expect((await create({ input: items })).output_text).toBe(wanted);
  });

  test('streams the same, in numbered events', async () => {
    const whole = await create();
    const events = await collect(await create({ stream: true }));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.length).toBeGreaterThan(4);
    const others = events.filter(({ type }) => type !== 'response.output_text.delta');
    expect(others.map(({ type }) => type)).toEqual([
      ...['response.created', 'response.in_progress'],
      ...['response.output_item.added', 'response.content_part.added'],
      ...['response.output_text.done', 'response.content_part.done', 'response.output_item.done'],
      'response.incomplete',
    ]);
    const [created, , added, , textDone, partDone, itemDone, last] = others;
    expect(created.response).toMatchObject({ status: 'in_progress', output: [] });
    expect(added.item).toMatchObject({ status: 'in_progress', content: [] });
    expect(deltas.map(({ delta }) => delta).join('')).toBe(whole.output_text);
    expect([textDone.text, partDone.part.text]).toEqual([whole.output_text, whole.output_text]);
    expect(last.response.output).toEqual([itemDone.item]);
    expect(new Set([created, last].map(({ response }) => response.id)).size).toBe(1);
    const places = [...deltas, textDone, partDone];
    for (const { item_id, output_index, content_index } of places) {
      expect([item_id, output_index, content_index]).toEqual([added.item.id, 0, 0]);
    }
  });

  test('goes on from a response that is kept, reading only what is new', async () => {
    const instructions = 'Be kind.';
    const made = jest.spyOn(model, 'createSession').mockClear();
    let previous = await create({ ...CALL, instructions });
    expect(made).toHaveBeenCalledTimes(1);
    for (const tool_choice of ['required', 'none']) {
      const next = await create({
        ...CALL,
        ...{ instructions, tool_choice, previous_response_id: previous.id },
        input: resultsOf(previous),
        max_output_tokens: tool_choice === 'none' ? 8 : 300,
      });
      // Calls may be read again: they are rendered with other spaces than the model has written.
      const { cached_tokens } = next.usage.input_tokens_details;
      expect(cached_tokens).toBeGreaterThanOrEqual(previous.usage.input_tokens);
      expect(next.previous_response_id).toBe(previous.id);
      previous = next;
    }
    expect(made).toHaveBeenCalledTimes(1);
    made.mockRestore();
    expect(previous.output.map(({ type }) => type)).toEqual(['message']);
  });

  test('goes on from a text without reading a token of it again', async () => {
    const first = await create();
    const cached = first.usage.total_tokens - 1;
    const on = { previous_response_id: first.id, input: 'More.', seed: undefined };
    const more = await create(on);
    expect(more.usage.input_tokens_details.cached_tokens).toBe(cached);
    // The session has gone on, but the response can still be gone on from, in another way.
    const other = await create(on);
    expect(other.usage.input_tokens).toBe(more.usage.input_tokens);
    expect(other.usage.input_tokens_details.cached_tokens).toBeGreaterThanOrEqual(cached);
    // And the first way from where it has come to.
    const last = await create({ previous_response_id: more.id, input: 'And?' });
    expect(last.usage.input_tokens_details.cached_tokens).toBe(more.usage.total_tokens - 1);
  });

  test('goes on from items that are sent back', async () => {
    const first = await create({ ...CALL, store: false });
    const input = [{ role: 'user', content: CALL.input }, ...first.output, ...resultsOf(first)];
    const next = { ...CALL, input, tool_choice: 'none', max_output_tokens: 4 };
    const { usage } = await create(next);
    const { cached_tokens } = usage.input_tokens_details;
    expect(cached_tokens).toBeGreaterThanOrEqual(first.usage.input_tokens);
    // What belongs to one answer is one message.
    const made = jest.spyOn(model, 'createSession').mockClear();
    const call = (call_id) => ({
      type: 'function_call',
      call_id,
      name: 'weather',
      arguments: '{}',
    });
    const result = (call_id) => ({ type: 'function_call_output', call_id, output: 'sunny' });
    const said = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I' }],
    };
    await create({
      ...next,
      instructions: 'Be kind.',
      input: [
        ...[
          { role: 'system', content: 'Be short.' },
          { role: 'user', content: 'Hi' },
        ],
        { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }], summary: [] },
        ...[said, call('a'), call('b'), result('a')],
        { ...result('b'), output: [{ type: 'input_text', text: 'rainy' }] },
        ...[said, said],
        { role: 'user', content: 'And?' },
      ],
    });
    const session = await made.mock.results.at(-1).value;
    made.mockRestore();
    const weatherCall = (id) => ({ id, name: 'weather', arguments: {} });
    const told = { role: 'tool', name: 'weather' };
    expect((await session.messages()).slice(0, 8)).toEqual([
      { role: 'system', content: 'Be kind.\n\nBe short.' },
      { role: 'user', content: 'Hi' },
      {
        ...{ role: 'assistant', content: 'I', reasoning: 'Hm.' },
        toolCalls: [weatherCall('a'), weatherCall('b')],
      },
      { ...told, content: 'sunny', toolCallId: 'a' },
      { ...told, content: 'rainy', toolCallId: 'b' },
      { role: 'assistant', content: 'I' },
      { role: 'assistant', content: 'I' },
      { role: 'user', content: 'And?' },
    ]);
  });

  test('calls tools, and tells of their arguments', async () => {
    const whole = await create({ ...CALL, max_output_tokens: 300 });
    const [call] = whole.output;
    expect(whole.output).toHaveLength(1);
    expect(call).toMatchObject({ type: 'function_call', status: 'completed' });
    expect(call.call_id).toMatch(/^call_\d+$/);
    const events = await collect(await create({ ...CALL, max_output_tokens: 300, stream: true }));
    const of = (name) => events.filter(({ type }) => type === `response.${name}`);
    const deltas = of('function_call_arguments.delta').map(({ delta }) => delta);
    expect(deltas.join('')).toBe(call.arguments);
    const [done] = of('function_call_arguments.done');
    expect(done).toMatchObject({ name: call.name, arguments: call.arguments, output_index: 0 });
    expect(of('output_item.added')[0].item).toMatchObject({ arguments: '', name: call.name });
    expect(of('completed')[0].response.output[0].arguments).toBe(call.arguments);
    const named = { ...CALL, tool_choice: { type: 'function', name: 'weather' } };
    expect((await create(named)).output[0].name).toBe('weather');
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ ...weather }] };
    expect((await create({ ...CALL, tool_choice: allowed })).output[0].name).toBe('weather');
    const cut = await create({
      ...CALL,
      max_output_tokens: 30,
      tool_choice: { ...named.tool_choice, name: 'dice' },
    });
    expect(cut.status).toBe('incomplete');
    expect(cut.output.at(-1).status).toBe('incomplete');
  });

  test('is held to a format, which the model is shown', async () => {
    const schema = {
      ...dice.parameters,
      properties: { sides: { type: 'integer', enum: [6, 20] } },
    };
    const format = { type: 'json_schema', name: 'die', strict: true, schema };
    const found = await create({ text: { format }, max_output_tokens: 60 });
    expect([6, 20]).toContain(JSON.parse(found.output_text).sides);
    expect(found.text).toEqual({ format });
    const object = await create({ text: { format: { type: 'json_object' } } });
    expect(object.output_text).toMatch(/^\s*\{/);
  });

  test('ends with its signal and its controller, and when its loop is left', async () => {
    const long = { max_output_tokens: 500, temperature: 1, seed: 1 };
    const controller = new AbortController();
    const answer = rejection(create(long, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 30);
    expect((await answer).message).toMatch(/abort/i);
    const stream = await create({ ...long, stream: true });
    let heard = 0;
    for await (const _ of stream) if (++heard === 6) stream.controller.abort();
    expect(heard).toBeLessThan(12);
    for await (const _ of await create({ ...long, stream: true })) break;
    expect((await create()).status).toBe('incomplete');
  });
});

describe("OpenAI's helpers", () => {
  const sides = z.object({ sides: z.int().min(2).max(100) });
  const rolls = zodResponsesFunction({ name: 'dice', parameters: sides });

  test('parse what is held to a schema, arguments and answers', async () => {
    const called = await theirs.responses.parse({ ...CALL, tools: [rolls] });
    expect(sides.safeParse(called.output[0].parsed_arguments).success).toBe(true);
    const format = zodTextFormat(sides, 'die');
    const answered = await theirs.responses.parse({
      ...GREEDY,
      max_output_tokens: 60,
      text: { format },
    });
    expect(sides.safeParse(answered.output_parsed).success).toBe(true);
  });

  test('put events together', async () => {
    const stream = theirs.responses.stream({ ...CALL, tools: [rolls] });
    const snapshots = [];
    stream.on('response.function_call_arguments.delta', ({ snapshot }) => snapshots.push(snapshot));
    const { output, status } = await stream.finalResponse();
    expect(status).toBe('completed');
    expect(snapshots.length).toBeGreaterThan(4);
    expect(output[0].arguments).toBe(snapshots.at(-1));
    expect(sides.safeParse(output[0].parsed_arguments).success).toBe(true);
    const told = theirs.responses.stream(GREEDY);
    let text = '';
    told.on('response.output_text.delta', ({ delta }) => {
      text += delta;
    });
    expect((await told.finalResponse()).output_text).toBe(text);
  });

  test('speak HTTP', async () => {
    const ask = (path, init) => createFetch(model)(`http://model.invalid/v1${path}`, init);
    const body = JSON.stringify({ ...GREEDY, stream: true });
    const events = await ask('/responses', { method: 'POST', body });
    expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const [name, data] = (await events.text()).split('\n');
    expect(name).toBe('event: response.created');
    expect(JSON.parse(data.slice(6)).type).toBe('response.created');
    expect((await ask('/responses', { method: 'PUT', body: '{}' })).status).toBe(404);
  });
});

describe('of a model that thinks', () => {
  let thinker;
  beforeAll(async () => {
    thinker = await loadModel(brieflyThinkingModel());
  });
  afterAll(() => thinker.dispose());
  const format = { type: 'json_schema', name: 'die', schema: dice.parameters };
  const asked = { model: '-', input: 'Hi', seed: 7, max_output_tokens: 2000, text: { format } };

  test('the thought is an item of its own, which can be sent back', async () => {
    const { responses } = openai(createFetch(thinker));
    const whole = await responses.create(asked);
    const [thought, message] = whole.output;
    expect([thought.type, message.type]).toEqual(['reasoning', 'message']);
    expect(thought.content).toEqual([{ type: 'reasoning_text', text: expect.stringMatching(/./) }]);
    const { reasoning_tokens } = whole.usage.output_tokens_details;
    expect(reasoning_tokens).toBeGreaterThan(4);
    const stream = responses.stream(asked);
    let text = '';
    stream.on('response.reasoning_text.delta', ({ delta }) => {
      text += delta;
    });
    expect((await stream.finalResponse()).output[0].content[0].text).toBe(text);
    expect(text).toBe(thought.content[0].text);
    const input = [
      { role: 'user', content: 'Hi' },
      ...whole.output,
      { role: 'user', content: 'So?' },
    ];
    const made = jest.spyOn(thinker, 'createSession');
    const next = await responses.create({ ...asked, input, reasoning: { effort: 'none' } });
    // Whether it thinks is part of what was read.
    expect(made).toHaveBeenCalledTimes(1);
    made.mockRestore();
    expect(next.output.map(({ type }) => type)).toEqual(['message']);
    expect(next.usage.output_tokens_details.reasoning_tokens).toBe(0);
  });
});
