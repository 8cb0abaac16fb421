// SPDX-License-Identifier: MIT
import { DEMO, loadModel, rejection } from './models.js';

const ASK = 'Write a story about a fox.';
const GREEDY = { temperature: 0, maxTokens: 8 };
const PREFIX = { role: 'assistant', content: 'The old king', prefix: true };

let model;
let session;
beforeAll(async () => {
  model = await loadModel(DEMO);
});
beforeEach(async () => {
  session = await model.createSession();
});
afterAll(() => model.dispose());

test('a session counts what a prompt would add, and reads nothing', async () => {
  for (const input of [ASK, 'More.', [{ role: 'user', content: 'And?' }, PREFIX]]) {
    const held = session.contextUsage;
    const count = await session.countTokens(input);
    expect(session.contextUsage).toBe(held);
    await session.prompt(input, GREEDY);
    // The last token that is written is not read yet.
    expect(session.contextUsage).toBe(held + count + 7);
  }
});

test('a session counts what appending would add, and a model what a conversation begins with', async () => {
  const system = { role: 'system', content: 'You are a bee.' };
  const generationPrompt = false;
  expect(await session.countTokens([], { generationPrompt })).toBe(0);
  const all = await model.countTokens([system, { role: 'user', content: ASK }]);
  expect((await model.memory()).stateBytes).toBeGreaterThan(0);
  for (const input of [[system], ASK, [{ role: 'assistant', content: 'Well.' }], 'More.']) {
    const held = session.contextUsage;
    const count = await session.countTokens(input, { generationPrompt });
    await session.append(input);
    expect(session.contextUsage).toBe(held + count);
    if (input === ASK) expect(session.contextUsage).toBe(all);
  }
  await session.prompt([], GREEDY);
  // What closes the answer, and its last token.
  expect(await session.countTokens([], { generationPrompt })).toBe(3);
  const near = /generationPrompt/;
  expect((await rejection(session.countTokens(ASK, { prompt: false }))).message).toMatch(near);
});

test('what a constraint is kept by begins with the prefix', async () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 0, maximum: 5 } },
    required: ['n'],
    additionalProperties: false,
  };
  const ask = (content, constraint) => {
    const prefix = { role: 'assistant', content, prefix: true };
    const options = { constraint, temperature: 0, maxTokens: 50 };
    return session.prompt([{ role: 'user', content: ASK }, prefix], options);
  };
  const begun = '{ "n" :\n';
  const rest = await ask(begun, { type: 'json_schema', schema });
  expect(JSON.parse(begun + rest)).toEqual({ n: expect.any(Number) });
  expect((await session.messages()).at(-1).content).toBe(begun + rest);
  expect(await ask('The old', /The old king\./)).toBe(' king.');
  // What was thought is not held to it.
  expect(await ask('<think>\n\n</think>\n\nThe', /The old king\./)).toBe(' old king.');
  const asked = [
    { role: 'user', content: ASK },
    { role: 'assistant', content: '{ "n"', prefix: true },
  ];
  const constraint = { type: 'json_schema', schema };
  let told = '';
  for await (const part of session.respond(asked, { constraint, temperature: 0, maxTokens: 50 })) {
    if (part.type === 'text') told += part.text;
  }
  expect(JSON.parse(`{ "n"${told}`)).toEqual({ n: expect.any(Number) });
  const error = await rejection(ask('A young', /The old king\./));
  expect([error.name, error.message]).toEqual(['RangeError', expect.stringMatching('A young')]);
  expect(await session.prompt(ASK, GREEDY)).not.toBe('');
});

test('an answer begins as a prefix has it, which is part of what the session holds', async () => {
  const prompt = `<|im_start|>user\n${ASK}<|im_end|>\n<|im_start|>assistant\n${PREFIX.content}`;
  const wanted = await model.complete(prompt, GREEDY);
  const answer = await session.prompt([{ role: 'user', content: ASK }, PREFIX], GREEDY);
  expect(answer).toBe(wanted.text);
  await session.prompt('More.', GREEDY);
  const whole = await model.complete(
    `${prompt}${answer}<|im_end|>\n<|im_start|>user\nMore.<|im_end|>\n<|im_start|>assistant\n`,
    GREEDY,
  );
  expect(session.contextUsage).toBe(whole.promptTokens.length + 7);
});

test('only the last message can be a prefix, and only the assistant’s', async () => {
  const wrong = [
    [PREFIX, { role: 'user', content: ASK }],
    [{ role: 'user', content: ASK, prefix: true }],
  ];
  for (const messages of wrong) {
    const error = await rejection(session.prompt(messages, GREEDY));
    expect(error.name).toBe('TypeError');
    expect(error.message).toContain('prefix');
  }
});
