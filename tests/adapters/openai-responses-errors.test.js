// SPDX-License-Identifier: MIT
import { APIError, createClient, createFetch } from '../../dist/openai.js';
import { DEMO, hybridModel, loadModel, rejection } from '../api/models.js';
import { GREEDY, openai, TOOLS as tools } from './openai-asked.js';

const [dice] = tools;

let model;
let ours;
let theirs;
beforeAll(async () => {
  model = await loadModel(DEMO);
  ours = createClient(model);
  theirs = openai(createFetch(model));
});
afterAll(() => model.dispose());

describe.each([
  ['ours', () => ours.responses],
  ["OpenAI's", () => theirs.responses],
])('%s', (_, client) => {
  const create = (params) => client().create({ ...GREEDY, ...params });

  test('keeps responses until they are deleted', async () => {
    const { id, output_text } = await create();
    expect(await client().retrieve(id)).toMatchObject({ id, output_text });
    expect((await rejection(client().cancel(id))).status).toBe(400);
    await client().delete(id);
    const { id: unkept } = await create({ store: false });
    for (const gone of [id, unkept]) {
      for (const method of ['retrieve', 'delete', 'cancel']) {
        expect((await rejection(client()[method](gone))).status).toBe(404);
      }
      const error = await rejection(create({ previous_response_id: gone }));
      expect([error.status, error.code, error.param]).toEqual([
        ...[404, 'previous_response_not_found', 'previous_response_id'],
      ]);
    }
  });

  const call = { type: 'function_call', call_id: 'a', name: 'dice', arguments: '{"sides": 6}' };
  const result = { type: 'function_call_output', call_id: 'b', output: '5' };
  test.each([
    [{ input: [] }, 'input'],
    [{ input: undefined }, 'input'],
    [{ input: [null] }, 'input[0]'],
    [{ input: [{ role: 'critic', content: 'Bad.' }] }, 'input[0].role'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0].content[0]'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]'],
    [{ input: [{ ...call, arguments: '{' }] }, 'input[0].arguments'],
    [{ input: [call, result] }, 'input[1].call_id'],
    [{ instructions: 5 }, 'instructions'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ tools: [dice, dice] }, 'tools'],
    [{ tools, tool_choice: { type: 'function', name: 'other' } }, 'tool_choice'],
    [{ text: { format: { type: 'grammar' } } }, 'text.format.type'],
    [{ text: { format: { type: 'json_schema', name: 'x' } } }, 'text.format.schema'],
    [{ text: { verbosity: 'low' } }, 'text.verbosity'],
    [{ max_output_tokens: -1 }, 'max_output_tokens'],
    [{ top_p: 2 }, 'top_p'],
    [{ truncation: 'auto' }, 'truncation'],
    [{ include: ['message.output_text.logprobs'] }, 'include'],
    [{ background: true }, 'background'],
    [{ conversation: 'conv_1' }, 'conversation'],
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

describe('by itself', () => {
  test('keeps the latest responses, and two sessions', async () => {
    const { responses } = createClient(model);
    const short = { ...GREEDY, max_output_tokens: 1 };
    const before = (await model.memory()).stateBytes;
    const first = await responses.create(short);
    for (let i = 0; i < 100; i++) await responses.create({ ...short, input: `${i}` });
    const error = await rejection(responses.retrieve(first.id));
    expect(error).toBeInstanceOf(APIError);
    expect([error.status, error.code]).toEqual([404, 'response_not_found']);
    expect(error.message).toMatch(/latest 100/);
    const held = (await model.memory()).stateBytes - before;
    expect(held / model.facts.stateBytes).toBeLessThanOrEqual(2);
  });

  test('a prompt that does not fit, and a model that is gone', async () => {
    const small = await loadModel(hybridModel());
    const { responses } = createClient(small);
    for (const stream of [false, true]) {
      const error = await rejection(responses.create({ input: 'x'.repeat(400), stream }));
      expect(error).toBeInstanceOf(APIError);
      expect([error.status, error.code, error.param]).toEqual([
        ...[400, 'context_length_exceeded', 'input'],
      ]);
    }
    await small.dispose();
    const gone = await rejection(responses.create(GREEDY));
    expect([gone.status, gone.code, gone.type]).toEqual([503, 'disposed', 'server_error']);
  });

  test('a stream that fails says so in its last event', async () => {
    const failing = await loadModel(DEMO);
    const { responses } = createClient(failing);
    const stream = await responses.create({ ...GREEDY, max_output_tokens: 200, stream: true });
    const events = [];
    for await (const event of stream) if (events.push(event) === 6) await failing.dispose();
    const { type, response } = events.at(-1);
    expect(type).toBe('response.failed');
    expect(response.status).toBe('failed');
    expect(response.error).toEqual({ code: 'server_error', message: expect.stringMatching(/./) });
  });
});
