// SPDX-License-Identifier: MIT
// Tokens that are guessed change nothing but the time that a text takes.
import { jest } from '@jest/globals';
import { DEMO, everyModel, loadModel, rejection } from './models.js';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    kind: { enum: ['fox', 'bear', 'robot'] },
    lives_in_the_forest: { type: 'boolean' },
    friends: { type: 'array', items: { enum: ['Lily', 'Pip'] }, maxItems: 3 },
  },
  required: ['name', 'kind', 'lives_in_the_forest', 'friends'],
  additionalProperties: false,
};
const json = { type: 'json_schema', schema: SCHEMA };

/** What the small story model writes where a pass costs what one token does. */
async function withFreeRows(speculate, prompt, options) {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now++);
  const model = await loadModel(DEMO, { worker: false, speculate });
  try {
    const stream = model.generate(prompt, { ...options, speculate: true });
    let parts = 0;
    for await (const _ of stream) parts++;
    return { result: await stream.result, parts };
  } finally {
    clock.mockRestore();
    await model.dispose();
  }
}

describe.each(everyModel)('a %s model', (_, make) => {
  let model;
  beforeAll(async () => {
    model = await loadModel(make());
  });
  afterAll(() => model.dispose());

  // It repeats itself, so that there is something to guess.
  const prompt = Array.from({ length: 60 }, (_, t) => 60 + (t % 7));
  const both = async (given, options) => {
    const off = await model.complete(given, options);
    const on = await model.complete(given, { ...options, speculate: true });
    return [off, on].map(({ tokens, text, finishReason }) => ({ tokens, text, finishReason }));
  };

  test.each([
    ['greedily', { temperature: 0 }],
    ['by a seed', { seed: 5 }],
    [
      'with penalties',
      { seed: 9, temperature: 1.3, repetitionPenalty: 1.2, frequencyPenalty: 0.3 },
    ],
    ['of one or two', { seed: 2, temperature: 3, topK: 2 }],
  ])('writes the same %s', async (_name, options) => {
    for (const maxTokens of [1, 2, 9, 120]) {
      const [off, on] = await both(prompt, { ...options, maxTokens, ignoreEos: true });
      expect(on).toEqual(off);
    }
  });

  test('goes on from there as if nothing had been guessed', async () => {
    const written = [];
    for (const speculate of [false, true]) {
      const stream = model.generate(prompt, { seed: 4, maxTokens: 50, ignoreEos: true, speculate });
      let text = '';
      for await (const piece of stream) text += piece;
      expect((await stream.result).text).toBe(text);
      written.push(text);
    }
    expect(written[1]).toBe(written[0]);
  });
});

describe('a model with a block for guesses', () => {
  const file = new URL('../golden/guesses/model-f32.gguf', import.meta.url).pathname;
  const prompt = 'The fox and the bear went into the forest.';
  let plain;
  let model;
  beforeAll(async () => {
    plain = await loadModel(file);
    model = await loadModel(file, { speculate: true });
  });
  afterAll(() => Promise.all([plain.dispose(), model.dispose()]));

  test('has it only where the load asked for it', () => {
    const facts = [plain, model].map(({ facts: { speculate, guessBlock } }) => [
      speculate,
      guessBlock,
    ]);
    expect(facts).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(model.facts.weightsBytes).toBeGreaterThan(plain.facts.weightsBytes);
    expect(model.facts.stateBytes).toBeGreaterThan(plain.facts.stateBytes);
    expect(model.facts.kvBytesPerToken).toBe(plain.facts.kvBytesPerToken);
  });

  test.each([
    ['greedily', { temperature: 0 }],
    ['by a seed', { seed: 6 }],
    ['a list of numbers', { seed: 7, constraint: /(\d{1,3}, ){4,40}/ }],
  ])('writes the same %s', async (_name, options) => {
    for (const maxTokens of [2, 40, 300]) {
      const given = { ...options, maxTokens, ignoreEos: true };
      const [off, on, called] = [
        await plain.complete(prompt, given),
        await model.complete(prompt, given),
        await plain.complete(prompt, { ...given, speculate: true }),
      ];
      expect(on.tokens).toEqual(off.tokens);
      expect(called.tokens).toEqual(off.tokens);
    }
  });

  test('takes up a session that was saved without it', async () => {
    const told = [];
    for (const other of [plain, model]) {
      const session = await plain.createSession({ seed: 3, maxTokens: 30, ignoreEos: true });
      await session.prompt(prompt);
      const restored = await other.restore(await session.save());
      told.push(await restored.prompt('Go on.'));
    }
    expect(told[1]).toBe(told[0]);
  });

  test('is told only true or false', async () => {
    const error = await rejection(loadModel(file, { speculate: 'auto' }));
    expect([error.name, error.message]).toEqual(['TypeError', 'speculate must be true or false']);
  });
});

describe('the trained model', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel(DEMO);
  });
  afterAll(() => model.dispose());

  test.each([
    ['JSON of a schema', json],
    ['a regular expression', /(The (fox|bear) is (big|small)\. ){2,6}/],
    ['a choice', { type: 'choice', options: ['a very long answer', 'a very long story', 'no'] }],
  ])('is held to %s by the same tokens', async (_name, constraint) => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const options = { constraint, seed, temperature: seed % 2 ? 0.8 : 0, maxTokens: 150 };
      const off = await model.complete('Once upon a time', options);
      const on = await model.complete('Once upon a time', { ...options, speculate: true });
      expect(on.tokens).toEqual(off.tokens);
      expect([on.text, on.finishReason]).toEqual([off.text, off.finishReason]);
    }
  });

  test('reads what a schema leaves one way for together, where a pass costs what one token does', async () => {
    const options = { constraint: json, seed: 3, maxTokens: 200 };
    const { result, parts } = await withFreeRows(false, 'Describe a fox.', options);
    JSON.parse(result.text);
    expect(parts).toBeLessThan(0.75 * result.tokens.length);
    expect(result.acceptedTokens).toBe(result.tokens.length - parts);
  });

  test("has a block whose guesses are nearly always the model's own next choice", async () => {
    const begins = 'Once upon a time there was a fox';
    const options = { temperature: 0, maxTokens: 250 };
    const { result, parts } = await withFreeRows(true, begins, options);
    const { tokens, guessedTokens, acceptedTokens } = result;
    // Of seven guesses made one of another two in three would be right if each had a chance of 0.88.
    expect(guessedTokens).toBeGreaterThan(150);
    expect(acceptedTokens / guessedTokens).toBeGreaterThan(0.65);
    expect(parts).toBeLessThan(0.3 * tokens.length);
    const plain = await model.complete(begins, options);
    expect(tokens).toEqual(plain.tokens);
    expect([plain.guessedTokens, plain.acceptedTokens]).toEqual([0, 0]);
  });

  test('a conversation goes on, goes back and is saved as without', async () => {
    const told = [];
    for (const speculate of [false, true]) {
      const session = await model.createSession({ speculate, seed: 8, maxTokens: 60 });
      const first = await session.prompt('Tell me about a fox. Say it again and again and again.');
      const copy = await session.clone();
      const second = await session.prompt('Say it again.', { constraint: json });
      const other = await copy.prompt('Say it again.');
      const saved = await session.save();
      const restored = await model.restore(saved);
      const third = await restored.prompt('And again.');
      told.push([first, second, other, third]);
      for (const text of [session, copy, restored]) text.destroy();
    }
    expect(told[1]).toEqual(told[0]);
  });

  test('responds with the same parts', async () => {
    const told = [];
    for (const speculate of [false, true]) {
      const session = await model.createSession();
      const options = { constraint: json, seed: 3, speculate, maxTokens: 200 };
      const stream = session.respond('Describe a fox.', options);
      const parts = [];
      for await (const part of stream) parts.push(part.type === 'text' ? part.text : part.type);
      const { tokens, text, reasoningTokens } = await stream.result;
      told.push({ parts, tokens, text, reasoningTokens });
      session.destroy();
    }
    expect(told[1]).toEqual(told[0]);
  });

  test('is ended by a signal, and goes on', async () => {
    const session = await model.createSession({ speculate: true, seed: 2 });
    const controller = new AbortController();
    const { signal } = controller;
    const stream = session.promptStreaming('Tell me a story.', { signal, ignoreEos: true });
    const error = await rejection(
      (async () => {
        let pieces = 0;
        for await (const _ of stream) if (++pieces === 5) controller.abort();
      })(),
    );
    expect(error.name).toBe('AbortError');
    expect((await session.prompt('Another one.', { maxTokens: 20 })).length).toBeGreaterThan(10);
    session.destroy();
  });

  test('beside other texts each has its own', async () => {
    const options = (seed) => ({ seed, maxTokens: 60, constraint: json });
    const alone = [];
    for (const seed of [1, 2, 3]) alone.push(await model.complete('A fox', options(seed)));
    const together = await Promise.all(
      [1, 2, 3].map((seed) => model.complete('A fox', { ...options(seed), speculate: true })),
    );
    expect(together.map(({ tokens }) => tokens)).toEqual(alone.map(({ tokens }) => tokens));
  });

  test('refuses what is no yes or no', async () => {
    const error = await rejection(model.complete('A', { speculate: 'auto' }));
    expect([error.name, error.message]).toEqual([
      'TypeError',
      expect.stringMatching(/^speculate /),
    ]);
  });
});
