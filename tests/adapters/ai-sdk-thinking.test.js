// SPDX-License-Identifier: MIT
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { languageModel } from '../../dist/ai-sdk.js';
import { loadModel } from '../api/models.js';
import { thinkingModel } from './thinking-model.js';

const wanted = { temperature: 0, maxOutputTokens: 200, maxRetries: 0, prompt: 'Roll a dice.' };

let loaded;
let model;
beforeAll(async () => {
  loaded = await loadModel(thinkingModel());
  model = languageModel(loaded);
});
afterAll(() => loaded.dispose());

const tools = { dice: tool({ inputSchema: z.object({}), execute: () => 2 }) };

// A call in the first step, words in those after it.
const firstCalls = ({ stepNumber }) => ({
  toolChoice: stepNumber === 0 ? { type: 'tool', toolName: 'dice' } : 'none',
});

test('has its thoughts in parts of their own', async () => {
  const found = await generateText({ ...wanted, model, reasoning: 'minimal' });
  expect(found.reasoningText.length).toBeGreaterThan(4);
  expect(found.text.length).toBeGreaterThan(4);
  const { reasoningTokens, textTokens } = found.usage.outputTokenDetails;
  expect(reasoningTokens).toBeGreaterThan(100);
  // And the tokens that the end of a thought is written in.
  expect(reasoningTokens).toBeLessThanOrEqual(128 + '</think>'.length);
  expect(reasoningTokens + textTokens).toBe(found.usage.outputTokens);
  const stream = streamText({ ...wanted, model, reasoning: 'minimal' });
  const types = [];
  for await (const { type } of stream.fullStream) if (types.at(-1) !== type) types.push(type);
  expect(types.filter((type) => /^(reasoning|text)/.test(type))).toEqual([
    ...['reasoning-start', 'reasoning-delta', 'reasoning-end'],
    ...['text-start', 'text-delta', 'text-end'],
  ]);
  expect(await stream.reasoningText).toBe(found.reasoningText);
});

test('does not think where it is not to', async () => {
  const found = await generateText({
    ...{ ...wanted, model, maxOutputTokens: 20, reasoning: 'none' },
  });
  expect(found.reasoningText).toBeUndefined();
  expect(found.usage.outputTokenDetails.reasoningTokens).toBe(0);
  expect(found.text.length).toBeGreaterThan(4);
});

test('thinks before it calls, and is held to a schema behind the thought', async () => {
  const { steps } = await generateText({
    ...{ ...wanted, model, tools, reasoning: 'minimal', prepareStep: firstCalls },
    maxOutputTokens: 300,
    stopWhen: stepCountIs(2),
  });
  expect(steps[0].content.map(({ type }) => type)).toEqual([
    ...['reasoning', 'tool-call', 'tool-result'],
  ]);
  expect(steps).toHaveLength(2);
  // Thoughts that are sent back begin no other conversation.
  expect(steps[1].usage.inputTokenDetails.cacheReadTokens).toBeGreaterThan(0);
  const schema = z.object({ ok: z.boolean() });
  const { object } = await generateObject({
    ...{ ...wanted, model, schema, reasoning: 'minimal' },
  });
  expect(typeof object.ok).toBe('boolean');
});
