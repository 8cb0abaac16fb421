// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import {
  collect,
  DEMO,
  demoReference,
  fixtures,
  goldenFloats,
  goldenPath,
  loadModel,
  relativeError,
} from './models.js';

describe.each(fixtures)('$name', ({ path, sequences }) => {
  let model;
  beforeAll(async () => {
    model = await loadModel(path);
  });
  afterAll(() => model.dispose());

  test.each(sequences.map((sequence) => [sequence.ids.length, sequence]))(
    'the logits after each of %i tokens are those of the reference',
    async (count, { ids, logits }) => {
      const all = await model.logits(ids, { all: true });
      expect(relativeError(all, logits)).toBeLessThan(1e-5);
      const vocab = model.vocabSize;
      for (let i = 0; i < count; i++) {
        const row = [i * vocab, (i + 1) * vocab];
        expect(relativeError(all.subarray(...row), logits.subarray(...row))).toBeLessThan(1e-4);
      }
      const last = await model.logits(ids);
      expect(relativeError(last, logits.subarray(-vocab))).toBeLessThan(1e-5);
    },
  );

  test.each(sequences.map((sequence) => [sequence.ids.length, sequence]))(
    'the greedy tokens after %i tokens are those of the reference',
    async (_count, { ids, greedy16 }) => {
      const stream = model.generate(ids, { temperature: 0, maxTokens: 16, ignoreEos: true });
      const { tokens, promptTokens } = await collect(stream);
      expect(tokens).toEqual(greedy16);
      expect(promptTokens).toEqual(ids);
    },
  );

  test('tokens read one by one leave the logits that tokens read at once leave', async () => {
    const { ids } = sequences.at(-1);
    const vocab = model.vocabSize;
    const atOnce = await model.logits(ids, { all: true });
    const { tokens, logprobs } = await collect(
      model.generate(ids.slice(0, 65), {
        temperature: 0,
        maxTokens: 20,
        ignoreEos: true,
        logprobs: 20,
      }),
    );
    const whole = await model.logits([...ids.slice(0, 65), ...tokens], { all: true });
    // Positions up to the prompt's end do not depend on what follows.
    expect(
      relativeError(whole.subarray(0, 65 * vocab), atOnce.subarray(0, 65 * vocab)),
    ).toBeLessThan(1e-5);
    for (const [i, { token, logprob, alternatives }] of logprobs.entries()) {
      const row = whole.subarray((64 + i) * vocab, (65 + i) * vocab);
      const offset = row[token] - logprob;
      for (const other of alternatives) {
        expect(Math.abs(row[other.token] - other.logprob - offset)).toBeLessThan(2e-3);
      }
    }
  });
});

describe('the small story model', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel(DEMO);
  });
  afterAll(() => model.dispose());

  test.each(demoReference.prompts)(
    'encodes prompt $number as the reference does',
    async ({ text, ids }) => {
      expect(await model.tokenize(text)).toEqual(ids);
      expect(await model.detokenize(ids)).toBe(text);
    },
  );

  test.each(demoReference.prompts)(
    'has the logits of the float model after prompt $number, but for its rounding',
    async ({ ids, logits }) => {
      const error = relativeError(await model.logits(ids), goldenFloats(`demo/${logits}`));
      expect(error).toBeLessThan(0.02);
      // Exactly the same would mean that the reference was not measured against.
      expect(error).toBeGreaterThan(1e-4);
    },
  );

  test('goes on from "Once upon a time" with the tokens of the float model', async () => {
    const [{ text, greedy }] = demoReference.prompts;
    // The 49th is within 0.01 of the next: rounding may choose another, and another story.
    const { tokens } = await collect(model.generate(text, { temperature: 0, maxTokens: 40 }));
    expect(tokens).toEqual(greedy.slice(0, 40));
  });

  test.each(demoReference.prompts)(
    'ranks the tokens with which the float model goes on from prompt $number first, or next to it',
    async ({ ids, greedy }) => {
      const logits = await model.logits([...ids, ...greedy], { all: true });
      const behind = greedy.map((token, i) => {
        const row = logits
          .subarray((ids.length + i - 1) * model.vocabSize)
          .subarray(0, model.vocabSize);
        return row.reduce((a, b) => Math.max(a, b)) - row[token];
      });
      // How many are not first is a matter of near ties; by how much they miss it is not.
      expect(behind.reduce((sum, distance) => sum + distance, 0)).toBeLessThan(0.05);
    },
  );

  test('predicts held-out text as well as the float model', async () => {
    const { perplexity: wanted } = demoReference;
    const text = readFileSync(goldenPath(`demo/${wanted.text}`), 'utf8');
    const done = [];
    const score = await model.perplexity(text, {
      context: wanted.context,
      onProgress: (...progress) => done.push(progress),
    });
    expect(score.tokens).toBe(wanted.tokens);
    expect(score.scored).toBe(wanted.scored);
    expect(done).toEqual([1, 2, 3, 4, 5, 6].map((window) => [window, 6]));
    expect(Math.abs(score.perplexity / wanted.perplexity - 1)).toBeLessThan(0.005);
    expect(Math.abs(score.bitsPerByte / wanted.bitsPerByte - 1)).toBeLessThan(0.005);
    expect(score.perplexity).toBeCloseTo(Math.exp(score.nll / score.scored), 10);
  });
});
