// SPDX-License-Identifier: MIT
// Forgetting the oldest turns where a context window is full.
import { makeModel } from '../../tools/make-model.mjs';
import { hybridModel, linearModel, loadModel, rejection } from './models.js';

const GREEDY = { temperature: 0, maxTokens: 8, ignoreEos: true };
const INITIAL = [
  { role: 'system', content: 'abcdefgh' },
  { role: 'user', content: 'Say one.' },
  { role: 'assistant', content: 'one' },
];
const question = (i) => `${i} ${'x'.repeat(16)}`;

let model;
beforeAll(async () => {
  model = await loadModel(hybridModel(), { batchTokens: 32 });
});
afterAll(() => model.dispose());

/** A session that notes what it forgets. */
async function forgetful(options) {
  const session = await model.createSession({ initialPrompts: INITIAL, seed: 4, ...options });
  const heard = listen(session);
  return { session, heard };
}

function listen(session) {
  const heard = [];
  session.oncontextoverflow = (event) => heard.push(event);
  return heard;
}

/** Asks until something is forgotten; the messages before that. */
async function fill(session, heard, options = GREEDY) {
  const before = heard.length;
  for (let i = 0; i < 20; i++) {
    const messages = await session.messages();
    await session.prompt(question(i), options);
    if (heard.length > before) return messages;
  }
  throw new Error('the window has not overflowed');
}

test('forgets whole turns behind the initial prompts, oldest first, and no more than it has to', async () => {
  const { session, heard } = await forgetful();
  const before = await fill(session, heard);
  const [{ forgotten }] = heard;
  expect(forgotten).toEqual(before.slice(3, 3 + forgotten.length));
  expect(forgotten.map(({ role }) => role)).toEqual(['user', 'assistant']);
  const after = await session.messages();
  expect(after.slice(0, -2)).toEqual([...INITIAL, ...before.slice(5)]);
  expect(session.messageCount).toBe(after.length);
  expect(session.contextUsage).toBeLessThanOrEqual(192);

  // It answers as one that has never heard what is forgotten.
  const fresh = await model.createSession({ initialPrompts: INITIAL });
  const asked = after.slice(3, -1);
  expect(await fresh.prompt(asked, GREEDY)).toBe(after.at(-1).content);
  expect(fresh.contextUsage).toBe(session.contextUsage);
  // And with the turn that it forgot there would have been no room.
  const whole = await model.createSession({ initialPrompts: INITIAL });
  const needed = await whole.countTokens([...forgotten, ...asked]);
  expect(whole.contextUsage + needed).toBeGreaterThanOrEqual(192);
  for (const one of [session, fresh, whole]) one.destroy();
});

test('is told of before the answer, when the session already is what it has become', async () => {
  const { session, heard } = await forgetful();
  await fill(session, heard);
  const order = [];
  session.oncontextoverflow = ({ forgotten }) => {
    order.push(forgotten.length);
    expect(session.messageCount).toBeLessThanOrEqual(10);
    expect(session.contextUsage).toBeLessThan(192);
  };
  while (order.length === 0) {
    for await (const _ of session.promptStreaming(question(0), GREEDY)) order.push('piece');
    if (order[0] === 'piece') order.length = 0;
  }
  expect(order[0]).toBe(2);
  expect(order[1]).toBe('piece');
  session.destroy();
});

test('what does not fit behind the initial prompts is an error, and nothing is forgotten', async () => {
  const { session, heard } = await forgetful();
  await session.prompt(question(1), GREEDY);
  const before = await session.messages();
  const { contextUsage } = session;
  for (const call of [session.prompt('x'.repeat(400)), session.append('x'.repeat(400))]) {
    expect((await rejection(call)).code).toBe('context_full');
  }
  expect(heard).toEqual([]);
  expect(await session.messages()).toEqual(before);
  expect(session.contextUsage).toBe(contextUsage);
  session.destroy();
});

test('without a handler there is an error instead', async () => {
  const { session, heard } = await forgetful();
  await fill(session, heard);
  session.oncontextoverflow = undefined;
  const error = await rejection(fill(session, heard));
  expect(error.code).toBe('context_full');
  expect(heard).toHaveLength(1);
  session.destroy();
});

test('appended messages make room, too', async () => {
  const { session, heard } = await forgetful();
  for (let i = 0; heard.length === 0; i++) await session.append(question(i));
  expect(heard[0].forgotten).toEqual([{ role: 'user', content: question(0) }]);
  expect((await session.messages()).slice(0, 4)).toEqual([
    ...INITIAL,
    { role: 'user', content: question(1) },
  ]);
  expect(typeof (await session.prompt('So?', GREEDY))).toBe('string');
  session.destroy();
});

test('a prompt that is aborted while it is read has made nothing forgotten', async () => {
  const { session, heard } = await forgetful();
  const before = await fill(session, heard);
  const twin = await model.restore(await session.save());
  const long = [{ role: 'user', content: 'x'.repeat(90) }];
  const aborter = new AbortController();
  const onPrefill = () => aborter.abort();
  const aborted = session.prompt(long, { ...GREEDY, onPrefill, signal: aborter.signal });
  expect((await rejection(aborted)).name).toBe('AbortError');
  expect(heard).toHaveLength(1);
  expect(await session.messages()).toEqual(await twin.messages());
  expect(before.length).toBeGreaterThan(3);
  const told = listen(twin);
  const answer = await session.prompt(long, GREEDY);
  expect(await twin.prompt(long, GREEDY)).toBe(answer);
  expect(heard[1]).toEqual(told[0]);
  expect(await session.messages()).toEqual(await twin.messages());
  for (const one of [session, twin]) one.destroy();
});

test('clones and restored sessions know the initial prompts, and forget by themselves', async () => {
  const { session, heard } = await forgetful();
  await session.prompt(question(0), GREEDY);
  const messages = await session.messages();
  for (const other of [await session.clone(), await model.restore(await session.save())]) {
    expect(other.oncontextoverflow).toBeUndefined();
    const told = listen(other);
    await fill(other, told);
    expect(told[0].forgotten).toEqual(messages.slice(3));
    expect((await other.messages()).slice(0, 3)).toEqual(INITIAL);
    other.destroy();
  }
  expect(heard).toEqual([]);
  expect(await session.messages()).toEqual(messages);
  // Going back to before they ended makes them shorter.
  await session.rewind(1);
  await fill(session, heard);
  expect(heard[0].forgotten[0]).toEqual({ role: 'user', content: question(0) });
  expect((await session.messages())[0]).toEqual(INITIAL[0]);
  session.destroy();
});

test('draws go on as they would have', async () => {
  // Any token as likely as any other: what is drawn depends on the generator alone.
  const draw = { temperature: 1e6, topK: 0, topP: 1, minP: 0, maxTokens: 8, ignoreEos: true };
  const wide = await loadModel(
    makeModel({ shape: { layers: 2, fullAttentionInterval: 2, contextLength: 4096 } }),
  );
  const { session, heard } = await forgetful();
  const twin = await wide.createSession({ initialPrompts: INITIAL, seed: 4 });
  for (let i = 0; i < 10; i++) {
    expect(await session.prompt(question(i), draw)).toBe(await twin.prompt(question(i), draw));
    expect(session.stats.tokens).toEqual(twin.stats.tokens);
  }
  expect(heard.length).toBeGreaterThan(1);
  // Going back behind what is forgotten goes back in the draws as well.
  const before = (await session.messages()).at(-1).content;
  await session.rewind(session.messageCount - 2);
  expect(await session.prompt(question(9), draw)).toBe(before);
  session.destroy();
  await wide.dispose();
});

test('nothing is ever forgotten where all layers are linear', async () => {
  const linear = await loadModel(linearModel());
  const session = await linear.createSession();
  const heard = listen(session);
  await session.prompt('x'.repeat(2000), GREEDY);
  await session.prompt('y', GREEDY);
  expect(heard).toEqual([]);
  expect(session.messageCount).toBe(4);
  await linear.dispose();
});
