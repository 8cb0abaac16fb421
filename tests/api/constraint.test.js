// SPDX-License-Identifier: MIT
import Ajv from 'ajv/dist/2020.js';
import { randomNumbers } from '../support/byte-level.js';
import { randomSchema } from '../support/constrained-text.js';
import { editModel } from './edit-model.js';
import {
  collect,
  DEMO,
  hybridModel,
  ids,
  linearModel,
  loadModel,
  logSoftmax,
  rejection,
} from './models.js';

const PROMPT = 'Once upon a time';
const HOT = { temperature: 1.5, topK: 0, topP: 1, minP: 0 };
const DATE = /\d{4}-\d\d-\d\d/;
const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 24 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
    kind: { enum: ['cat', 'Löwe', '🦊'] },
    score: { type: 'number', exclusiveMinimum: -0.5, maximum: 1 },
    tags: { type: 'array', items: { type: 'string', maxLength: 8 }, minItems: 1, maxItems: 3 },
    next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
  },
  required: ['name', 'age', 'kind', 'score', 'tags'],
  additionalProperties: false,
};
const person = { type: 'json_schema', schema: PERSON };
const validatorOf = (schema) => new Ajv({ strict: false, logger: false }).compile(schema);

let model;
let random;
let hybrid;
beforeAll(async () => {
  model = await loadModel(DEMO);
  random = await loadModel(linearModel());
  hybrid = await loadModel(hybridModel(), { worker: false });
});
afterAll(async () => {
  for (const one of [model, random, hybrid]) await one.dispose();
});

const write = (options, prompt = PROMPT) => collect(model.generate(prompt, options));
const writeRandom = (options, prompt = ids(5)) => collect(random.generate(prompt, options));
const byteBias = { logitBias: Object.fromEntries(Array.from({ length: 256 }, (_, id) => [id, 3])) };

describe('every text that ends is what was asked for', () => {
  test.each([
    ['hot', HOT],
    ['greedy', { temperature: 0 }],
    ['with its defaults', {}],
    ['with penalties', { repetitionPenalty: 4, frequencyPenalty: 3, presencePenalty: 5 }],
    ['with biases', { ...HOT, ...byteBias }],
  ])('%s', async (_, options) => {
    const validate = validatorOf(PERSON);
    for (let seed = 0; seed < 6; seed++) {
      const all = { ...options, seed, constraint: person, maxTokens: 300 };
      const { text, pieces, finishReason } = await write(all);
      expect(pieces.join('')).toBe(text);
      if (finishReason === 'stop') expect([text, validate(JSON.parse(text))]).toEqual([text, true]);
      else expect(finishReason).toBe('length');
    }
  });

  test('for random schemas, by models that draw as they like', async () => {
    const numbers = randomNumbers(77);
    let complete = 0;
    for (let seed = 0; seed < 40; seed++) {
      const schema = randomSchema(numbers, 2);
      const validate = validatorOf(schema);
      const constraint = { type: 'json_schema', schema };
      const options = { ...HOT, seed, constraint, maxTokens: 150 };
      for (const one of [model, random, hybrid]) {
        const result = await one
          .complete(one === model ? PROMPT : ids(3), options)
          .catch((error) => {
            expect(error).toBeInstanceOf(RangeError);
          });
        if (result?.finishReason !== 'stop') continue;
        complete++;
        expect([result.text, validate(JSON.parse(result.text))]).toEqual([result.text, true]);
      }
    }
    expect(complete).toBeGreaterThan(60);
  });

  test.each([
    [DATE],
    [/(?:é|☕|😀|日本){3}/],
    [/[\p{Lu}\p{Lo}]{5}/u],
    [/(yes|no)(, (yes|no)){2}\./],
  ])('for %s', async (regex) => {
    const whole = new RegExp(`^(?:${regex.source})$`, regex.flags);
    for (let seed = 0; seed < 10; seed++) {
      const options = { ...HOT, seed, constraint: regex };
      for (const { text, pieces, finishReason } of [
        await write(options),
        await writeRandom(options),
      ]) {
        expect(finishReason).toBe('stop');
        expect(text).toMatch(whole);
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }
    }
  });
});

test('a text ends with its last token, or where the model ends it', async () => {
  const fixed = await write({ constraint: /Hello there/, ...HOT });
  expect(fixed.text).toBe('Hello there');
  expect(await model.detokenize(fixed.tokens)).toBe('Hello there');
  const [end] = await model.tokenize('<|im_end|>');
  const open = await write({ constraint: /a+/, logitBias: { [end]: 100 } });
  expect(open.text).toMatch(/^a+$/);
  expect(open.tokens.at(-1)).toBe(end);
  const on = await write({ constraint: /a+/, ignoreEos: true, maxTokens: 9 });
  expect([on.finishReason, on.tokens.length, on.tokens.includes(end)]).toEqual([
    'length',
    9,
    false,
  ]);
});

test('what cuts a text is said', async () => {
  const cut = await write({ constraint: person, maxTokens: 4 });
  expect(cut.finishReason).toBe('length');
  const exact = await write({ constraint: DATE, temperature: 0 });
  const same = await write({ constraint: DATE, temperature: 0, maxTokens: exact.tokens.length });
  expect(same).toMatchObject({ text: exact.text, finishReason: 'stop' });
  const stopped = await write({ constraint: person, stop: '"age"' });
  expect(stopped).toMatchObject({ finishReason: 'stop', stopString: '"age"' });
});

test('it goes before biases that forbid all that may follow', async () => {
  const all = Object.fromEntries(
    Array.from({ length: model.vocabSize }, (_, id) => [id, -Infinity]),
  );
  const { text } = await write({ constraint: DATE, logitBias: all });
  expect(text).toMatch(/^\d{4}-\d\d-\d\d$/);
  const { tokens } = await write({ constraint: /(cat|dog)/, logitBias: { 100: 100 }, ...HOT });
  expect(tokens).not.toContain(100);
});

test("an allowed text is drawn as without a constraint, and log probabilities are the model's", async () => {
  const options = { ...HOT, seed: 4, maxTokens: 20, logprobs: 2 };
  const plain = await write(options);
  const held = await write({ ...options, constraint: /[\s\S]*/u });
  expect(held.tokens).toEqual(plain.tokens);
  const { logprobs, tokens } = await write({ ...options, constraint: /[0-9]{3}/ });
  const prompt = await model.tokenize(PROMPT);
  const wanted = logSoftmax(await model.logits(prompt));
  expect(Math.abs(logprobs[0].logprob - wanted[tokens[0]])).toBeLessThan(1e-3);
});

describe('what was allowed', () => {
  const options = { ...HOT, seed: 4, maxTokens: 40 };

  test('is counted at each token, and likely as in the logits', async () => {
    const { logprobs, tokens } = await write({ ...options, logprobs: 5, constraint: /(yes|no)!/ });
    const prompt = await model.tokenize(PROMPT);
    for (const [i, { allowed, alternatives }] of logprobs.entries()) {
      const before = tokens.slice(0, i);
      const written = await model.detokenize(before);
      const wanted = logSoftmax(await model.logits([...prompt, ...before]));
      const going = ['yes!', 'no!'].filter((whole) => whole.startsWith(written));
      const ids = [];
      for (let id = 0; id < model.vocabSize; id++) {
        const text = written + (await model.detokenize([id]));
        // What of a text may follow is a beginning of one of the two that match.
        if (text !== written && going.some((whole) => whole.startsWith(text))) ids.push(id);
      }
      // And where but one is left, what encoding it gives.
      if (going.length === 1) {
        const rest = await model.tokenize(
          (await model.detokenize(before.slice(-1))) + going[0].slice(written.length),
        );
        expect(ids).toContain(rest[1]);
        ids.splice(0, ids.length, rest[1]);
      }
      ids.sort((a, b) => wanted[b] - wanted[a]);
      expect(allowed.count).toBe(ids.length);
      expect(allowed.likeliest.map(({ token }) => token)).toEqual(ids.slice(0, 5));
      for (const { token, logprob } of allowed.likeliest) {
        expect(Math.abs(logprob - wanted[token])).toBeLessThan(1e-3);
      }
      const share = ids.reduce((sum, id) => sum + Math.exp(wanted[id]), 0);
      expect(Math.abs(allowed.logprob - Math.log(share))).toBeLessThan(1e-3);
      // Beside it stands what the model itself would have said.
      expect(Math.abs(alternatives[0].logprob - Math.max(...wanted))).toBeLessThan(1e-3);
    }
    expect(logprobs.at(-1).allowed.count).toBe(1);
  });

  test('is one token or the end where the text may end', async () => {
    const { logprobs } = await write({ temperature: 0, logprobs: 3, constraint: /a{0,2}/ });
    const [end] = await model.tokenize('<|im_end|>');
    const first = logprobs[0].allowed;
    expect(first.likeliest.map(({ token }) => token)).toContain(end);
    expect(first.count).toBe(first.likeliest.length);
  });

  test('is all of a vocabulary that is free, and nothing without a constraint', async () => {
    const free = await write({ ...options, maxTokens: 1, logprobs: 2, constraint: /[\s\S]*/u });
    const [{ allowed, alternatives }] = free.logprobs;
    expect(allowed.likeliest).toEqual(alternatives);
    expect(allowed.count).toBeGreaterThan(model.vocabSize / 2);
    expect(allowed.count).toBeLessThanOrEqual(model.vocabSize);
    expect(allowed.logprob).toBeGreaterThan(-1e-3);
    expect(allowed.logprob).toBeLessThanOrEqual(0);
    const plain = await write({ ...options, maxTokens: 1, logprobs: 2 });
    expect('allowed' in plain.logprobs[0]).toBe(false);
  });

  test('changes no draw, and is told without alternatives too', async () => {
    const asked = await write({ ...options, logprobs: 0, constraint: DATE });
    const unasked = await write({ ...options, constraint: DATE });
    expect(asked.tokens).toEqual(unasked.tokens);
    expect(asked.logprobs.map(({ allowed }) => allowed.likeliest)).toEqual(
      asked.tokens.map(() => []),
    );
    expect(asked.logprobs.every(({ allowed }) => allowed.count > 0)).toBe(true);
  });
});

test('a session is held for one prompt, its clone as well, and goes on', async () => {
  const session = await model.createSession({ ...HOT, seed: 8 });
  expect(await session.prompt('When?', { constraint: DATE })).toMatch(/^\d{4}-\d\d-\d\d$/);
  const clone = await session.clone();
  for (const one of [session, clone]) {
    const free = await one.prompt('Tell a story.', { maxTokens: 30, temperature: 0 });
    expect(free).not.toMatch(/^[\d-]*$/);
    const pieces = [];
    for await (const piece of one.promptStreaming('Who?', { constraint: person, maxTokens: 300 })) {
      pieces.push(piece);
    }
    if (one.stats.finishReason === 'stop') {
      expect(validatorOf(PERSON)(JSON.parse(pieces.join('')))).toBe(true);
    }
    await one[Symbol.asyncDispose]();
  }
});

test('several texts at once keep to their own', async () => {
  const texts = await Promise.all(
    [DATE, /[ab]{20}/, { type: 'json_object' }, /[cd]{20}/].map((constraint, seed) =>
      model.complete(PROMPT, { ...HOT, constraint, seed, maxTokens: 40 }),
    ),
  );
  expect(texts[0].text).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(texts[1].text).toMatch(/^[ab]{20}$/);
  expect(texts[2].text).toMatch(/^\{/);
  expect(texts[3].text).toMatch(/^[cd]{20}$/);
});

test('an abort is heard, and the next text is free', async () => {
  const controller = new AbortController();
  const stream = model.generate(PROMPT, {
    constraint: /[\s\S]*/u,
    ignoreEos: true,
    maxTokens: 1e6,
    signal: controller.signal,
  });
  const error = await rejection(
    (async () => {
      for await (const _ of stream) controller.abort(new Error('enough'));
    })(),
  );
  expect(error.message).toBe('enough');
  const { text } = await write({ temperature: 0, maxTokens: 6 });
  expect(text).toBe(', there was a little boy');
});

describe('refusals come before any token', () => {
  test.each([
    [5, TypeError],
    [{ type: 'xml' }, TypeError],
    [null, TypeError],
    [{ type: 'json_schema' }, TypeError],
    [{ type: 'regex', pattern: 7 }, TypeError],
  ])('%j at once', (constraint, kind) => {
    expect(() => model.generate(PROMPT, { constraint })).toThrow(kind);
    expect(() => model.generate(PROMPT, { constraint })).toThrow('constraint');
  });

  test.each([
    [{ type: 'json_schema', schema: { uniqueItems: true } }, TypeError, "'uniqueItems'"],
    [{ type: 'json_schema', schema: false }, RangeError, 'no text'],
    [{ type: 'regex', pattern: '(' }, TypeError, 'Invalid'],
    [/a^/, RangeError, 'no text'],
  ])('%j as the engine reads it', async (constraint, kind, words) => {
    const session = await model.createSession({ temperature: 0 });
    for (const call of [
      () => collect(model.generate(PROMPT, { constraint })),
      () => session.prompt('Hello.', { constraint }),
    ]) {
      const error = await rejection(call());
      expect(error.name).toBe(kind.name);
      expect(error.message).toContain(words);
    }
    expect(session.contextUsage).toBe(0);
    expect((await session.prompt('Hello.', { maxTokens: 3 })).length).toBeGreaterThan(0);
    await session[Symbol.asyncDispose]();
  });

  test('a vocabulary that cannot write it is at fault', async () => {
    const types = Array.from({ length: random.vocabSize }, () => 1);
    const [seven] = await random.tokenize('7');
    types[seven] = 5;
    const gap = await loadModel(
      editModel(linearModel(), { set: { 'tokenizer.ggml.token_type': ['array', types, 'int32'] } }),
    );
    const error = await rejection(gap.complete(ids(3), { constraint: /77/ }));
    expect(error).toMatchObject({ code: 'unsupported_tokenizer', subject: 'constraint' });
    const { text } = await gap.complete(ids(3), { constraint: /[78]{3}/, ...HOT });
    expect(text).toBe('888');
    await gap.dispose();
  });
});
