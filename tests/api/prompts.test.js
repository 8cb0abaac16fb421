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
