// SPDX-License-Identifier: MIT
import { NoSuchModelError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { jest } from '@jest/globals';
import { generateObject, generateText, jsonSchema, Output, streamText } from 'ai';
import { createProvider, languageModel } from '../../dist/ai-sdk.js';
import { DEMO, loadModel, rejection } from '../api/models.js';

// The SDK prints warnings, which are looked at here as values.
globalThis.AI_SDK_LOG_WARNINGS = false;

const ASK = 'Write a story about a fox.';
const GREEDY = { prompt: ASK, temperature: 0, maxOutputTokens: 8, maxRetries: 0 };

let loaded;
let model;
beforeAll(async () => {
  loaded = await loadModel(DEMO);
  model = languageModel(loaded);
});
afterAll(() => loaded.dispose());

test('generates text', async () => {
  const found = await generateText({ ...GREEDY, model, system: 'Be kind.' });
  expect(found.text).toMatch(/^Once upon a time, there was/);
  expect(found.finishReason).toBe('length');
  expect(found.usage).toMatchObject({ outputTokens: 8 });
  expect(found.usage.totalTokens).toBe(found.usage.inputTokens + 8);
  expect(found.warnings ?? []).toEqual([]);
  expect(found.response.modelId).toBe('story-17m-linear-q8_0');
  const stopped = await generateText({ ...GREEDY, model, stopSequences: [' time'] });
  expect([stopped.text, stopped.finishReason]).toEqual(['Once upon a', 'stop']);
});

test('streams text, and reads only what is new of a conversation', async () => {
  const messages = [{ role: 'user', content: ASK }];
  const ask = () => streamText({ ...GREEDY, prompt: undefined, messages, model });
  const first = ask();
  const pieces = [];
  for await (const piece of first.textStream) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(4);
  const { text } = await generateText({ ...GREEDY, model });
  expect(pieces.join('')).toBe(text);
  expect(await first.finishReason).toBe('length');
  const { inputTokens, outputTokens } = await first.usage;
  await generateText({ ...GREEDY, model });
  messages.push({ role: 'assistant', content: text }, { role: 'user', content: 'More.' });
  const second = ask();
  expect((await second.text).length).toBeGreaterThan(4);
  const { cacheReadTokens } = (await second.usage).inputTokenDetails;
  expect(cacheReadTokens).toBe(inputTokens + outputTokens - 1);
});

test('ends with its signal, and goes on afterwards', async () => {
  const controller = new AbortController();
  const long = { ...GREEDY, maxOutputTokens: 500, model, abortSignal: controller.signal };
  const whole = rejection(generateText(long));
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: ASK }] }],
    maxOutputTokens: 500,
  });
  const reader = stream.getReader();
  for (let i = 0; i < 5; i++) await reader.read();
  await reader.cancel();
  controller.abort();
  expect((await whole).name).toBe('AbortError');
  const streamed = streamText({ ...long, onError() {} });
  expect((await rejection(streamed.text)).name).toMatch(/AbortError|AI_NoOutputGeneratedError/);
  expect((await generateText({ ...GREEDY, model })).text.length).toBeGreaterThan(4);
  // The session held for the next call, and no other.
  expect((await loaded.memory()).stateBytes).toBeLessThanOrEqual(loaded.facts.stateBytes);
});

test('refuses what is not text', async () => {
  const content = [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([1]) }];
  const error = await rejection(
    generateText({ ...GREEDY, prompt: undefined, messages: [{ role: 'user', content }], model }),
  );
  expect(UnsupportedFunctionalityError.isInstance(error)).toBe(true);
  const wrong = await rejection(generateText({ ...GREEDY, topK: -1, model }));
  expect(wrong.message).toContain('topK');
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: ASK }] }],
    topK: -1,
  });
  const parts = [];
  for await (const part of stream) parts.push(part);
  expect(parts.at(-1)).toMatchObject({ type: 'error', error: { name: 'RangeError' } });
});

test('is held to a schema', async () => {
  const schema = jsonSchema({
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  });
  const wanted = { ...GREEDY, maxOutputTokens: 40, model };
  const { object, warnings } = await generateObject({ ...wanted, schema });
  expect(typeof object.ok).toBe('boolean');
  expect(warnings ?? []).toEqual([]);
  const { output } = await generateText({ ...wanted, output: Output.object({ schema }) });
  expect(typeof output.ok).toBe('boolean');
});

test('shows a schema to the model, with what its parts mean', async () => {
  const made = jest.spyOn(loaded, 'createSession');
  const answer = { type: 'boolean', description: 'whether the fox is well' };
  const schema = {
    type: 'object',
    properties: { ok: answer },
    required: ['ok'],
    additionalProperties: false,
  };
  const wanted = { ...GREEDY, maxOutputTokens: 40, model, schema: jsonSchema(schema) };
  const shown = `JSON schema:\n${JSON.stringify(schema)}\nYou MUST answer with JSON that matches the JSON schema above.`;
  const systems = [];
  const told = { system: 'Be kind.', schemaName: 'fox', schemaDescription: 'How a fox is.' };
  for (const more of [{}, told]) {
    await generateObject({ ...wanted, ...more });
    const session = await made.mock.results.at(-1).value;
    systems.push((await session.messages())[0]);
  }
  made.mockRestore();
  expect(systems).toEqual([
    { role: 'system', content: shown },
    { role: 'system', content: `Be kind.\n\nAnswer with fox: How a fox is.\n${shown}` },
  ]);
});

test('is a provider of several models', async () => {
  const provider = createProvider({ story: loaded });
  const { text, response } = await generateText({ ...GREEDY, model: provider('story') });
  expect([text.length > 4, response.modelId]).toEqual([true, 'story']);
  expect(provider.languageModel('story')).toBe(provider('story'));
  for (const find of ['languageModel', 'embeddingModel', 'imageModel']) {
    let error;
    try {
      provider[find]('toString');
    } catch (thrown) {
      error = thrown;
    }
    expect(NoSuchModelError.isInstance(error)).toBe(true);
  }
});
