// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import OpenAI from 'openai';
import { APIError, createClient, createFetch } from '../../dist/openai.js';
import { DEMO, hybridModel, loadModel, rejection } from '../api/models.js';

const messages = [
  { role: 'developer', content: 'Be kind.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Write a story ' },
      { type: 'text', text: 'about a fox.' },
    ],
  },
];
const GREEDY = { messages, temperature: 0, max_completion_tokens: 8 };
const ID = 'story-17m-linear-q8_0';

let model;
let ours;
let theirs;
beforeAll(async () => {
  model = await loadModel(DEMO);
  ours = createClient(model);
  theirs = new OpenAI({
    apiKey: '-',
    baseURL: 'http://model.invalid/v1',
    fetch: createFetch(model),
  });
});
afterAll(() => model.dispose());

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
const textOf = (chunks) => chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

// Both are asked the same: the client by itself, and OpenAI's own over `fetch`.
describe.each([
  ['ours', () => ours],
  ["OpenAI's", () => theirs],
])('%s', (_, client) => {
  const create = (params, options) => client().chat.completions.create(params, options);

  test('answers', async () => {
    const found = await create({ ...GREEDY, model: 'any' });
    const { id, created, usage, ...rest } = JSON.parse(JSON.stringify(found));
    expect(id).toMatch(/^chatcmpl-\w{20,}$/);
    expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60);
    const wanted = await (await model.createSession({ temperature: 0 })).prompt(
      [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Write a story about a fox.' },
      ],
      { maxTokens: 8 },
    );
    expect(rest).toEqual({
      object: 'chat.completion',
      model: ID,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: wanted, refusal: null },
          finish_reason: 'length',
          logprobs: null,
        },
      ],
    });
    expect(usage.completion_tokens).toBe(8);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + 8);
  });

  test('streams the same, with its usage', async () => {
    const whole = await create({ ...GREEDY, logprobs: true, top_logprobs: 2 });
    const chunks = await collect(
      await create({
        ...GREEDY,
        stream: true,
        logprobs: true,
        top_logprobs: 2,
        stream_options: { include_usage: true },
      }),
    );
    expect(textOf(chunks)).toBe(whole.choices[0].message.content);
    expect(chunks[0].choices[0].delta.role).toBe('assistant');
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const [last, end] = chunks.slice(-2);
    expect(end.choices).toEqual([]);
    expect(end.usage.completion_tokens).toBe(8);
    expect(chunks[0].usage).toBeNull();
    expect(last.choices[0].finish_reason).toBe('length');
    expect(last.choices[0].logprobs).toEqual(whole.choices[0].logprobs);
    const { content } = whole.choices[0].logprobs;
    expect(content.map(({ token }) => token).join('')).toBe(whole.choices[0].message.content);
    expect(content[0].top_logprobs).toHaveLength(2);
    expect(new TextDecoder().decode(Uint8Array.from(content[1].bytes))).toBe(content[1].token);
    const bare = await collect(await create({ ...GREEDY, stream: true }));
    expect(bare.every((chunk) => !('usage' in chunk))).toBe(true);
  });

  test('reads only what is new of a conversation that goes on', async () => {
    const first = await create(GREEDY);
    const more = [...messages, first.choices[0].message, { role: 'user', content: 'More.' }];
    const { usage } = await create({ ...GREEDY, messages: more });
    const { prompt_tokens: before, completion_tokens: written } = first.usage;
    expect(usage.prompt_tokens_details.cached_tokens).toBe(before + written - 1);
    expect(usage.prompt_tokens).toBeGreaterThan(before + written);
    const other = await create({ ...GREEDY, messages: [{ role: 'user', content: 'Hi' }] });
    expect(other.usage.prompt_tokens_details.cached_tokens).toBe(0);
    expect((await model.memory()).stateBytes / model.facts.stateBytes).toBeLessThan(6);
  });

  test('counts what a kept prefix saves', async () => {
    const keeping = await loadModel(DEMO, { prefixes: true });
    const { tokens } = await keeping.keepPrefix([{ role: 'system', content: 'Be kind.' }]);
    const { usage, choices } = await createClient(keeping).chat.completions.create(GREEDY);
    const plain = await create(GREEDY);
    expect(usage.prompt_tokens_details.cached_tokens).toBe(tokens);
    expect(usage.prompt_tokens).toBe(plain.usage.prompt_tokens);
    expect(choices[0].message.content).toBe(plain.choices[0].message.content);
    await keeping.dispose();
  });

  test('stops, and gives several choices', async () => {
    const found = await create({ ...GREEDY, stop: [' time'], seed: 3, temperature: 1, n: 2 });
    expect(found.choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(found.usage.completion_tokens).toBeGreaterThan(2);
    const stopped = await create({ ...GREEDY, stop: ' time' });
    expect(stopped.choices[0]).toMatchObject({
      message: { content: 'Once upon a' },
      finish_reason: 'stop',
    });
    const chunks = await collect(await create({ ...GREEDY, n: 2, stream: true }));
    const of = (n) => textOf(chunks.filter(({ choices }) => choices[0].index === n));
    expect(of(0).length).toBeGreaterThan(4);
    expect(of(1)).toBe(of(0));
    // Written together: neither waits for the end of the other.
    const order = chunks.map(({ choices }) => choices[0].index);
    expect(order.indexOf(1)).toBeLessThan(order.lastIndexOf(0));
    const drawn = { ...GREEDY, temperature: 1, seed: 11, logprobs: true };
    const both = await create({ ...drawn, n: 2 });
    for (const [i, { message, logprobs }] of both.choices.entries()) {
      const alone = await create({ ...drawn, seed: 11 + i });
      expect(alone.choices[0]).toMatchObject({ message, logprobs });
      expect(alone.usage.prompt_tokens).toBe(both.usage.prompt_tokens);
    }
  });

  test.each([
    [{ verbosity: 'low' }, 'unsupported_parameter', 'verbosity'],
    [{ top_p: 2 }, 'invalid_value', 'top_p'],
    [{ logprobs: true, top_logprobs: 21 }, 'invalid_value', 'top_logprobs'],
    [{ top_logprobs: 2 }, null, 'top_logprobs'],
    [{ n: 0 }, null, 'n'],
    [{ messages: [] }, 'invalid_value', 'messages'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: '' } }] }] },
      'unsupported_parameter',
      'messages[0].content[0]',
    ],
  ])('refuses %j', async (wrong, code, param) => {
    for (const stream of [false, true]) {
      const error = await rejection(create({ ...GREEDY, ...wrong, stream }));
      expect([error.status, error.code, error.param]).toEqual([400, code, param]);
      expect(error.type).toBe('invalid_request_error');
      expect(error.message).toMatch(/^400 ./);
    }
  });

  test('is held to a format', async () => {
    const wanted = { ...GREEDY, response_format: { type: 'json_object' } };
    const { choices } = await create(wanted);
    expect(choices[0].message.content).toMatch(/^\s*\{/);
    expect((await create({ ...GREEDY, response_format: { type: 'text' } })).choices).toHaveLength(
      1,
    );
  });

  test('gives log probabilities of all that it says, whatever ends it', async () => {
    const schema = { enum: ['yes', 'no'] };
    const response_format = { type: 'json_schema', json_schema: { name: 'vote', schema } };
    for (const wanted of [{ response_format }, { stop: ' time' }, {}]) {
      const { choices } = await create({ ...GREEDY, ...wanted, logprobs: true });
      const [{ message, logprobs }] = choices;
      const told = logprobs.content.map(({ token }) => token).join('');
      expect(told).toBe(message.content + (wanted.stop ?? ''));
    }
  });

  test('shows the model the schema that it is held to', async () => {
    const made = jest.spyOn(model, 'createSession');
    const properties = { ok: { type: 'boolean', description: 'whether the fox is well' } };
    const required = ['ok'];
    const schema = { type: 'object', properties, required, additionalProperties: false };
    const form = { name: 'fox', description: 'How a fox is.', strict: true, schema };
    const { choices } = await create({
      ...GREEDY,
      max_completion_tokens: 40,
      response_format: { type: 'json_schema', json_schema: form },
    });
    expect(typeof JSON.parse(choices[0].message.content).ok).toBe('boolean');
    const session = await made.mock.results.at(-1).value;
    made.mockRestore();
    expect((await session.messages())[0]).toEqual({
      role: 'system',
      content: [
        'Be kind.',
        '',
        'Answer with fox: How a fox is.',
        'JSON schema:',
        JSON.stringify(schema),
        'You MUST answer with JSON that matches the JSON schema above.',
      ].join('\n'),
    });
  });

  test('ends with its signal and its controller, and when its loop is left', async () => {
    const long = { ...GREEDY, max_completion_tokens: 500, temperature: 1, seed: 1 };
    const controller = new AbortController();
    const answer = rejection(create(long, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 30);
    // Theirs has an error of its own for it.
    expect((await answer).message).toMatch(/abort/i);
    const stream = await create({ ...long, stream: true });
    let heard = 0;
    for await (const _ of stream) if (++heard === 3) stream.controller.abort();
    expect(heard).toBeLessThan(8);
    for await (const _ of await create({ ...long, stream: true })) break;
    const next = await create(GREEDY);
    expect(next.choices[0].finish_reason).toBe('length');
  });
});

describe('by itself', () => {
  test('calls at the same time do not meet', async () => {
    const ask = (content) =>
      ours.chat.completions.create({ ...GREEDY, messages: [{ role: 'user', content }] });
    const apart = [await ask('Hi'), await ask('A fox?')];
    const together = await Promise.all([ask('Hi'), ask('A fox?')]);
    const texts = (all) => all.map(({ choices }) => choices[0].message.content);
    expect(texts(together)).toEqual(texts(apart));
  });

  test('an aborted call rejects with the reason, and frees its session', async () => {
    const client = createClient(model);
    const before = (await model.memory()).stateBytes;
    const reason = new Error('enough');
    const error = await rejection(
      client.chat.completions.create(GREEDY, { signal: AbortSignal.abort(reason) }),
    );
    expect(error).toBe(reason);
    expect((await model.memory()).stateBytes).toBe(before);
  });

  test('a prompt that does not fit, and a model that is gone', async () => {
    const small = await loadModel(hybridModel());
    const { completions } = createClient(small).chat;
    const long = { messages: [{ role: 'user', content: 'x'.repeat(400) }] };
    for (const stream of [false, true]) {
      const error = await rejection(completions.create({ ...long, stream }));
      expect(error).toBeInstanceOf(APIError);
      expect([error.status, error.code]).toEqual([400, 'context_length_exceeded']);
    }
    expect((await small.memory()).stateBytes).toBe(0);
    await small.dispose();
    const gone = await rejection(completions.create(GREEDY));
    expect([gone.status, gone.code, gone.type]).toEqual([503, 'disposed', 'server_error']);
  });
});

describe('over fetch', () => {
  const ask = (path, init) => createFetch(model)(`http://model.invalid/v1${path}`, init);

  test('lists its model', async () => {
    const { data } = await theirs.models.list();
    expect(data).toEqual([
      { id: ID, object: 'model', created: expect.any(Number), owned_by: 'fastweights' },
    ]);
    expect((await theirs.models.retrieve(ID)).id).toBe(ID);
    expect((await rejection(theirs.models.retrieve('other'))).status).toBe(404);
  });

  test('speaks HTTP', async () => {
    expect((await ask('/embeddings', { method: 'POST', body: '{}' })).status).toBe(404);
    const broken = await ask('/chat/completions', { method: 'POST', body: '{' });
    expect([broken.status, (await broken.json()).error.code]).toEqual([400, 'invalid_json']);
    const body = JSON.stringify({ ...GREEDY, stream: true });
    const events = await ask('/chat/completions', { method: 'POST', body });
    expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const lines = (await events.text()).split('\n\n');
    expect(lines.slice(-2)).toEqual(['data: [DONE]', '']);
    expect(JSON.parse(lines[0].slice(6)).object).toBe('chat.completion.chunk');
  });

  test("works with the client's own helpers for streams", async () => {
    const stream = theirs.chat.completions.stream({ ...GREEDY, model: ID });
    let text = '';
    stream.on('content', (delta) => {
      text += delta;
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0].message.content).toBe(text);
    expect(text.length).toBeGreaterThan(4);
  });
});
