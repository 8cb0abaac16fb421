// SPDX-License-Identifier: MIT
// Where a text ends, and what is told of its tokens, does not depend on guesses.
import { jest } from '@jest/globals';
import { makeModel } from '../../tools/make-model.mjs';
import { DEMO, everyModel, loadModel } from './models.js';

// A pass takes as long as any other by this clock, so that whatever may be guessed is.
describe('where a pass costs what one token does', () => {
  let clock;
  beforeAll(() => {
    let now = 0;
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now++);
  });
  afterAll(() => clock.mockRestore());

  const prompt = 'The fox said: one, two, three, one, two, three, one, two, three, one, two,';
  const files = [
    ...everyModel.filter(([name]) => name === 'linear' || name === 'trained'),
    ['hybrid', () => makeModel({ shape: { layers: 2, fullAttentionInterval: 2 } })],
  ];

  describe.each(files)('a %s model', (_name, make) => {
    let model;
    beforeAll(async () => {
      model = await loadModel(make(), { worker: false });
    });
    afterAll(() => model.dispose());

    /** A call as it is, and with guesses: how many pieces each came in. */
    async function written(given, options) {
      const found = [];
      for (const speculate of [false, true]) {
        const stream = model.generate(given, { ...options, speculate });
        const pieces = [];
        for await (const piece of stream) pieces.push(piece);
        const { tokens, text, finishReason, stopString, logprobs } = await stream.result;
        expect(pieces.join('')).toBe(text);
        const result = { tokens, text, finishReason, stopString, logprobs };
        found.push({ result, pieces: pieces.length });
      }
      return found;
    }

    test('stops at the same letter, wherever a run of guesses is', async () => {
      // Of three tokens alone, what was said is said again.
      const few = await model.tokenize('abc');
      const logitBias = Object.fromEntries(few.map((id) => [id, 1000]));
      const how = { seed: 1, temperature: 2, maxTokens: 60, ignoreEos: true, logitBias };
      const { text } = await model.complete(prompt, how);
      let fewer = 0;
      for (let at = 1; at < text.length; at += 3) {
        const stop = [text.slice(at, at + 9), text.slice(at + 5, at + 13)].filter(Boolean);
        const [off, on] = await written(prompt, { ...how, stop });
        expect(on.result).toEqual(off.result);
        fewer += Number(on.pieces < off.pieces);
      }
      expect(fewer).toBeGreaterThan(0);
    });

    test.each([
      ['greedily', { temperature: 0 }],
      ['by a seed', { seed: 3 }],
      ['held to a form', { seed: 3, constraint: /(one|two|three)(, (one|two|three)){9,40}/ }],
    ])('gives the same log probabilities %s', async (_how, how) => {
      for (const logprobs of [0, 3]) {
        const options = { ...how, logprobs, maxTokens: 60, ignoreEos: true };
        const [off, on] = await written(prompt, options);
        expect(on.result.logprobs).toHaveLength(on.result.tokens.length);
        expect(on.result).toEqual(off.result);
      }
    });

    test('writes the same where others were held to the same form', async () => {
      const properties = {
        kind: { enum: ['fox', 'bear', 'robot'] },
        lives_in_the_forest: { type: 'boolean' },
        age: { type: 'integer', minimum: 1, maximum: 99 },
      };
      const required = Object.keys(properties);
      const schema = { type: 'object', properties, required, additionalProperties: false };
      const counts = [];
      for (let seed = 0; seed < 6; seed++) {
        const options = { seed, constraint: { type: 'json_schema', schema } };
        const [off, on] = await written(prompt, options);
        expect(on.result).toEqual(off.result);
        counts.push(on.pieces / off.pieces);
      }
      expect(Math.min(...counts.slice(1))).toBeLessThan(0.8);
    });

    test('leaves the same conversation where it was stopped', async () => {
      const saved = [];
      const told = [];
      for (const speculate of [false, true]) {
        const session = await model.createSession({ seed: 5, ignoreEos: true });
        const said = [];
        for (const stop of ['e', ['on', 'x']]) {
          said.push(
            await session.prompt(prompt, { stop, speculate, maxTokens: 9, temperature: 0 }),
          );
          said.push(await session.prompt('b', { stop, speculate, maxTokens: 9, penaltyWindow: 9 }));
        }
        saved.push(await session.save());
        told.push(said);
        session.destroy();
      }
      expect(told[1]).toEqual(told[0]);
      expect(Buffer.compare(saved[1], saved[0])).toBe(0);
    });

    test('reads no more at once than it has room for', async () => {
      const small = await loadModel(make(), { worker: false, batchTokens: 3 });
      const options = { temperature: 0, maxTokens: 40, ignoreEos: true };
      const off = await model.complete(prompt, options);
      const on = await small.complete(prompt, { ...options, speculate: true });
      expect(on.tokens).toEqual(off.tokens);
      await small.dispose();
    });
  });

  test.each([
    ['a call', { parallelToolCalls: false }],
    ['calls', {}],
    ['text or calls', { toolChoice: 'auto', maxTokens: 60, stop: 'fox' }],
    ['an answer that is stopped', { toolChoice: 'none', maxTokens: 60, stop: ['the', '.'] }],
  ])('with tools, %s', async (_name, how) => {
    const model = await loadModel(DEMO, { worker: false });
    const parameters = { type: 'object', properties: { sides: { type: 'integer' } } };
    const tools = ['roll_the_dice', 'roll_the_other_dice', 'names'].map((name) => ({
      name,
      parameters: { ...parameters, required: ['sides'], additionalProperties: false },
    }));
    let fewer = 0;
    for (const seed of [1, 2, 3]) {
      const [saved, told, steps] = [[], [], []];
      for (const speculate of [false, true]) {
        const session = await model.createSession({ tools, seed });
        const options = { toolChoice: 'required', maxTokens: 200, seed, logprobs: 1, ...how };
        const stream = session.respond('Roll a die!', { ...options, speculate });
        const texts = {};
        const lengths = new Set();
        for await (const { type, text, delta } of stream) {
          texts[type] = (texts[type] ?? '') + (text ?? delta ?? '');
          lengths.add(stream.logprobs.length);
        }
        const { timings: _t, memory: _m, ...rest } = await stream.result;
        // Of guesses alone: how many there were.
        const { guessedTokens: _g, acceptedTokens: _a, ...result } = rest;
        told.push({ texts, result });
        steps.push(lengths.size);
        saved.push(await session.save());
        session.destroy();
      }
      expect(told[1]).toEqual(told[0]);
      expect(Buffer.compare(saved[1], saved[0])).toBe(0);
      if (steps[1] < steps[0]) fewer++;
    }
    if (how.toolChoice === undefined) expect(fewer).toBe(3);
    await model.dispose();
  });
});
