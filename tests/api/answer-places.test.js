// SPDX-License-Identifier: MIT
// Answers that begin as another one does, up to any of its tokens, without reading.
import { DEMO, hybridModel, linearModel, loadModel, otherModels, rejection } from './models.js';

const QUESTION = 'Tell me a story about a fox.';
const GREEDY = { temperature: 0, maxTokens: 60 };
const begun = (content) => [{ role: 'assistant', content, prefix: true }];
const end = (session) => session[Symbol.asyncDispose]();

/** Goes on in a clone from what an answer to its first question is to begin with. */
async function goOn(session, content, options) {
  const fork = await session.clone();
  await fork.rewind(1);
  const rest = await fork.prompt(begun(content), options);
  const { rereadTokens, promptTokens } = fork.stats;
  await end(fork);
  return { text: content + rest, rereadTokens, promptTokens };
}

/** What an answer begins with up to each of its tokens; not where one ends within a character. */
async function beginnings(model, answer, tokens) {
  const all = [];
  for (let count = 1; count <= tokens.length; count++) {
    const content = await model.detokenize(tokens.slice(0, count));
    // From a control token on, which its text does not show.
    if (!answer.startsWith(content.replace(/\ufffd$/, ''))) break;
    if (!content.endsWith('\ufffd')) all.push({ count, content });
  }
  return all;
}

describe('the small story model', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel(DEMO);
  });
  afterAll(() => model.dispose());

  test('goes on from each token of an answer, reads none and writes the same', async () => {
    const session = await model.createSession({ answerPlaces: true, ...GREEDY });
    const answer = await session.prompt(QUESTION);
    const { tokens } = session.stats;
    const places = await beginnings(model, answer, tokens);
    expect(places).toHaveLength(60);
    for (const { count, content } of places) {
      const maxTokens = count % 10 === 0 ? 60 - count || 1 : 1;
      const { text, rereadTokens, promptTokens } = await goOn(session, content, { maxTokens });
      if (count < 60) expect(answer.startsWith(text)).toBe(true);
      if (count < 60 && count % 10 === 0) expect(text).toBe(answer);
      expect(rereadTokens).toBe(0);
      // The last one has been drawn and not read.
      expect(promptTokens).toEqual(count === 60 ? tokens.slice(-1) : []);
    }
    await end(session);
    expect((await model.memory()).placeBytes).toBe(0);
  });

  test('also when the conversation has gone on, in several ways, and from a way out of another', async () => {
    const session = await model.createSession({ answerPlaces: true, ...GREEDY });
    const first = await session.prompt(QUESTION);
    const { tokens } = session.stats;
    await session.prompt('And then?');
    const fork = await session.clone();
    await fork.rewind(1);
    const content = await model.detokenize(tokens.slice(0, 23));
    const ways = await fork.alternatives(begun(content), 3, { maxTokens: 20, temperature: 1 });
    const results = await Promise.all(
      ways.map(async ({ stream }) => {
        await stream.pipeTo(new WritableStream());
        return stream.result;
      }),
    );
    expect(results.map(({ rereadTokens }) => rereadTokens)).toEqual([0, 0, 0]);
    expect(new Set(results.map(({ text }) => text)).size).toBe(3);
    // What a way was made of may go first.
    await end(session);
    await end(fork);
    const [{ session: way }] = ways;
    const shared = await model.detokenize(tokens.slice(0, 9));
    const again = await goOn(way, shared, { maxTokens: 51 });
    expect(again.text).toBe(first);
    expect(again.rereadTokens).toBe(0);
    const own = await model.detokenize([...tokens.slice(0, 23), ...results[0].tokens.slice(0, 11)]);
    expect((await goOn(way, own, { maxTokens: 3 })).rereadTokens).toBe(0);
    for (const one of ways) await end(one.session);
    expect((await model.memory()).placeBytes).toBe(0);
  });

  test('and of answers that were written with guesses', async () => {
    const session = await model.createSession({ answerPlaces: true, speculate: true, ...GREEDY });
    const answer = await session.prompt(
      'Write a story in which a fox says one two one two one two.',
    );
    for (const { count, content } of await beginnings(model, answer, session.stats.tokens)) {
      if (count % 7 > 0) continue;
      const again = await goOn(session, content, { maxTokens: 60 - count });
      expect(again.text).toBe(answer);
      expect(again.rereadTokens).toBe(0);
    }
    await end(session);
  });

  test('a beginning that was changed is read as without places', async () => {
    const texts = [];
    for (const answerPlaces of [true, false]) {
      const session = await model.createSession({ answerPlaces, ...GREEDY });
      const answer = await session.prompt(QUESTION);
      texts.push(await goOn(session, `${answer.slice(0, 50)}, but`, { maxTokens: 20 }));
      await end(session);
    }
    expect(texts[0]).toEqual(texts[1]);
  });

  test('there are none without the option, which a restored session can have', async () => {
    const session = await model.createSession(GREEDY);
    const answer = await session.prompt(QUESTION);
    expect((await model.memory()).placeBytes).toBe(0);
    expect((await goOn(session, answer.slice(0, 50), {})).rereadTokens).toBeGreaterThan(5);
    const restored = await model.restore(await session.save(), { answerPlaces: true });
    await restored.prompt(QUESTION, { maxTokens: 4 });
    expect((await model.memory()).placeBytes).toBeGreaterThan(1e6);
    for (const one of [session, restored]) await end(one);
    expect(await rejection(model.createSession({ answerPlaces: 1 }))).toBeInstanceOf(TypeError);
    expect(await rejection(loadModel(DEMO, { placeBytes: -1 }))).toBeInstanceOf(RangeError);
  });
});

test('in their bytes the latest tokens have places, then one in 32, and what has none is read again', async () => {
  const placeBytes = 12e6;
  const model = await loadModel(DEMO, { placeBytes });
  const session = await model.createSession({ answerPlaces: true, temperature: 0 });
  const answer = await session.prompt('Write a long story about a fox and a bear.', {
    maxTokens: 200,
  });
  const places = await beginnings(model, answer, session.stats.tokens);
  expect(places.length).toBeGreaterThan(150);
  const reread = [];
  for (const { content } of places.filter(({ count }) => count % 8 === 5).reverse()) {
    const again = await goOn(session, content, { maxTokens: 5 });
    expect(answer.startsWith(again.text) || again.text.startsWith(answer)).toBe(true);
    reread.push(again.rereadTokens);
    expect((await model.memory()).placeBytes).toBeLessThanOrEqual(placeBytes);
  }
  expect(reread.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(reread.at(-1)).toBeGreaterThan(0);
  await model.dispose();
});

test('where one trail fits, or none, nothing fails', async () => {
  for (const placeBytes of [0, 1e6, 3e6]) {
    const model = await loadModel(DEMO, { placeBytes });
    const session = await model.createSession({ answerPlaces: true, ...GREEDY });
    const answer = await session.prompt(QUESTION);
    const content = await model.detokenize(session.stats.tokens.slice(0, 50));
    expect((await goOn(session, content, { maxTokens: 10 })).text).toBe(answer);
    expect((await model.memory()).placeBytes).toBeLessThanOrEqual(placeBytes);
    await model.dispose();
  }
});

const MODELS = [['linear', linearModel], ['hybrid', hybridModel], ...otherModels];

test.each(MODELS)(
  'a %s model goes on the same from wherever its text is whole',
  async (_, make) => {
    const model = await loadModel(make());
    const session = await model.createSession({
      ...{ answerPlaces: true, checkpoints: 1, temperature: 0, ignoreEos: true },
    });
    const answer = await session.prompt('one', { maxTokens: 80 });
    for (const { count, content } of await beginnings(model, answer, session.stats.tokens)) {
      if (count === 80 || count % 3 > 0) continue;
      const { text, rereadTokens } = await goOn(session, content, { maxTokens: 80 - count });
      expect(text).toBe(answer);
      // Of those that cannot go along it.
      expect(rereadTokens).toBeLessThan(33);
    }
    await model.dispose();
  },
);
