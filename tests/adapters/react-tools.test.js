// SPDX-License-Identifier: MIT
// The small story model calls what it must, with arguments that mean nothing: `toolChoice` makes it.
import { jest } from '@jest/globals';
import { act } from 'react';
import { DEMO, loadModel } from '../api/models.js';
import { talk, withoutRenderersNotice } from './talk.js';
import { thinkingModel } from './thinking-model.js';

withoutRenderersNotice();

const ASK = 'Roll a dice.';
const sides = { type: 'integer', minimum: 2, maximum: 100 };
const dice = {
  name: 'dice',
  description: 'Rolls a dice.',
  parameters: { type: 'object', properties: { sides }, required: ['sides'] },
};
const CALL = { toolChoice: { name: 'dice' }, temperature: 0, maxTokens: 100 };
const typesOf = ({ parts }) => parts.map(({ type }) => type);

let model;
let calls;
beforeAll(async () => {
  model = await loadModel(DEMO);
});
afterAll(() => model.dispose());
beforeEach(() => {
  calls = [];
});

const rolled = async (given, { id }) => {
  calls.push({ given, id });
  return { rolled: 4 };
};

test('runs what the model calls, and the model goes on with what that gives', async () => {
  const created = jest.spyOn(model, 'createSession');
  const seen = await talk(model, { tools: [{ ...dice, execute: rolled }] });
  await act(() => seen.chat.send(ASK, CALL));
  expect(seen.chat).toMatchObject({ busy: false, error: undefined });
  const [asked, answered] = seen.chat.messages;
  expect(seen.chat.messages).toHaveLength(2);
  expect(asked).toEqual({ role: 'user', content: ASK, parts: [{ type: 'text', text: ASK }] });
  const [call, result, text] = answered.parts;
  expect(typesOf(answered)).toEqual(['tool-call', 'tool-result', 'text']);
  const { id, arguments: given } = call;
  expect(given.sides).toBeGreaterThanOrEqual(2);
  expect(calls).toEqual([{ given, id }]);
  expect(result).toEqual({ type: 'tool-result', id, name: 'dice', content: '{"rolled":4}' });
  expect(answered).toMatchObject({ role: 'assistant', content: text.text });
  expect(text.text.length).toBeGreaterThan(4);

  const session = await created.mock.results.at(-1).value;
  created.mockRestore();
  expect(await session.messages()).toEqual([
    { role: 'user', content: ASK },
    { role: 'assistant', content: '', toolCalls: [{ id, name: 'dice', arguments: given }] },
    { role: 'tool', content: '{"rolled":4}', toolCallId: id, name: 'dice' },
    { role: 'assistant', content: text.text },
  ]);
  await seen.unmount();
});

test('a tool that fails is a result in words', async () => {
  const execute = () => {
    throw new RangeError('the dice has rolled away');
  };
  const seen = await talk(model, { tools: [{ ...dice, execute }] });
  await act(() => seen.chat.send(ASK, CALL));
  const { parts } = seen.chat.messages[1];
  const content = 'Error: the dice has rolled away';
  expect(parts[1]).toMatchObject({ type: 'tool-result', name: 'dice', content, isError: true });
  expect(parts[2]?.type).toBe('text');
  expect(seen.chat.error).toBeUndefined();
  await seen.unmount();
});

test('answers at most maxSteps times, and reads what is left with the next question', async () => {
  const options = { tools: [{ ...dice, execute: rolled }], maxSteps: 1 };
  const seen = await talk(model, options);
  await act(() => seen.chat.send(ASK, CALL));
  expect(typesOf(seen.chat.messages[1])).toEqual(['tool-call', 'tool-result']);
  await act(() => seen.chat.send('More.', { temperature: 0, maxTokens: 8 }));
  expect(seen.chat.messages.map(typesOf)).toEqual([
    ['text'],
    ['tool-call', 'tool-result'],
    ['text'],
    ['text'],
  ]);
  expect(seen.chat.error).toBeUndefined();
  await seen.render({ ...options, maxSteps: 0 });
  await act(() => seen.chat.send('And more.', CALL));
  expect(seen.chat.messages).toHaveLength(4);
  expect(seen.chat.error).toMatchObject({ name: 'RangeError' });
  expect(seen.chat.error.message).toContain('maxSteps');
  await seen.unmount();
});

test('a tool that is not run here ends the turn, which goes on with its results', async () => {
  const seen = await talk(model, { tools: [dice] });
  await act(() => seen.chat.send(ASK, CALL));
  expect(typesOf(seen.chat.messages[1])).toEqual(['tool-call']);
  const { id, name } = seen.chat.messages[1].parts[0];
  const result = { id, name, content: '4' };
  await act(() => seen.chat.send([result], { temperature: 0, maxTokens: 8 }));
  expect(seen.chat.messages).toHaveLength(2);
  const [, shown, text] = seen.chat.messages[1].parts;
  expect(shown).toEqual({ type: 'tool-result', ...result });
  expect(text).toMatchObject({ type: 'text' });
  expect(seen.chat.messages[1].content).toBe(text.text);
  await seen.unmount();
});

test('runs the function of the latest render', async () => {
  const seen = await talk(model, { tools: [{ ...dice, execute: () => 'old' }] });
  await seen.render({ tools: [{ ...dice, execute: () => 'new' }] });
  await act(() => seen.chat.send(ASK, CALL));
  expect(seen.chat.messages[1].parts[1].content).toBe('new');
  await seen.unmount();
});

test('stop ends a tool that nobody waits for any more', async () => {
  let begun;
  const running = new Promise((resolve) => {
    begun = resolve;
  });
  let told;
  const execute = (_, { signal }) => {
    told = signal;
    begun();
    return new Promise(() => {});
  };
  const seen = await talk(model, { tools: [{ ...dice, execute }] });
  let turn;
  await act(async () => {
    turn = seen.chat.send(ASK, CALL);
    await running;
  });
  expect([seen.chat.busy, told.aborted]).toEqual([true, false]);
  await act(async () => {
    seen.chat.stop();
    await turn;
  });
  expect(told.aborted).toBe(true);
  expect(seen.chat).toMatchObject({ busy: false, error: undefined });
  expect(typesOf(seen.chat.messages[1])).toEqual(['tool-call', 'tool-result']);
  expect(seen.chat.messages[1].parts[1].isError).toBe(true);
  await act(() => seen.chat.send('More.', { temperature: 0, maxTokens: 8 }));
  expect(seen.chat.messages).toHaveLength(4);
  await seen.unmount();
});

/** Stands in for a model where the loop is the subject: its answers are these, one after the other. */
function scripted(answers) {
  const asked = [];
  const session = {
    messageCount: 0,
    destroy() {},
    respond(messages, { toolChoice }) {
      asked.push({ messages, toolChoice });
      const parts = answers[asked.length - 1];
      session.messageCount += messages.length + 1;
      const toolCalls = parts.filter(({ type }) => type === 'tool-call');
      const finishReason = toolCalls.length > 0 ? 'tool-calls' : 'stop';
      return Object.assign(ReadableStream.from(parts), {
        result: Promise.resolve({ finishReason, toolCalls }),
      });
    },
  };
  return { model: { createSession: async () => session }, asked };
}

const call = (id, name) => ({ type: 'tool-call', id, name, arguments: {} });
const say = (text) => ({ type: 'text', text });

test('runs calls of one answer at the same time, and waits for those that are not run here', async () => {
  const { model: stand, asked } = scripted([
    [say('One'), say(' moment.'), call('a', 'slow'), call('b', 'there'), call('c', 'fast')],
    [call('d', 'slow'), call('e', 'fast')],
    [say('Done.')],
  ]);
  let fast;
  const ready = new Promise((resolve) => {
    fast = resolve;
  });
  const tools = [
    // Only ends once the other one has run.
    { name: 'slow', execute: () => ready },
    { name: 'fast', execute: (_, { id }) => fast('ready') ?? id },
    { name: 'there' },
  ];
  const seen = await talk(stand, { tools });
  await act(() => seen.chat.send('Go.', { toolChoice: 'required' }));
  const [, turn] = seen.chat.messages;
  expect(turn.content).toBe('One moment.');
  expect(turn.parts.slice(4)).toEqual([
    { type: 'tool-result', id: 'a', name: 'slow', content: 'ready' },
    { type: 'tool-result', id: 'c', name: 'fast', content: 'c' },
  ]);
  expect(asked).toHaveLength(1);
  await act(() => seen.chat.send([{ id: 'b', name: 'there', content: '7' }]));
  const results = asked.map(({ messages }) => messages.map(({ toolCallId }) => toolCallId));
  expect(results).toEqual([[undefined], ['a', 'c', 'b'], ['d', 'e']]);
  expect(asked.map(({ toolChoice }) => toolChoice)).toEqual(['required', undefined, 'auto']);
  expect(seen.chat.messages).toHaveLength(2);
  expect(seen.chat.messages[1].content).toBe('One moment.\n\nDone.');
  expect(seen.chat.busy).toBe(false);
  await seen.unmount();
});

test('shows what the model thinks apart from what it says', async () => {
  const thinker = await loadModel(thinkingModel());
  const seen = await talk(thinker);
  const wanted = { temperature: 0, maxTokens: 60, thinking: { budget: 8 } };
  await act(() => seen.chat.send('Write a story about a fox.', wanted));
  const { content, parts } = seen.chat.messages[1];
  expect(parts.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  expect(parts.every(({ text }) => text.length > 4)).toBe(true);
  expect(content).toBe(parts[1].text);
  await seen.unmount();
  await thinker.dispose();
});
