// SPDX-License-Identifier: MIT
// The state as a thing to hold: save and restore, rewind, and what is read again.
import { createHash } from 'node:crypto';
import { ModelError } from '../../dist/index.js';
import { DEMO, hybridModel, linearModel, loadModel, otherModels, rejection } from './models.js';

const GREEDY = { temperature: 0, maxTokens: 12, ignoreEos: true };
// Parts of characters and end tokens among them: such a text is not what the state has read.
const DRAWN = { temperature: 1.2, topK: 0, maxTokens: 12, ignoreEos: true };

const MODELS = [['linear', linearModel], ['hybrid', hybridModel], ...otherModels];

describe.each(MODELS)('a %s model', (_, make) => {
  let file;
  let model;
  beforeAll(async () => {
    file = make();
    model = await loadModel(file);
  });
  afterAll(() => model.dispose());

  test('restored, a session goes on as it would have', async () => {
    const session = await model.createSession({ seed: 5, repetitionPenalty: 1.3, ...DRAWN });
    await session.prompt('one');
    await session.prompt('and two');
    const bytes = await session.save();
    const again = await model.restore(bytes);
    expect(again.contextUsage).toBe(session.contextUsage);
    expect(again.messageCount).toBe(4);
    expect(await again.messages()).toEqual(await session.messages());
    const expected = [await session.prompt('three', DRAWN), await session.prompt('four', DRAWN)];
    expect([await again.prompt('three', DRAWN), await again.prompt('four', DRAWN)]).toEqual(
      expected,
    );
    // And once more, from a Blob, after the first one has gone.
    session.destroy();
    const third = await model.restore(new Blob([bytes]));
    expect(await third.prompt('three', DRAWN)).toBe(expected[0]);
  });

  test('an empty session, and one that has read but not written', async () => {
    for (const initialPrompts of [[], [{ role: 'system', content: 'be brief' }]]) {
      const session = await model.createSession({ initialPrompts, seed: 3 });
      const again = await model.restore(await session.save());
      expect(again.contextUsage).toBe(session.contextUsage);
      expect(await again.prompt('hello', DRAWN)).toBe(await session.prompt('hello', DRAWN));
    }
  });

  test('saved in fewer bytes, it goes on much as it would have', async () => {
    // Keys and values in bfloat16 are saved as they are.
    const model = await loadModel(make(), { kv: 'f32' });
    const session = await model.createSession({ seed: 5 });
    await session.prompt('one', GREEDY);
    const sizes = {};
    for (const precision of ['f32', 'f16', 'int8']) {
      const bytes = await session.save({ precision });
      sizes[precision] = bytes.length;
      const again = await model.restore(bytes);
      expect(again.contextUsage).toBe(session.contextUsage);
      expect(await again.messages()).toEqual(await session.messages());
      expect((await again.prompt('two', GREEDY)).length).toBeGreaterThan(0);
      // What was written so is written so again: nothing is lost twice.
      const copy = await model.restore(bytes);
      expect(await copy.save({ precision })).toEqual(bytes);
      for (const made of [again, copy]) made.destroy();
    }
    expect(sizes.f16).toBeLessThan(0.6 * sizes.f32);
    expect(sizes.int8).toBeLessThan(0.4 * sizes.f32);
    expect(await session.save()).toEqual(await session.save({ precision: 'f32' }));
    for (const precision of ['f8', '', null, 16]) {
      expect(await rejection(session.save({ precision }))).toBeInstanceOf(TypeError);
    }
    await model.dispose();
  });

  test('what version 1 wrote is read', async () => {
    const session = await model.createSession({ seed: 5 });
    await session.prompt('one', DRAWN);
    const bytes = await session.save();
    expect(bytes[8]).toBe(2);
    // Nothing but its number has changed for arrays of float32.
    bytes[8] = 1;
    const digest = createHash('sha256').update(bytes.subarray(0, -32)).digest();
    bytes.set(digest, bytes.length - 32);
    const again = await model.restore(bytes);
    expect(await again.prompt('two', DRAWN)).toBe(await session.prompt('two', DRAWN));
    bytes[8] = 3;
    expect((await rejection(model.restore(bytes))).message).toMatch('version 3');
  });

  test('a session saved without its places is told of', async () => {
    const bytes = Buffer.from(await (await model.createSession()).save());
    bytes.write('"boundarie_"', bytes.indexOf('"boundaries"'));
    createHash('sha256')
      .update(bytes.subarray(0, -32))
      .digest()
      .copy(bytes, bytes.length - 32);
    expect((await rejection(model.restore(bytes))).code).toBe('invalid_header');
  });

  test('another build takes the state', async () => {
    const other = await loadModel(file, { wasm: { build: 'simd128' } });
    const session = await model.createSession({ seed: 5 });
    await session.prompt('one', GREEDY);
    const moved = await other.restore(await session.save());
    expect(moved.contextUsage).toBe(session.contextUsage);
    expect((await moved.prompt('two', GREEDY)).length).toBeGreaterThan(0);
    await other.dispose();
  });

  test('rewound, it is as if it had never been said', async () => {
    const session = await model.createSession({ seed: 9 });
    const twin = await model.createSession({ seed: 9 });
    const first = await session.prompt('one', DRAWN);
    expect(await twin.prompt('one', DRAWN)).toBe(first);
    await session.prompt('this will not have been said', DRAWN);
    await session.rewind(2);
    expect(session.contextUsage).toBeLessThanOrEqual(twin.contextUsage);
    expect(await session.messages()).toEqual(await twin.messages());
    expect(await session.prompt('two', DRAWN)).toBe(await twin.prompt('two', DRAWN));
    expect(session.stats.promptTokens).toEqual(twin.stats.promptTokens);
    // No more than how the message begins, whatever it says.
    expect(session.stats.rereadTokens).toBeLessThan(session.stats.promptTokens.length);
    await session.rewind(0);
    expect(session.contextUsage).toBe(0);
    expect(await session.prompt('one', DRAWN)).toBe(first);
  });

  test('a clone rewinds by itself', async () => {
    const session = await model.createSession({ seed: 9 });
    await session.prompt('one', GREEDY);
    await session.prompt('two', GREEDY);
    const clone = await session.clone();
    await clone.rewind(2);
    const expected = await session.prompt('three', GREEDY);
    session.destroy();
    await clone.prompt('two', GREEDY);
    expect(await clone.prompt('three', GREEDY)).toBe(expected);
  });

  test('errors leave everything as it was', async () => {
    const session = await model.createSession({ seed: 1 });
    await session.prompt('one', GREEDY);
    for (const [count, kind] of [
      [3, RangeError],
      [-1, RangeError],
      [0.5, RangeError],
      ['1', TypeError],
      [undefined, TypeError],
    ]) {
      expect(await rejection(session.rewind(count))).toBeInstanceOf(kind);
    }
    expect(session.messageCount).toBe(2);
    expect(await rejection(model.createSession({ checkpoints: 65 }))).toBeInstanceOf(RangeError);
    const bytes = await session.save();
    const damaged = bytes.map((byte, i) => (i === bytes.length - 100 ? byte ^ 4 : byte));
    for (const [wrong, code] of [
      [new Uint8Array(10), 'invalid_header'],
      [bytes.slice(0, 40), 'truncated'],
      [bytes.slice(0, -9), 'integrity'],
      [damaged, 'integrity'],
    ]) {
      const error = await rejection(model.restore(wrong));
      expect(error).toBeInstanceOf(ModelError);
      expect(error.code).toBe(code);
    }
    expect(await rejection(model.restore('bytes'))).toBeInstanceOf(TypeError);
    (await model.restore(bytes)).destroy();
  });

  test('nothing is left of sessions that are gone', async () => {
    const start = await model.createSession();
    await start.prompt('one', GREEDY);
    const bytes = await start.save();
    const { heapInUse } = await model.memory();
    for (let i = 0; i < 20; i++) {
      const session = await model.restore(bytes);
      await session.prompt('two', GREEDY);
      const clone = await session.clone();
      await clone.rewind(1);
      await session[Symbol.asyncDispose]();
      await clone[Symbol.asyncDispose]();
    }
    expect((await model.memory()).heapInUse - heapInUse).toBeLessThan(1000);
    start.destroy();
  });
});

test('a state of another model is refused', async () => {
  const [demo, other] = [await loadModel(DEMO), await loadModel(linearModel())];
  const session = await demo.createSession();
  await session.prompt('Tell a story.', GREEDY);
  const error = await rejection(other.restore(await session.save()));
  expect(error).toBeInstanceOf(ModelError);
  expect(error.code).toBe('wrong_model');
  for (const model of [demo, other]) await model.dispose();
});

test('the same question again reads nothing', async () => {
  const model = await loadModel(DEMO);
  const session = await model.createSession({ seed: 1 });
  const fewer = await model.createSession({ seed: 1, checkpoints: 3 });
  for (const text of ['Tell a story about a fox.', 'And about a bear.']) {
    for (const one of [session, fewer]) await one.prompt(text, DRAWN);
  }
  const [, , question, answer] = await session.messages();
  for (let again = 0; again < 3; again++) {
    for (const one of [session, fewer]) {
      // Later after one token, which has been drawn and not read.
      if (again > 0) {
        await one.rewind(2);
        await one.prompt([question], { ...DRAWN, maxTokens: 1 });
      }
      await one.rewind(2);
      expect(await one.prompt([question], DRAWN)).toBe(answer.content);
    }
    expect(session.stats.promptTokens).toEqual([]);
    expect(session.stats.rereadTokens).toBe(0);
    expect(fewer.stats.rereadTokens > 0).toBe(again === 0);
    expect(session.contextUsage).toBe(fewer.contextUsage);
  }
  // Another one goes on as if the first had not been asked.
  const other = 'And about a cat.';
  for (const one of [session, fewer]) await one.rewind(2);
  expect(await session.prompt(other, DRAWN)).toBe(await fewer.prompt(other, DRAWN));
  expect(session.contextUsage).toBe(fewer.contextUsage);
  await model.dispose();
});

test('what a restored session has read again it keeps', async () => {
  const model = await loadModel(DEMO);
  const original = await model.createSession({ seed: 1 });
  for (const text of ['Tell a story about a fox.', 'And about a bear.']) {
    await original.prompt(text, DRAWN);
  }
  const [, , question, answer] = await original.messages();
  const bytes = await original.save();
  const same = await model.restore(bytes);
  const other = await model.restore(bytes);
  const reread = [];
  for (let again = 0; again < 2; again++) {
    await same.rewind(2);
    expect(await same.prompt([question], DRAWN)).toBe(answer.content);
    for (const one of [original, other]) await one.rewind(2);
    const changed = `And about a cat ${again}.`;
    expect(await other.prompt(changed, DRAWN)).toBe(await original.prompt(changed, DRAWN));
    reread.push([same.stats.rereadTokens, other.stats.rereadTokens]);
  }
  expect(reread[0][0]).toBeGreaterThan(20);
  expect(reread[0][1]).toBeGreaterThan(20);
  expect(reread[1][0]).toBe(0);
  // No more than how the message begins.
  expect(reread[1][1]).toBeLessThan(12);
  await model.dispose();
});

test('what lies before the last place kept is not read again, what lies after it is', async () => {
  const model = await loadModel(DEMO);
  const session = await model.createSession({ seed: 1 });
  const none = await model.createSession({ seed: 1, checkpoints: 0 });
  for (const text of ['Tell a story about a fox.', 'And about a bear.', 'And about a bee.']) {
    expect(await session.prompt(text, GREEDY)).toBe(await none.prompt(text, GREEDY));
  }
  expect(none.memory.checkpointBytes).toBe(0);
  // Kept are those before the second and the third message of the user.
  expect(session.memory.checkpointBytes).toBeGreaterThan(1000);
  for (const text of [session, none]) await text.rewind(4);
  expect(none.contextUsage).toBe(session.contextUsage);
  const expected = await none.prompt('And about a cat.', GREEDY);
  expect(await session.prompt('And about a cat.', GREEDY)).toBe(expected);
  expect(session.contextUsage).toBe(none.contextUsage);
  // How every message begins, up to its own words.
  expect(session.stats.rereadTokens).toBeLessThan(12);
  expect(none.stats.rereadTokens).toBeGreaterThan(50);
  await model.dispose();
});

test('a template that renders past answers otherwise costs the last of them, not the conversation', async () => {
  const model = await loadModel(linearModel());
  const session = await model.createSession();
  const read = [];
  for (let i = 0; i < 8; i++) {
    // The template trims what it renders.
    await session.prompt('Say it.', { constraint: / [a-z]{8}/ });
    expect((await session.messages()).at(-1).content).toMatch(/^ /);
    read.push(session.stats.promptTokens.length);
  }
  expect(Math.max(...read.slice(1))).toBeLessThan(read[1] + 12);
  expect(session.contextUsage).toBeGreaterThan(4 * read[7]);
  // Asked again, it is at the question's end, and so it is when the question is put again.
  await session.rewind(15);
  await session.prompt([], { maxTokens: 2 });
  expect(session.stats.promptTokens.length).toBeLessThan(12);
  await session.rewind(14);
  const held = session.contextUsage;
  const other = await session.clone();
  for (const text of [session, other]) {
    await text.prompt('Say it.', { maxTokens: 2 });
    expect(text.stats.promptTokens.length).toBeLessThan(12);
  }
  await session.rewind(14);
  const saved = await model.restore(await session.save());
  expect(saved.contextUsage).toBe(held);
  const answer = await saved.prompt('Say it.', { temperature: 0, maxTokens: 2 });
  await session.rewind(14);
  expect(session.contextUsage).toBe(held);
  expect(await session.prompt('Say it.', { temperature: 0, maxTokens: 2 })).toBe(answer);
  await model.dispose();
});
