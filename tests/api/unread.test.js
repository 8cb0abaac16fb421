// SPDX-License-Identifier: MIT
// Streams that nobody reads, and sessions and models that nobody holds.
import { setTimeout as pause } from 'node:timers/promises';
import { collect, DEMO, heldBytes, linearModel, loadModel, rejection } from './models.js';

const GREEDY = { temperature: 0, ignoreEos: true, maxTokens: 60 };

let demo;
beforeAll(async () => {
  demo = await loadModel(DEMO);
});
afterAll(() => demo.dispose());

describe('a stream that nobody reads', () => {
  test.each([
    ['clone', async (session) => (await session.clone()).destroy()],
    ['save', (session) => session.save()],
    ['messages', (session) => session.messages()],
    ['countTokens', (session) => session.countTokens('How long?')],
    ['prompt', (session) => session.prompt('And then?', { ...GREEDY, maxTokens: 3 })],
    ['append', (session) => session.append('And then?')],
    ['rewind', (session) => session.rewind(0)],
  ])('does not keep %s waiting, and can be read after it', async (_, call) => {
    const session = await demo.createSession();
    const stream = session.promptStreaming('Tell me a story.', GREEDY);
    await call(session);
    const { text } = await stream.result;
    const { pieces } = await collect(stream);
    expect(pieces.join('')).toBe(text);
    const fresh = await demo.createSession();
    expect(await fresh.prompt('Tell me a story.', GREEDY)).toBe(text);
    session.destroy();
    fresh.destroy();
  });

  test('is asked for when a call waits already while its prompt is read', async () => {
    const session = await demo.createSession();
    const stream = session.promptStreaming('Tell me a story.', GREEDY);
    const [messages, copy] = await Promise.all([session.messages(), session.clone()]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages[1].content).toBe((await stream.result).text);
    copy.destroy();
    session.destroy();
  });

  test('is no more than a piece ahead of its reader while nobody waits', async () => {
    const session = await demo.createSession();
    const stream = session.promptStreaming('Tell me a story.', GREEDY);
    const reader = stream.getReader();
    await reader.read();
    await pause(300);
    await reader.cancel();
    expect((await stream.result).tokens.length).toBeLessThan(6);
    session.destroy();
  });

  test('that is left after others waited keeps what was written for them', async () => {
    const session = await demo.createSession();
    const stream = session.promptStreaming('Tell me a story.', GREEDY);
    const messages = await session.messages();
    await stream.cancel();
    const result = await stream.result;
    expect(result.finishReason).toBe('length');
    expect(await session.messages()).toEqual(messages);
    session.destroy();
  });

  test('rejects with the reason when it is aborted', async () => {
    const session = await demo.createSession();
    const aborter = new AbortController();
    const { signal } = aborter;
    const stream = session.promptStreaming('Tell me a story.', { ...GREEDY, signal });
    await pause(50);
    const why = new Error('enough');
    aborter.abort(why);
    expect(await rejection(stream.result)).toBe(why);
    expect(await rejection(stream.getReader().read())).toBe(why);
    expect((await session.prompt('Go on.', { ...GREEDY, maxTokens: 3 })).length).toBeGreaterThan(0);
    session.destroy();
  });

  test('rejects when its session is destroyed, and when its model is disposed of', async () => {
    const session = await demo.createSession();
    const stream = session.promptStreaming('Tell me a story.', GREEDY);
    await pause(50);
    session.destroy();
    expect((await rejection(stream.result)).code).toBe('disposed');
    expect((await rejection(stream.getReader().read())).code).toBe('disposed');
    const model = await loadModel(linearModel());
    const other = model.generate([1, 2, 3], GREEDY);
    await pause(50);
    await model.dispose();
    expect((await rejection(other.result)).code).toBe('disposed');
  });
});

describe('what nobody holds any more', () => {
  async function until(done) {
    for (let i = 0; i < 50 && !(await done()); i++) {
      await heldBytes();
      await pause(10);
    }
    expect(await done()).toBe(true);
  }

  test('sessions are freed', async () => {
    const model = await loadModel(linearModel());
    const held = await model.createSession();
    const { stateBytes } = await model.memory();
    await (async () => {
      for (let i = 0; i < 3; i++) await model.createSession();
    })();
    expect((await model.memory()).stateBytes).toBe(4 * stateBytes);
    await until(async () => (await model.memory()).stateBytes === stateBytes);
    expect((await held.prompt('Still here', { ...GREEDY, maxTokens: 2 })).length).toBeGreaterThan(
      0,
    );
    await model.dispose();
  });

  test('a model goes on for as long as there is a session of it', async () => {
    const session = await (await loadModel(linearModel())).createSession();
    for (let i = 0; i < 5; i++) await heldBytes();
    expect((await session.prompt('Hello', { ...GREEDY, maxTokens: 2 })).length).toBeGreaterThan(0);
    session.destroy();
  });

  test('models end, and their threads with them', async () => {
    const once = async () => {
      await loadModel(linearModel(), { threads: 3 });
    };
    await once();
    await until(async () => threads() === 0);
    for (let i = 0; i < 4; i++) await once();
    expect(threads()).toBeGreaterThan(0);
    await until(async () => threads() === 0);
  });
});

// Workers that run in this process, as Node counts what keeps or would keep it alive.
function threads() {
  return process.report.getReport().workers.length;
}

test('a turn leaves nothing behind', async () => {
  const model = await loadModel(linearModel());
  const session = await model.createSession();
  for (let i = 0; i < 1000; i++) await session.messages();
  const { heapInUse } = await model.memory();
  const before = await heldBytes();
  for (let i = 0; i < 20_000; i++) await session.messages();
  // 50 bytes each: less than a promise.
  expect((await heldBytes()) - before).toBeLessThan(2 ** 20);
  expect((await model.memory()).heapInUse).toBeLessThanOrEqual(heapInUse);
  await model.dispose();
});
