// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { act, createElement, StrictMode, useEffect } from 'react';
import { create } from 'react-test-renderer';
import { loadModel } from '../../dist/index.js';
import { useChat, useModel } from '../../dist/react.js';
import { DEMO, linearModel, withBuild } from '../api/models.js';
import { talk, withoutRenderersNotice } from './talk.js';

withoutRenderersNotice();

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

function Counted({ source, seen }) {
  useEffect(() => {
    seen.effects += 1;
  }, [seen]);
  return createElement(Story, { source, seen });
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

const text = (role, content) => ({ role, content, parts: [{ type: 'text', text: content }] });

/** Source that can be read once: a second load of it fails. */
const once = (bytes) => new Blob([bytes]).stream();

async function disposed(model) {
  let code;
  await until(() => {
    model.countTokens('x').catch((error) => {
      code = error.code;
    });
    return code === 'disposed';
  });
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
    text('user', 'Write a story about a fox.'),
    text('assistant', 'Once upon a time, there was a'),
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
  await disposed(model);
});

test('another source is another model and another conversation', async () => {
  const story = await mount(demo);
  await until(() => story.loading.model);
  const { model } = story.loading;
  await act(() => story.chat.send('Hi', GREEDY));
  await story.update(linearModel());
  await until(() => story.loading.model && story.loading.model !== model);
  await disposed(model);
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
  const seen = await talk(model);
  let answer;
  await act(async () => {
    answer = seen.chat.send('Hi', { ignoreEos: true, maxTokens: 5000 });
    await wait();
  });
  await seen.unmount();
  const { chat } = seen;
  await answer;
  expect(seen.chat).toBe(chat);
  // Of no text.
  expect((await model.memory()).stateBytes).toBe(0);
  await model.dispose();
});

test('components of one source share a model, which the last of them frees', async () => {
  const source = once(demo);
  const one = await mount(source);
  const two = await mount(source);
  await until(() => one.loading.model && two.loading.model);
  const { model } = one.loading;
  expect(two.loading.model).toBe(model);
  await one.unmount();
  // One takes over what the other leaves.
  const three = await mount(source);
  await two.unmount();
  await act(() => three.chat.send('Write a story about a fox.', GREEDY));
  expect(three.chat.messages.at(-1).content).toBe('Once upon a time, there was a');
  await three.unmount();
  await disposed(model);
});

test('addresses of one file are one source', async () => {
  const address = new URL(`file://${DEMO}`);
  const story = await mount(address);
  await until(() => story.loading.model);
  const { model } = story.loading;
  await story.update(new URL(address));
  expect(story.loading.model).toBe(model);
  await story.unmount();
  await disposed(model);
});

test('in StrictMode a model is loaded once, and stays', async () => {
  const seen = { effects: 0 };
  const story = createElement(Counted, { source: once(demo), seen });
  let root;
  await act(async () => {
    root = create(createElement(StrictMode, null, story));
  });
  expect(seen.effects).toBe(2);
  await until(() => seen.loading.model ?? seen.loading.error);
  expect(seen.loading.error).toBeUndefined();
  const { model } = seen.loading;
  await act(() => seen.chat.send('Write a story about a fox.', GREEDY));
  expect(seen.chat.messages).toHaveLength(2);
  await act(async () => root.unmount());
  await disposed(model);
});

describe('a conversation', () => {
  const LONG = 'Once upon a time there was a fox. '.repeat(200);
  let model;
  beforeAll(async () => {
    model = await loadModel(DEMO, withBuild({ batchTokens: 64 }));
  });
  afterAll(() => model.dispose());

  test('has the same functions in every render', async () => {
    const seen = await talk(model);
    const { send, stop } = seen.chat;
    await act(() => send('Hi', GREEDY));
    expect(seen.chat.messages).toHaveLength(2);
    expect([seen.chat.send, seen.chat.stop]).toEqual([send, stop]);
    await seen.unmount();
  });

  test('hears stop while its initial prompts are read', async () => {
    let batches = 0;
    const onPrefill = () => {
      batches += 1;
      if (batches === 1) seen.chat.stop();
    };
    const initialPrompts = [{ role: 'system', content: LONG }];
    const seen = await talk(model, { initialPrompts, onPrefill });
    await act(() => seen.chat.send('Hi', GREEDY));
    const all = (await model.countTokens(LONG)) / 64;
    expect(batches).toBeLessThan(all / 2);
    expect(seen.chat).toMatchObject({ messages: [], busy: false, error: undefined });
    expect((await model.memory()).stateBytes).toBe(0);
    // The next question makes a session anew.
    await act(() => seen.chat.send('Hi', GREEDY));
    expect(seen.chat.messages).toHaveLength(2);
    await seen.unmount();
  });

  test('shows no question that was not read', async () => {
    const seen = await talk(model);
    await act(() => seen.chat.send('Hi', GREEDY));
    const { messages } = seen.chat;
    await act(() => seen.chat.send(LONG, { ...GREEDY, onPrefill: () => seen.chat.stop() }));
    expect([seen.chat.messages, seen.chat.error]).toEqual([messages, undefined]);
    await act(() => seen.chat.send('x', { temperature: -1 }));
    expect(seen.chat.messages).toEqual(messages);
    expect(seen.chat.error.name).toBe('RangeError');
    const ended = new AbortController();
    const error = new Error('mine');
    const stopping = { ...GREEDY, signal: ended.signal, onPrefill: () => ended.abort(error) };
    await act(() => seen.chat.send(LONG, stopping));
    expect([seen.chat.messages, seen.chat.error]).toEqual([messages, error]);
    await act(() => seen.chat.send('More.', GREEDY));
    expect(seen.chat.messages.slice(0, 2)).toEqual(messages);
    expect(seen.chat.messages).toHaveLength(4);
    await seen.unmount();
  });
});
