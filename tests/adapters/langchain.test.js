// SPDX-License-Identifier: MIT
// The small story model calls what it must, with arguments that mean nothing: `tool_choice` makes it.
import { jest } from '@jest/globals';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { ChatFastweights } from '../../dist/langchain.js';
import { DEMO, loadModel, rejection } from '../api/models.js';
import { thinkingModel } from './thinking-model.js';

const ASK = 'Write a story about a fox.';
const generation = { temperature: 0, maxTokens: 8 };
const CALL = { generation: { temperature: 0, maxTokens: 100 }, tool_choice: 'dice' };

let model;
let chat;
beforeAll(async () => {
  model = await loadModel(DEMO);
  chat = new ChatFastweights({ model, generation });
});
afterAll(() => model.dispose());

const dice = tool(async () => 'four', {
  name: 'dice',
  description: 'Rolls a dice.',
  schema: z.object({ sides: z.number().int().min(2).max(100) }),
});

test('answers messages, alone and in a chain', async () => {
  const answer = await chat.invoke([new SystemMessage('Be kind.'), new HumanMessage(ASK)]);
  expect(answer).toBeInstanceOf(AIMessage);
  expect(answer.text).toMatch(/^Once upon a time, there was/);
  const { input_tokens, output_tokens, total_tokens } = answer.usage_metadata;
  expect([output_tokens, total_tokens]).toEqual([8, input_tokens + 8]);
  expect(answer.response_metadata).toMatchObject({
    finish_reason: 'length',
    model_name: 'story-17m-linear-q8_0',
  });
  const chain = ChatPromptTemplate.fromMessages([
    ['system', 'Be {how}.'],
    ['human', ASK],
  ])
    .pipe(chat)
    .pipe(new StringOutputParser());
  expect(await chain.invoke({ how: 'kind' })).toBe(answer.text);
  const stopped = await chat.invoke(ASK, { stop: [' time'] });
  expect(stopped.text).toBe('Once upon a');
});

test('streams, and reads only what is new', async () => {
  const tokens = [];
  const handleLLMNewToken = (token) => tokens.push(token);
  const stream = await chat.stream(ASK, { callbacks: [{ handleLLMNewToken }] });
  let whole;
  const pieces = [];
  for await (const chunk of stream) {
    pieces.push(chunk.text);
    whole = whole ? whole.concat(chunk) : chunk;
  }
  expect(pieces.length).toBeGreaterThan(4);
  expect(whole.text).toBe((await chat.invoke(ASK)).text);
  expect(tokens.join('')).toBe(whole.text);
  expect(whole.usage_metadata.output_tokens).toBe(8);
  const next = await chat.invoke([new HumanMessage(ASK), whole, new HumanMessage('More.')]);
  const { input_tokens, input_token_details } = next.usage_metadata;
  expect(input_token_details.cache_read).toBe(whole.usage_metadata.input_tokens + 7);
  expect(input_tokens).toBeGreaterThan(input_token_details.cache_read);
});

test('calls tools, and reads what they give', async () => {
  const bound = chat.bindTools([dice]);
  const called = await bound.invoke('Roll a dice.', CALL);
  expect(called.response_metadata.finish_reason).toBe('tool-calls');
  const [call] = called.tool_calls;
  expect(called.tool_calls).toEqual([
    { type: 'tool_call', id: 'call_0', name: 'dice', args: { sides: expect.any(Number) } },
  ]);
  const result = await dice.invoke(call);
  expect(result).toBeInstanceOf(ToolMessage);
  const made = jest.spyOn(model, 'createSession');
  const answer = await bound.invoke([new HumanMessage('Roll a dice.'), called, result]);
  expect(answer.text.length).toBeGreaterThan(4);
  // The session of the call has gone on.
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();

  let whole;
  for await (const chunk of await bound.stream('Roll a dice.', CALL)) {
    whole = whole ? whole.concat(chunk) : chunk;
  }
  expect(whole.tool_calls).toEqual(called.tool_calls);
  expect(whole.tool_call_chunks).toHaveLength(1);
});

test('takes choices and tools in all their forms', async () => {
  const definition = { type: 'function', function: { name: 'names', parameters: undefined } };
  const bound = chat.bindTools([dice, definition]);
  for (const tool_choice of ['names', { type: 'function', function: { name: 'names' } }]) {
    const { tool_calls } = await bound.invoke(ASK, { ...CALL, tool_choice });
    expect(tool_calls).toMatchObject([{ name: 'names', args: {} }]);
  }
  const long = { ...CALL, generation: { ...CALL.generation, parallelToolCalls: false } };
  const { tool_calls } = await bound.invoke(ASK, { ...long, tool_choice: 'any' });
  expect(tool_calls).toHaveLength(1);
  const none = await bound.invoke(ASK, { tool_choice: 'none' });
  expect(none.tool_calls).toEqual([]);
  const error = await rejection(bound.invoke(ASK, { tool_choice: 'other' }));
  expect(error.message).toContain('other');
});

test('is held to a schema, which the model is shown', async () => {
  const made = jest.spyOn(model, 'createSession');
  const schema = z.object({ ok: z.boolean().describe('whether the fox is well') });
  const own = new ChatFastweights({ model, generation: { temperature: 0, maxTokens: 40 } });
  const found = await own.withStructuredOutput(schema).invoke(ASK);
  expect(schema.parse(found)).toEqual(found);
  const session = await made.mock.results.at(-1).value;
  made.mockRestore();
  const [system] = await session.messages();
  expect(system).toMatchObject({ role: 'system' });
  expect(system.content).toContain('whether the fox is well');
  const properties = { n: { enum: [1, 2] } };
  const closed = { required: ['n'], additionalProperties: false };
  const json = { type: 'object', properties, ...closed };
  const { raw, parsed } = await own.withStructuredOutput(json, { includeRaw: true }).invoke(ASK);
  expect(JSON.parse(raw.text)).toEqual(parsed);
  expect([1, 2]).toContain(parsed.n);
});

test('has thoughts beside the text', async () => {
  const thinker = await loadModel(thinkingModel());
  const thinking = { temperature: 0, maxTokens: 60, thinking: { budget: 8 } };
  const own = new ChatFastweights({ model: thinker, generation: thinking });
  const answer = await own.invoke(ASK);
  const { reasoning_content } = answer.additional_kwargs;
  expect([reasoning_content.length > 4, answer.text.length > 4]).toEqual([true, true]);
  expect(answer.usage_metadata.output_token_details.reasoning).toBeGreaterThanOrEqual(8);
  let whole;
  for await (const chunk of await own.stream(ASK)) whole = whole ? whole.concat(chunk) : chunk;
  expect(whole.additional_kwargs.reasoning_content).toBe(reasoning_content);
  expect(whole.text).toBe(answer.text);
  await thinker.dispose();
});

test('ends with its signal, and refuses what is not text', async () => {
  const controller = new AbortController();
  const long = { generation: { ignoreEos: true, maxTokens: 5000 }, signal: controller.signal };
  const waiting = rejection(chat.invoke(ASK, long));
  setTimeout(() => controller.abort(new Error('mine')), 100);
  expect((await waiting).message).toMatch(/mine|abort/i);
  const content = [{ type: 'image_url', image_url: 'data:image/png;base64,AA==' }];
  const error = await rejection(chat.invoke([new HumanMessage({ content })]));
  expect(error).toMatchObject({ name: 'TypeError' });
  expect(error.message).toContain('image_url');
  expect((await chat.invoke(ASK)).text.length).toBeGreaterThan(4);
});
