// SPDX-License-Identifier: MIT
// What a session is made with holds for all its prompts, for its clones, and after a restore.

import { makeModel } from '../../tools/make-model.mjs';
import { DEMO, hybridModel, loadModel } from './models.js';

const DATE = /\d{4}-\d\d-\d\d/;
const ASK = 'Write a story about a fox.';

describe('a session of the small story model', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel(DEMO);
  });
  afterAll(() => model.dispose());

  // The same defaults, as a session has them that was made with them, cloned and restored.
  async function each(defaults, hold) {
    const session = await model.createSession({ temperature: 0, ...defaults });
    const clone = await session.clone();
    const restored = await model.restore(await session.save());
    const twice = await model.restore(await restored.save());
    for (const one of [session, clone, restored, twice]) {
      await hold(one);
      await one[Symbol.asyncDispose]();
    }
  }

  test('maxTokens', () =>
    each({ maxTokens: 3 }, async (session) => {
      await session.prompt(ASK);
      expect(session.stats.tokens).toHaveLength(3);
      expect(session.stats.finishReason).toBe('length');
      await session.prompt(ASK, { maxTokens: 4 });
      expect(session.stats.tokens).toHaveLength(4);
    }));

  test('no limit at all', () =>
    each({ maxTokens: Number.POSITIVE_INFINITY, stop: 'there' }, async (session) => {
      expect(await session.prompt(ASK)).toBe('Once upon a time, ');
      expect(session.stats.stopString).toBe('there');
      expect(await session.prompt(ASK, { stop: [], maxTokens: 9 })).toContain('there');
    }));

  test.each([
    ['an expression', DATE],
    ['an expression of a kind', { type: 'regex', pattern: DATE }],
    ['a text of one', { type: 'regex', pattern: '\\d{4}-\\d\\d-\\d\\d' }],
    ['one with flags', /\p{Nd}{4}-\d\d-\d\d/u],
  ])('a constraint: %s', (_, constraint) =>
    each({ constraint }, async (session) => {
      expect(await session.prompt('When?')).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(await session.prompt('Yes?', { constraint: /yes|no/ })).toMatch(/^(yes|no)$/);
    }),
  );

  test('a schema', () =>
    each({ constraint: { type: 'json_schema', schema: { enum: [7] } } }, async (session) => {
      expect(await session.prompt('How many?')).toBe('7');
    }));

  test('none: what comes to its end is not cut', () =>
    each({}, async (session) => {
      await session.prompt(ASK);
      expect(session.stats.finishReason).toBe('stop');
    }));

  test('tokens that are forbidden, log probabilities and no end', async () => {
    const [once] = await model.tokenize('Once');
    await each(
      { logitBias: { [once]: -Infinity }, logprobs: 1, ignoreEos: true, maxTokens: 5 },
      async (session) => {
        const stream = session.promptStreaming(ASK);
        for await (const _ of stream);
        const { tokens, logprobs } = await stream.result;
        expect(tokens).not.toContain(once);
        expect(tokens).toHaveLength(5);
        expect(logprobs).toHaveLength(5);
      },
    );
  });
});

describe('without maxTokens', () => {
  const NEVER = { ignoreEos: true, seed: 1 };

  test('a text fills the context window, and says that it was cut', async () => {
    const model = await loadModel(hybridModel());
    const { tokens, promptTokens, finishReason } = await model.complete('Hi', NEVER);
    // The last token has been drawn, and need not be read.
    expect(promptTokens.length + tokens.length - 1).toBe(model.contextWindow);
    expect(finishReason).toBe('length');
    const session = await model.createSession(NEVER);
    await session.prompt('Hi');
    expect(session.stats.finishReason).toBe('length');
    expect(session.contextUsage).toBe(model.contextWindow);
    await model.dispose();
  });

  test('one without a window is as long as the context that its file names', async () => {
    const shape = { layers: 1, fullAttentionInterval: 0, contextLength: 1500 };
    const model = await loadModel(makeModel({ shape }));
    expect(model.contextWindow).toBe(Number.POSITIVE_INFINITY);
    const session = await model.createSession(NEVER);
    for (let turn = 0; turn < 2; turn++) {
      await session.prompt('Hi');
      expect(session.stats.tokens).toHaveLength(1500);
      expect(session.stats.finishReason).toBe('length');
    }
    const maxTokens = Number.POSITIVE_INFINITY;
    const stream = model.generate('Hi', { ...NEVER, maxTokens });
    const reader = stream.getReader();
    for (let pieces = 0; pieces < 1600; pieces++) expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect((await stream.result).tokens.length).toBeGreaterThan(1500);
    await model.dispose();
  });
});
