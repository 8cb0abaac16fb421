// SPDX-License-Identifier: MIT
// Texts that are written at the same time share passes over the weights, and nothing else.
import { ModelError } from '../../dist/index.js';
import { everyModel, linearModel, loadModel, rejection } from './models.js';

const DRAWN = { temperature: 1.2, topK: 0, maxTokens: 20, ignoreEos: true };

/** Pieces of a stream, at most `count` of them; leaving early cancels it. */
async function read(stream, count = Number.POSITIVE_INFINITY) {
  const pieces = [];
  for await (const piece of stream) if (pieces.push(piece) === count) break;
  return pieces;
}

describe.each(everyModel)('a %s model', (_, make) => {
  let model;
  beforeAll(async () => {
    model = await loadModel(make());
  });
  afterAll(() => model.dispose());

  const prompt = (i) => Array.from({ length: 3 + 7 * i }, (_, t) => 60 + ((t * (i + 3)) % 150));
  const alone = (i, options) => model.complete(prompt(i), { ...DRAWN, seed: i, ...options });

  test('writes many texts at once as it writes each alone, to the bit', async () => {
    // More than one pass takes, some of which end before the others.
    const texts = Array.from({ length: 20 }, (_, i) => ({
      maxTokens: 5 + 3 * (i % 7),
      logprobs: 2,
    }));
    const together = await Promise.all(texts.map((options, i) => alone(i, options)));
    for (const [i, options] of texts.entries()) {
      const { tokens, logprobs, text } = await alone(i, options);
      expect(together[i]).toMatchObject({ tokens, logprobs, text });
    }
  });

  test('texts come and go while others are written', async () => {
    const expected = await Promise.all([0, 1, 2].map((i) => alone(i)));
    const first = model.generate(prompt(0), { ...DRAWN, seed: 0 });
    const reader = first.getReader();
    await reader.read();
    const gone = read(model.generate(prompt(1), { ...DRAWN, seed: 1 }), 3);
    const aborter = new AbortController();
    const aborted = rejection(alone(3, { maxTokens: 500, signal: aborter.signal }));
    await gone;
    aborter.abort();
    expect((await aborted).name).toBe('AbortError');
    const [, late] = await Promise.all([
      (async () => {
        for (let done = false; !done; ) ({ done } = await reader.read());
      })(),
      alone(2),
    ]);
    expect((await first.result).tokens).toEqual(expected[0].tokens);
    expect(late.tokens).toEqual(expected[2].tokens);
  });

  test('a constraint holds its own text alone', async () => {
    const constraint = /[0-9]{4}-[0-9]{2}/;
    const options = [{}, { constraint }, {}, { constraint, seed: 9 }];
    const together = await Promise.all(options.map((given, i) => alone(i, given)));
    expect(together[1].text).toMatch(/^\d{4}-\d\d$/);
    for (const [i, given] of options.entries()) {
      expect(together[i].tokens).toEqual((await alone(i, given)).tokens);
    }
  });

  test('alternatives of a prompt read it once, and each is what its seed makes of it', async () => {
    const { heapInUse } = await model.memory();
    const reads = [];
    const options = { ...DRAWN, seed: 40, onPrefill: ({ tokens }) => reads.push(tokens) };
    const streams = await model.alternatives(prompt(4), 3, options);
    expect(reads).toEqual([prompt(4).length]);
    const texts = await Promise.all(streams.map((stream) => read(stream)));
    for (const [i, stream] of streams.entries()) {
      const { tokens, text, seed, promptTokens } = await stream.result;
      expect(seed).toBe(40 + i);
      expect(promptTokens).toEqual(prompt(4));
      expect(texts[i].join('')).toBe(text);
      const same = await model.complete(prompt(4), { ...DRAWN, seed });
      expect(tokens).toEqual(same.tokens);
    }
    const [left, aborted] = await model.alternatives(prompt(4), 2, DRAWN);
    await left.cancel();
    await aborted.cancel();
    // Texts of their own are freed once their streams are over, which nobody is told.
    let used = 0;
    for (let i = 0; i < 100 && used !== heapInUse; i++) {
      await model.countTokens('');
      used = (await model.memory()).heapInUse;
    }
    expect(used).toBe(heapInUse);
  });

  test('wrong counts, prompts and texts are told of, and leave nothing', async () => {
    const { heapInUse } = await model.memory();
    for (const count of [0, 129, 1.5, '2']) {
      expect(await rejection(model.alternatives('x', count))).toBeInstanceOf(RangeError);
    }
    expect(await rejection(model.alternatives('', 2))).toBeInstanceOf(RangeError);
    const aborter = new AbortController();
    const stopped = { signal: aborter.signal, onPrefill: () => aborter.abort() };
    expect((await rejection(model.alternatives('one two', 2, stopped))).name).toBe('AbortError');
    expect(() => model.generateBatch(['x', 3])).toThrow(TypeError);
    expect(() => model.generateBatch('x')).toThrow(TypeError);
    expect((await model.memory()).heapInUse).toBe(heapInUse);
  });
});

describe('conversations', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel(linearModel());
  });
  afterAll(() => model.dispose());

  const messages = [{ role: 'system', content: 'be brief' }];
  const start = (seed) => model.createSession({ ...DRAWN, initialPrompts: messages, seed });

  test('a batch answers what each session was told, and goes on from prompts', async () => {
    const expected = [];
    for (const seed of [1, 2, 3]) expected.push(await (await start(seed)).prompt(`Say ${seed}.`));
    const { text } = await model.complete('Once', { ...DRAWN, seed: 5 });
    const sessions = await Promise.all([1, 2, 3].map(start));
    for (const [i, session] of sessions.entries()) await session.append(`Say ${i + 1}.`);
    const streams = model.generateBatch([...sessions, 'Once'], { ...DRAWN });
    const given = model.generateBatch(['Once'], { ...DRAWN, seed: 5 });
    const texts = await Promise.all([...streams, ...given].map((stream) => read(stream)));
    expect(texts.slice(0, 3).map((pieces) => pieces.join(''))).toEqual(expected);
    expect(texts.at(-1).join('')).toBe(text);
    for (const session of sessions) expect(session.messageCount).toBe(3);
  });

  test('alternatives are sessions that go on, and the one they came from stays as it is', async () => {
    const session = await start(7);
    const before = [await session.messages(), session.contextUsage];
    const given = await session.alternatives('Say it.', 3, { seed: 20 });
    const texts = await Promise.all(given.map(({ stream }) => read(stream)));
    expect([await session.messages(), session.contextUsage]).toEqual(before);
    for (const [i, alternative] of given.entries()) {
      const same = await start(7);
      expect(await same.prompt('Say it.', { seed: 20 + i })).toBe(texts[i].join(''));
      const next = await same.prompt('And again.');
      expect(await alternative.session.prompt('And again.')).toBe(next);
      expect(await alternative.session.messages()).toEqual(await same.messages());
    }
    // By the session's own seed, and with an answer that is begun.
    const begun = [
      { role: 'user', content: 'Say it.' },
      { role: 'assistant', content: 'It', prefix: true },
    ];
    const [first, second] = await session.alternatives(begun, 2, { temperature: 0 });
    await Promise.all([read(first.stream), read(second.stream)]);
    expect((await first.stream.result).seed).toBe(7);
    const [, , , answer] = await first.session.messages();
    expect(answer).toBeUndefined();
    expect((await first.session.messages()).at(-1).content).toMatch(/^It/);
    expect(await first.session.messages()).toEqual(await second.session.messages());
  });

  test('a session that is destroyed meanwhile ends its text alone', async () => {
    const [one, other] = await Promise.all([1, 2].map(start));
    const expected = await (await start(2)).prompt('Hello.', { maxTokens: 40 });
    const lost = rejection(one.prompt('Hello.', { maxTokens: 400 }));
    const kept = other.prompt('Hello.', { maxTokens: 40 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    one.destroy();
    const error = await lost;
    expect(error).toBeInstanceOf(ModelError);
    expect(error.code).toBe('disposed');
    expect(await kept).toBe(expected);
  });
});
