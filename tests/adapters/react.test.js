// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { act, createElement } from 'react';
import { create } from 'react-test-renderer';
import { loadModel } from '../../dist/index.js';
import { useChat, useModel } from '../../dist/react.js';
import { DEMO, linearModel, withBuild } from '../api/models.js';

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

// React says that its test renderer has a successor; that one needs a document.
const { error: print } = console;
beforeAll(() => {
  console.error = (...args) => /react-test-renderer/.test(args[0]) || print(...args);
});
afterAll(() => {
  console.error = print;
});

const demo = readFileSync(DEMO);
const options = withBuild();
const GREEDY = { temperature: 0, maxTokens: 8 };

/** Uses both hooks, and notes what it saw. */
function Story({ source, seen }) {
  const loading = useModel(source, options);
  const chat = useChat(loading.model, { temperature: 0 });
  Object.assign(seen, { loading, chat });
  return null;
}

function Talk({ model, seen }) {
  seen.chat = useChat(model);
  return null;
}

async function mount(source) {
  const seen = {};
  let root;
  await act(async () => {
    root = create(createElement(Story, { source, seen }));
  });
  seen.update = (next) =>
    act(async () => root.update(createElement(Story, { source: next, seen })));
  seen.unmount = () => act(async () => root.unmount());
  return seen;
}

async function until(condition) {
  for (let i = 0; i < 400 && !condition(); i++) {
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
  }
  expect(condition()).toBeTruthy();
}

test('loads a model, chats with it and frees it', async () => {
  let goOn;
  const half = new Promise((resolve) => {
    goOn = resolve;
  });
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(demo.subarray(0, 9e6)),
    async pull(controller) {
      await half;
      controller.enqueue(demo.subarray(9e6));
      controller.close();
    },
  });
  const story = await mount(stream);
  await until(() => story.loading.progress?.loaded > 0);
  expect(story.loading.model).toBeUndefined();
  goOn();
  await until(() => story.loading.model);
  const { model } = story.loading;

  await act(() => story.chat.send('Write a story about a fox.', GREEDY));
  expect(story.chat.messages).toEqual([
    { role: 'user', content: 'Write a story about a fox.' },
    { role: 'assistant', content: 'Once upon a time, there was a' },
  ]);
  await act(() => story.chat.send('More.', GREEDY));
  expect(story.chat.messages).toHaveLength(4);

  // While an answer is written, another question is not taken; stopping keeps what there is.
  let first;
  await act(async () => {
    first = story.chat.send('Again.', { ignoreEos: true, maxTokens: 5000 });
    await story.chat.send('And again.', GREEDY);
  });
  expect(story.chat.busy).toBe(true);
  await until(() => story.chat.messages.at(-1).content.length > 5);
  const { length } = story.chat.messages.at(-1).content;
  await until(() => story.chat.messages.at(-1).content.length > length);
  expect(story.chat.busy).toBe(true);
  await act(async () => {
    story.chat.stop();
    await first;
  });
  expect([story.chat.busy, story.chat.error]).toEqual([false, undefined]);
  expect(story.chat.messages).toHaveLength(6);

  await act(() => story.chat.send('x', { temperature: -1 }));
  expect(story.chat.error.name).toBe('RangeError');
  await act(() => story.chat.send('Once more.', GREEDY));
  expect(story.chat.error).toBeUndefined();
  await story.unmount();
  await expect(model.countTokens('x')).rejects.toMatchObject({ code: 'disposed' });
});

test('another source is another model and another conversation', async () => {
  const story = await mount(demo);
  await until(() => story.loading.model);
  const { model } = story.loading;
  await act(() => story.chat.send('Hi', GREEDY));
  await story.update(linearModel());
  await until(() => story.loading.model && story.loading.model !== model);
  await expect(model.countTokens('x')).rejects.toMatchObject({ code: 'disposed' });
  expect(story.chat.messages).toEqual([]);
  await story.update(new Uint8Array(64));
  await until(() => story.loading.error);
  expect(story.loading.error.code).toBe('invalid_header');
  await story.update(undefined);
  await story.unmount();
});

test.each([
  ['is being written', () => new Promise((resolve) => setTimeout(resolve, 100))],
  ['has no session yet', () => {}],
])('a component that goes away while its answer %s frees the session', async (_, wait) => {
  const model = await loadModel(DEMO, options);
  const seen = {};
  let root;
  await act(async () => {
    root = create(createElement(Talk, { model, seen }));
  });
  let answer;
  await act(async () => {
    answer = seen.chat.send('Hi', { ignoreEos: true, maxTokens: 5000 });
    await wait();
  });
  await act(async () => root.unmount());
  const { chat } = seen;
  await answer;
  expect(seen.chat).toBe(chat);
  // Of no text.
  expect((await model.memory()).stateBytes).toBe(0);
  await model.dispose();
});
