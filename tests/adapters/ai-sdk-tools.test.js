// SPDX-License-Identifier: MIT
// The small story model calls what it must, with arguments that mean nothing: `toolChoice` makes it.
import { NoSuchModelError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { jest } from '@jest/globals';
import {
  embed,
  generateObject,
  generateText,
  jsonSchema,
  Output,
  stepCountIs,
  streamText,
  ToolLoopAgent,
  tool,
} from 'ai';
import { z } from 'zod';
import { createProvider, languageModel } from '../../dist/ai-sdk.js';
import { DEMO, loadModel, rejection } from '../api/models.js';

// The SDK prints warnings, which are looked at here as values.
globalThis.AI_SDK_LOG_WARNINGS = false;

const GREEDY = { temperature: 0, maxOutputTokens: 100, maxRetries: 0 };
const ASK = 'Roll a dice.';

let loaded;
let model;
let rolls;
beforeAll(async () => {
  loaded = await loadModel(DEMO);
  model = languageModel(loaded);
});
afterAll(() => loaded.dispose());
beforeEach(() => {
  rolls = [];
});

const tools = {
  dice: tool({
    description: 'Rolls a dice.',
    inputSchema: z.object({ sides: z.number().int().min(2).max(100) }),
    execute: async ({ sides }, { toolCallId }) => {
      rolls.push({ sides, toolCallId });
      return { rolled: 2 };
    },
  }),
  names: tool({ inputSchema: z.object({}), execute: () => 'Ada' }),
};

// A call in the first step, words in those after it.
const firstCalls = ({ stepNumber }) => ({
  toolChoice: stepNumber === 0 ? { type: 'tool', toolName: 'dice' } : 'none',
});

test('calls a tool, reads its result and answers', async () => {
  const found = await generateText({
    ...{ ...GREEDY, model, tools, prompt: ASK, prepareStep: firstCalls },
    stopWhen: stepCountIs(3),
  });
  expect(found.steps).toHaveLength(2);
  const [first, last] = found.steps;
  expect(first.finishReason).toBe('tool-calls');
  const [{ toolCallId, toolName, input, invalid }] = first.toolCalls;
  expect([toolName, invalid]).toEqual(['dice', undefined]);
  expect(rolls).toEqual([{ sides: input.sides, toolCallId }]);
  expect(first.toolResults).toMatchObject([{ toolCallId, output: { rolled: 2 } }]);
  expect(last.toolCalls).toEqual([]);
  expect(found.text.length).toBeGreaterThan(4);
  expect(['stop', 'length']).toContain(found.finishReason);
  expect(found.warnings ?? []).toEqual([]);
  // The second step went on from what the first had read.
  const { inputTokens, inputTokenDetails } = last.usage;
  expect(inputTokenDetails.cacheReadTokens).toBeGreaterThanOrEqual(first.usage.inputTokens);
  expect(inputTokens).toBeGreaterThan(inputTokenDetails.cacheReadTokens);
});

test('streams calls as they are written', async () => {
  const stream = streamText({
    ...{ ...GREEDY, model, tools, prompt: ASK, prepareStep: firstCalls },
    stopWhen: stepCountIs(2),
  });
  const parts = [];
  for await (const part of stream.fullStream) parts.push(part);
  const of = (type) => parts.filter((part) => part.type === type);
  const [call] = of('tool-call');
  expect(of('tool-input-start')).toMatchObject([{ id: call.toolCallId, toolName: 'dice' }]);
  const deltas = of('tool-input-delta');
  expect(deltas.length).toBeGreaterThan(2);
  expect(JSON.parse(deltas.map(({ delta }) => delta).join(''))).toEqual(call.input);
  expect(of('tool-input-end')).toMatchObject([{ id: call.toolCallId }]);
  expect(of('tool-result')).toMatchObject([{ output: { rolled: 2 } }]);
  const words = of('text-delta').map(({ text }) => text);
  expect(words.length).toBeGreaterThan(2);
  expect(words.join('')).toBe(await stream.text);
  expect(of('finish-step').map(({ finishReason }) => finishReason)[0]).toBe('tool-calls');
  expect((await stream.steps).length).toBe(2);
});

test('is the model of a ToolLoopAgent', async () => {
  const agent = new ToolLoopAgent({
    ...{ ...GREEDY, model, tools, instructions: 'Be kind.', prepareStep: firstCalls },
    stopWhen: stepCountIs(4),
  });
  const { steps, text } = await agent.generate({ prompt: ASK });
  expect(steps.map(({ finishReason }) => finishReason)[0]).toBe('tool-calls');
  expect(steps).toHaveLength(2);
  expect(rolls).toHaveLength(1);
  expect(text.length).toBeGreaterThan(4);
  const pieces = [];
  const { textStream } = await agent.stream({ prompt: ASK });
  for await (const piece of textStream) pieces.push(piece);
  expect(pieces.join('')).toBe(text);
  expect(rolls).toHaveLength(2);
});

test('a loop ends with stopWhen, however often it must call', async () => {
  const { steps } = await generateText({
    ...{ ...GREEDY, model, tools, prompt: ASK },
    toolChoice: { type: 'tool', toolName: 'dice' },
    stopWhen: stepCountIs(3),
  });
  expect(steps).toHaveLength(3);
  const ids = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolCallId }) => toolCallId));
  expect(new Set(ids).size).toBe(3);
  expect(rolls.map(({ toolCallId }) => toolCallId)).toEqual(ids);
});

test('a call that is cut short is none', async () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: ASK }] }];
  const parameters = { type: 'object', properties: { name: { type: 'string', minLength: 200 } } };
  const call = {
    ...{ prompt, temperature: 0, maxOutputTokens: 60 },
    tools: [{ type: 'function', name: 'say', inputSchema: { ...parameters, required: ['name'] } }],
    toolChoice: { type: 'tool', toolName: 'say' },
  };
  const { content, finishReason } = await model.doGenerate(call);
  expect([content, finishReason.unified]).toEqual([[], 'length']);
  const { stream } = await model.doStream(call);
  const types = [];
  for await (const { type } of stream) types.push(type);
  expect(types.filter((type) => !type.endsWith('-delta')).slice(2)).toEqual([
    ...['tool-input-start', 'tool-input-end', 'finish'],
  ]);
  // As the SDK has it.
  const error = await rejection(
    generateText({
      ...{ ...GREEDY, model, tools, prompt: ASK, maxOutputTokens: 20 },
      toolChoice: { type: 'tool', toolName: 'dice' },
    }),
  );
  expect(error.name).toBe('AI_ToolChoiceViolationError');
});

test('reads results of every kind', async () => {
  const made = jest.spyOn(loaded, 'createSession');
  const outputs = [
    { type: 'text', value: 'four' },
    { type: 'json', value: { rolled: 4 } },
    { type: 'error-text', value: 'lost' },
    { type: 'error-json', value: { code: 7 } },
    { type: 'execution-denied', reason: 'too late' },
    { type: 'execution-denied' },
    {
      type: 'content',
      value: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
  ];
  const calls = outputs.map((_, i) => ({
    ...{ type: 'tool-call', toolCallId: `id-${i}`, toolName: 'dice', input: { sides: i + 2 } },
  }));
  const results = outputs.map((output, i) => ({
    ...{ type: 'tool-result', toolCallId: `id-${i}`, toolName: 'dice', output },
  }));
  const asked = { role: 'user', content: [{ type: 'text', text: ASK }] };
  const thought = { type: 'reasoning', text: 'A dice.' };
  const said = { type: 'text', text: 'I roll.' };
  const prompt = [
    asked,
    { role: 'assistant', content: [thought, said, ...calls] },
    { role: 'tool', content: results },
  ];
  await model.doGenerate({ prompt, temperature: 0, maxOutputTokens: 4 });
  const session = await made.mock.results.at(-1).value;
  made.mockRestore();
  const [, answer, ...read] = await session.messages();
  expect(answer).toMatchObject({ content: 'I roll.', reasoning: 'A dice.' });
  expect(answer.toolCalls[1]).toEqual({ id: 'id-1', name: 'dice', arguments: { sides: 3 } });
  expect(read.slice(0, -1).map(({ content }) => content)).toEqual([
    'four',
    '{"rolled":4}',
    'Error: lost',
    'Error: {"code":7}',
    'Error: the user did not allow this call: too late',
    'Error: the user did not allow this call',
    'a\nb',
  ]);
  expect(read[0]).toMatchObject({ role: 'tool', toolCallId: 'id-0', name: 'dice' });
  const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } };
  const output = { type: 'content', value: [file] };
  const seen = [asked, prompt[1], { role: 'tool', content: [{ ...results[0], output }] }];
  const error = await rejection(model.doGenerate({ prompt: seen }));
  expect(UnsupportedFunctionalityError.isInstance(error)).toBe(true);
});

test('tells the model what tools are for, and warns of those that it has not', async () => {
  const made = jest.spyOn(loaded, 'createSession');
  const examples = {
    ...tools.dice,
    inputExamples: [{ input: { sides: 6 } }],
  };
  const web = {
    type: 'provider',
    id: 'other.search',
    name: 'search',
    args: {},
    isProviderExecuted: true,
  };
  const { warnings } = await generateText({
    ...{ ...GREEDY, model, prompt: ASK, maxOutputTokens: 4 },
    tools: { dice: examples, search: web },
  });
  const [{ tools: told }] = made.mock.calls.at(-1);
  made.mockRestore();
  expect(told).toHaveLength(1);
  expect(told[0].description).toBe('Rolls a dice.\nExample: {"sides":6}');
  expect(told[0].parameters.properties.sides).toMatchObject({ minimum: 2, maximum: 100 });
  expect(warnings).toEqual([
    expect.objectContaining({
      type: 'unsupported',
      feature: 'provider-defined tool other.search',
    }),
  ]);
  // A call can only be asked for where there is a tool.
  const error = await rejection(
    generateText({ ...GREEDY, model, prompt: ASK, tools: { search: web }, toolChoice: 'required' }),
  );
  expect(error.message).toContain('no tools');
  const wrong = tool({ inputSchema: jsonSchema({ type: 'string' }) });
  const refused = await rejection(
    generateText({ ...GREEDY, model, prompt: ASK, tools: { wrong }, toolChoice: 'required' }),
  );
  expect(refused.message).toContain('the tool wrong: its parameters must be a schema of an object');
});

test('an answer is an object, an array or a choice, beside tools too', async () => {
  const schema = z.object({ ok: z.boolean(), size: z.enum(['small', 'large']) });
  const wanted = { ...GREEDY, model, prompt: ASK };
  const { object } = await generateObject({ ...wanted, schema });
  expect(schema.parse(object)).toEqual(object);
  const { output } = await generateText({
    ...{ ...wanted, output: Output.object({ schema }), tools, prepareStep: firstCalls },
    stopWhen: stepCountIs(2),
  });
  expect(schema.parse(output)).toEqual(output);
  expect(rolls).toHaveLength(1);
  const element = z.enum(['red', 'blue']);
  const list = streamText({ ...wanted, output: Output.array({ element }), onError() {} });
  const elements = [];
  for await (const one of list.elementStream) elements.push(one);
  expect(elements.length).toBeGreaterThan(0);
  for (const one of elements) expect(element.parse(one)).toBe(one);
  const options = ['yes', 'no'];
  const chosen = await generateText({ ...wanted, output: Output.choice({ options }) });
  expect(options).toContain(chosen.output);
});

test('ends with its signal while a call is written', async () => {
  const controller = new AbortController();
  const stream = streamText({
    ...{ ...GREEDY, model, tools, prompt: ASK, abortSignal: controller.signal, onError() {} },
    toolChoice: { type: 'tool', toolName: 'dice' },
  });
  const types = [];
  for await (const { type } of stream.fullStream) {
    types.push(type);
    if (type === 'tool-input-delta') controller.abort();
  }
  expect(types.at(-1)).toBe('abort');
  expect([types.includes('tool-call'), rolls]).toEqual([false, []]);
  // The session of that answer is gone.
  await generateText({ ...GREEDY, model, prompt: ASK, maxOutputTokens: 4 });
  expect((await loaded.memory()).stateBytes).toBeLessThanOrEqual(loaded.facts.stateBytes);
});

test('embeds nothing', async () => {
  const provider = createProvider({ story: loaded });
  const error = await rejection(
    (async () => embed({ model: provider.embeddingModel('story'), value: 'x' }))(),
  );
  expect(NoSuchModelError.isInstance(error)).toBe(true);
  expect(error.message).toContain('embeddingModel');
});
