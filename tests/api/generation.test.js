// SPDX-License-Identifier: MIT
import { collect, DEMO, demoReference, ids, linearModel, loadModel, logSoftmax } from './models.js';

const PROMPT = 'Once upon a time';
const OPENING = ', there was a little boy who loved to play with blocks. Everyone called him Wes. ';
const END_OF_TURN = 4095;
const FREE = { temperature: 1.5, topK: 0, topP: 1, minP: 0 };

let model;
let random;
beforeAll(async () => {
  model = await loadModel(DEMO);
  random = await loadModel(linearModel());
});
afterAll(async () => {
  await model.dispose();
  await random.dispose();
});

const write = (options, prompt = PROMPT) => collect(model.generate(prompt, options));
const greedy = (options, prompt) => write({ temperature: 0, ...options }, prompt);
const writeRandom = (options, prompt = ids(5)) =>
  collect(random.generate(prompt, { ignoreEos: true, ...options }));

describe('sampling', () => {
  test('the same seed gives the same text, and another seed another', async () => {
    const first = await write({ ...FREE, seed: 5, maxTokens: 24 });
    const again = await write({ ...FREE, seed: 5, maxTokens: 24 });
    const other = await write({ ...FREE, seed: 6, maxTokens: 24 });
    expect(again.tokens).toEqual(first.tokens);
    expect(again.text).toBe(first.text);
    expect(other.tokens).not.toEqual(first.tokens);
    expect(first.seed).toBe(5);
  });

  test('all 53 bits of the seed count', async () => {
    const low = await writeRandom({ ...FREE, seed: 1, maxTokens: 12 });
    const high = await writeRandom({ ...FREE, seed: 2 ** 52 + 1, maxTokens: 12 });
    const carry = await writeRandom({ ...FREE, seed: 2 ** 32 + 1, maxTokens: 12 });
    expect(high.tokens).not.toEqual(low.tokens);
    expect(carry.tokens).not.toEqual(low.tokens);
    expect(carry.tokens).not.toEqual(high.tokens);
  });

  test('without a seed texts differ, and the seed of the result gives the same text again', async () => {
    const first = await write({ ...FREE, maxTokens: 16 });
    const other = await write({ ...FREE, maxTokens: 16 });
    expect(other.tokens).not.toEqual(first.tokens);
    expect(Number.isSafeInteger(first.seed)).toBe(true);
    const again = await write({ ...FREE, maxTokens: 16, seed: first.seed });
    expect(again.tokens).toEqual(first.tokens);
  });

  test('temperature 0 and topK 1 take the most likely token each time', async () => {
    const tokens = ids(9);
    const wanted = [];
    for (let i = 0; i < 12; i++) {
      const logits = await random.logits([...tokens, ...wanted]);
      wanted.push(logits.indexOf(logits.reduce((a, b) => Math.max(a, b))));
    }
    const cold = await writeRandom({ temperature: 0, maxTokens: 12 }, tokens);
    const single = await writeRandom({ temperature: 2, topK: 1, maxTokens: 12 }, tokens);
    expect(cold.tokens).toEqual(wanted);
    expect(single.tokens).toEqual(wanted);
  });

  test('draws follow the distribution', async () => {
    const prompt = ids(4);
    const wanted = logSoftmax(await random.logits(prompt)).map((x) => Math.exp(x));
    const best = wanted.indexOf(Math.max(...wanted));
    const draws = 600;
    let hits = 0;
    for (let seed = 0; seed < draws; seed++) {
      const { tokens } = await writeRandom(
        { temperature: 1, topK: 0, topP: 1, minP: 0, maxTokens: 1, seed },
        prompt,
      );
      if (tokens[0] === best) hits += 1;
    }
    const p = wanted[best];
    // Four standard deviations; the seeds are fixed, so this cannot fail by chance.
    expect(Math.abs(hits / draws - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / draws));
    expect(p).toBeGreaterThan(0.02);
    expect(p).toBeLessThan(0.98);
  });

  test('topK, topP and minP leave only the tokens they should', async () => {
    const prompt = ids(4);
    const probabilities = logSoftmax(await random.logits(prompt)).map((x) => Math.exp(x));
    const ranked = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a]);
    const drawn = async (options) => {
      const found = new Set();
      for (let seed = 0; seed < 150; seed++) {
        const all = { temperature: 1, topK: 0, topP: 1, minP: 0, ...options, maxTokens: 1, seed };
        found.add((await writeRandom(all, prompt)).tokens[0]);
      }
      return found;
    };
    const nucleus = (p) => {
      let sum = 0;
      return ranked.filter((token) => {
        const before = sum;
        sum += probabilities[token];
        return before < p;
      });
    };
    const likely = (p) =>
      ranked.filter((token) => probabilities[token] >= p * probabilities[ranked[0]]);
    // Limits between the third and the fourth token, whatever the model.
    const [first, second, third, fourth] = ranked.map((token) => probabilities[token]);
    const topP = first + second + third / 2;
    const minP = (third + fourth) / 2 / first;
    expect(nucleus(topP)).toHaveLength(3);
    expect(likely(minP)).toHaveLength(3);
    for (const [options, allowed] of [
      [{ topK: 3 }, ranked.slice(0, 3)],
      [{ topP }, nucleus(topP)],
      [{ minP }, likely(minP)],
    ]) {
      const found = await drawn(options);
      expect([...found].filter((token) => !allowed.includes(token))).toEqual([]);
      expect(found.size).toBeGreaterThan(1);
    }
    expect((await drawn({})).size).toBeGreaterThan(20);
  });

  test('a bias of -Infinity forbids a token and one of 100 forces it', async () => {
    const { tokens } = await greedy({ maxTokens: 1 });
    const [best] = tokens;
    const without = await greedy({ maxTokens: 8, logitBias: { [best]: -Infinity } });
    expect(without.tokens).not.toContain(best);
    const forced = await write({ maxTokens: 8, logitBias: { 1234: 100 } });
    expect(forced.tokens).toEqual(Array(8).fill(1234));
    const neither = await write({ ...FREE, maxTokens: 4, logitBias: { 77: 100, 1234: -Infinity } });
    expect(neither.tokens).toEqual(Array(4).fill(77));
  });

  test('a bias ends with its call', async () => {
    const session = await model.createSession({ temperature: 0 });
    const options = { maxTokens: 3, logitBias: { 1234: 100 } };
    await session.prompt('Hello.', options);
    expect(session.stats.tokens).toEqual([1234, 1234, 1234]);
    await session.prompt('Hello.', { maxTokens: 3 });
    expect(session.stats.tokens).not.toContain(1234);
    await session[Symbol.asyncDispose]();
  });

  test.each([
    ['repetitionPenalty', 1e6],
    ['frequencyPenalty', 1e3],
    ['presencePenalty', 1e3],
  ])('%s keeps tokens from being repeated within its window', async (name, value) => {
    const options = { temperature: 0, maxTokens: 24, logitBias: { 33: 40, 44: 30 } };
    const plain = await writeRandom(options);
    expect(new Set(plain.tokens).size).toBe(1);
    const varied = await writeRandom({ ...options, [name]: value });
    expect(new Set(varied.tokens).size).toBe(24);
    const off = await writeRandom({ ...options, [name]: value, penaltyWindow: 0 });
    expect(off.tokens).toEqual(plain.tokens);
    const short = await writeRandom({ ...options, [name]: value, penaltyWindow: 1 });
    expect(short.tokens.every((token, i) => token !== short.tokens[i - 1])).toBe(true);
    expect(new Set(short.tokens).size).toBeLessThan(24);
  });
});

describe('the end of a text', () => {
  test('maxTokens is met exactly, with the finish reason length', async () => {
    for (const maxTokens of [1, 2, 17]) {
      const { tokens, finishReason, stopString } = await greedy({ maxTokens });
      expect(tokens).toEqual(demoReference.prompts[0].greedy.slice(0, maxTokens));
      expect(finishReason).toBe('length');
      expect(stopString).toBeUndefined();
    }
  });

  test('the end token stops a text and is not part of it', async () => {
    const { tokens, text, finishReason } = await greedy({ logitBias: { [END_OF_TURN]: 100 } });
    expect(tokens).toEqual([END_OF_TURN]);
    expect(text).toBe('');
    expect(finishReason).toBe('stop');
  });

  test('an answer ends by itself', async () => {
    const { text: prompt } = demoReference.prompts[1];
    const { tokens, text, finishReason } = await greedy({ maxTokens: 1000 }, prompt);
    expect(finishReason).toBe('stop');
    expect(tokens.at(-1)).toBe(END_OF_TURN);
    expect(tokens.length).toBeGreaterThan(50);
    expect(tokens.slice(0, -1)).not.toContain(END_OF_TURN);
    expect(text).not.toContain('<|im_end|>');
    expect(text).toBe(await model.detokenize(tokens, { special: false }));
  });

  test('ignoreEos goes on after the end token', async () => {
    const { tokens, text, finishReason } = await greedy({
      ignoreEos: true,
      maxTokens: 6,
      logitBias: { [END_OF_TURN]: 100 },
    });
    expect(tokens).toEqual(Array(6).fill(END_OF_TURN));
    expect(text).toBe('');
    expect(finishReason).toBe('length');
  });

  const CUT = [
    ['a whole word', ['blocks'], 'blocks'],
    ['several words', ['boy who'], 'boy who'],
    ['the middle of tokens', ['oved to pl'], 'oved to pl'],
    ['the very beginning', [','], ','],
    ['the first of several', ['Everyone', 'blocks', 'boy'], 'boy'],
    ['the longest that ends at one place', ['boy', 'little boy'], 'little boy'],
    ['one that begins like another', ['boy whom', 'boy who l'], 'boy who l'],
  ];
  test.each(CUT)('a stop string cuts before %s', async (_name, stop, met) => {
    const { text, pieces, stopString, finishReason, tokens } = await greedy({
      maxTokens: 40,
      stop,
    });
    expect(text).toBe(OPENING.slice(0, OPENING.indexOf(met)));
    expect(pieces.join('')).toBe(text);
    expect(stopString).toBe(met);
    expect(finishReason).toBe('stop');
    // No more was drawn than the stop string needed.
    expect(await model.detokenize(tokens.slice(0, -1))).not.toContain(met);
  });

  test('a stop string may be given without a list', async () => {
    expect((await greedy({ maxTokens: 40, stop: 'boy' })).stopString).toBe('boy');
  });

  test('pieces never show the beginning of a stop string that is met later', async () => {
    const stop = 'boy who loved to play';
    let shown = '';
    const stream = model.generate(PROMPT, { temperature: 0, maxTokens: 40, stop });
    for await (const piece of stream) {
      shown += piece;
      expect(OPENING.slice(0, OPENING.indexOf(stop))).toContain(shown);
    }
    expect(shown).toBe(', there was a little ');
  });

  test('a stop string that is not met changes nothing, even when the text ends within it', async () => {
    const plain = await greedy({ maxTokens: 30 });
    const same = await greedy({ maxTokens: 30, stop: ['boy whom', 'Wes!', 'never'] });
    expect(same.text).toBe(plain.text);
    expect(same.tokens).toEqual(plain.tokens);
    expect(same.stopString).toBeUndefined();
    const short = await greedy({ maxTokens: 6 });
    expect(short.text).toBe(', there was a little boy');
    const within = await greedy({ maxTokens: 6, stop: ' boy who' });
    expect(within.text).toBe(short.text);
    expect(within.finishReason).toBe('length');
  });
});

describe('log probabilities', () => {
  test('are those of the logits, best first, whatever the sampling', async () => {
    const { ids: prompt } = demoReference.prompts[0];
    const options = { temperature: 1.3, seed: 3, maxTokens: 6, logprobs: 20, ignoreEos: true };
    const { logprobs, tokens } = await write({ ...options, logitBias: { 500: 3 } }, prompt);
    expect(logprobs.map(({ token }) => token)).toEqual(tokens);
    for (const [i, { token, logprob, alternatives }] of logprobs.entries()) {
      const wanted = logSoftmax(await model.logits([...prompt, ...tokens.slice(0, i)]));
      expect(Math.abs(logprob - wanted[token])).toBeLessThan(1e-3);
      const ranked = [...wanted].sort((a, b) => b - a);
      expect(alternatives).toHaveLength(20);
      for (const [rank, other] of alternatives.entries()) {
        expect(Math.abs(other.logprob - ranked[rank])).toBeLessThan(1e-3);
        expect(Math.abs(other.logprob - wanted[other.token])).toBeLessThan(1e-3);
      }
      expect(new Set(alternatives.map((other) => other.token)).size).toBe(20);
      const sum = alternatives.reduce((total, other) => total + Math.exp(other.logprob), 0);
      expect(sum).toBeLessThanOrEqual(1 + 1e-5);
      expect(sum).toBeGreaterThan(0.1);
    }
  });

  test('show tokens as text', async () => {
    const { logprobs } = await greedy({ maxTokens: 6, logprobs: 1 });
    expect(logprobs.map(({ text }) => text)).toEqual([
      ',',
      ' there',
      ' was',
      ' a',
      ' little',
      ' boy',
    ]);
    expect(logprobs.map(({ alternatives }) => alternatives[0].text)).toEqual(
      logprobs.map(({ text }) => text),
    );
  });

  test('come with their pieces', async () => {
    const options = { temperature: 0, logprobs: 2, stop: ['little'] };
    const stream = model.generate('Once upon a time', options);
    let written = '';
    for await (const piece of stream) {
      written += piece;
      const told = stream.logprobs.map(({ text }) => text).join('');
      expect(told.startsWith(written)).toBe(true);
      // At most what is held back for the stop string, and a piece ahead of the reader.
      expect(told.length - written.length).toBeLessThan(20);
    }
    expect(stream.logprobs).toEqual((await stream.result).logprobs);
    expect(stream.logprobs.at(-1).text).toBe(' little');
    const silent = model.generate('Once upon a time', { maxTokens: 3 });
    await collect(silent);
    expect(silent.logprobs).toEqual([]);
  });

  test('come without alternatives for 0 and not at all without being asked for', async () => {
    const none = await greedy({ maxTokens: 3, logprobs: 0 });
    expect(none.logprobs.map(({ alternatives }) => alternatives)).toEqual([[], [], []]);
    expect((await greedy({ maxTokens: 3 })).logprobs).toBeUndefined();
  });
});

describe('a stream', () => {
  test('gives in pieces the text that prompt() gives whole', async () => {
    const options = { ...FREE, temperature: 0.9, seed: 11, maxTokens: 40 };
    const whole = await model.createSession();
    const text = await whole.prompt('Write a story about a dog.', options);
    const streamed = await model.createSession();
    const stream = streamed.promptStreaming('Write a story about a dog.', options);
    const { pieces, text: joined } = await collect(stream);
    expect(pieces.length).toBeGreaterThan(20);
    expect(pieces.join('')).toBe(text);
    expect(joined).toBe(text);
    expect(streamed.stats.tokens).toEqual(whole.stats.tokens);
    whole.destroy();
    streamed.destroy();
  });

  test('is a ReadableStream that can be read and piped', async () => {
    const stream = model.generate(PROMPT, { temperature: 0, maxTokens: 8 });
    const chunks = [];
    await stream.pipeTo(new WritableStream({ write: (chunk) => void chunks.push(chunk) }));
    expect(chunks.join('')).toBe(OPENING.slice(0, chunks.join('').length));
    expect(chunks.join('')).toBe((await stream.result).text);
  });

  // The bytes of one character, drawn in turn: each is barred for as long as the others take.
  const cycle = async (character, count) => {
    const bytes = [...new TextEncoder().encode(character)];
    const vocabulary = await Promise.all(
      Array.from({ length: 256 }, async (_, id) => ({ id, byte: await byteOf(id) })),
    );
    const order = bytes.map((byte) => vocabulary.find((entry) => entry.byte === byte).id);
    expect(new Set(order).size).toBe(bytes.length);
    return writeRandom(
      {
        temperature: 0,
        maxTokens: count,
        logitBias: Object.fromEntries(order.map((id, i) => [id, 9e5 - 1e5 * i])),
        frequencyPenalty: 1e6,
        penaltyWindow: bytes.length - 1,
      },
      [500],
    );
  };
  // The tokens of a model from make-model begin with the 256 bytes: printable ones, then the others.
  const printable = (byte) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  const order = [...all.filter(printable), ...all.filter((byte) => !printable(byte))];
  const byteOf = async (id) => order[id];

  test.each(['é', '☕', '😀'])('shows %s only whole', async (character) => {
    const length = new TextEncoder().encode(character).length;
    const { pieces, text } = await cycle(character, 5 * length);
    expect(text).toBe(character.repeat(5));
    expect(pieces).toEqual(Array(5).fill(character));
  });

  test('shows a character that is never completed as a replacement character', async () => {
    const { pieces, text } = await cycle('😀', 10);
    expect(text).toBe('😀😀\uFFFD');
    expect(pieces.join('')).toBe(text);
  });

  test('of random bytes never splits a code point', async () => {
    const { pieces, text, tokens } = await writeRandom({ ...FREE, seed: 2, maxTokens: 300 });
    expect(pieces.join('')).toBe(text);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(text).toBe(await random.detokenize(tokens, { special: false }));
  });
});

describe('the result', () => {
  test('has finite, positive times, and counts that agree', async () => {
    const before = performance.now();
    const { timings, tokens, promptTokens, seed } = await greedy({ maxTokens: 20 });
    const elapsed = performance.now() - before;
    expect(Object.keys(timings).sort()).toEqual([
      'decodeMs',
      'decodeTokensPerSecond',
      'prefillMs',
      'prefillTokensPerSecond',
      'timeToFirstTokenMs',
    ]);
    for (const value of Object.values(timings)) {
      expect(Number.isFinite(value)).toBe(true);
      expect(value).toBeGreaterThan(0);
    }
    expect(timings.prefillMs + timings.decodeMs).toBeLessThanOrEqual(elapsed);
    expect(timings.timeToFirstTokenMs).toBeGreaterThanOrEqual(timings.prefillMs);
    expect(timings.timeToFirstTokenMs).toBeLessThanOrEqual(elapsed);
    expect(timings.decodeTokensPerSecond).toBeCloseTo((1000 * 19) / timings.decodeMs, 6);
    expect(timings.prefillTokensPerSecond).toBeCloseTo((1000 * 4) / timings.prefillMs, 6);
    expect(tokens).toHaveLength(20);
    expect(promptTokens).toEqual(demoReference.prompts[0].ids);
    expect(Number.isSafeInteger(seed)).toBe(true);
  });

  test('of complete() is that of a stream', async () => {
    const options = { ...FREE, seed: 21, maxTokens: 20, logprobs: 2 };
    const { pieces, timings: _streamed, ...streamed } = await write(options);
    const { timings, ...whole } = await model.complete(PROMPT, options);
    expect(whole).toEqual({ ...streamed, memory: whole.memory });
    expect(pieces.join('')).toBe(whole.text);
    expect(timings.decodeMs).toBeGreaterThan(0);
  });

  test('names the build and the memory of its own text', async () => {
    const session = await model.createSession();
    const { build, memory } = await model.complete(PROMPT, { maxTokens: 2 });
    expect(build).toBe(model.build);
    expect(memory.stateBytes).toBe(model.facts.stateBytes);
    expect(memory.weightsBytes).toBe(model.facts.weightsBytes);
    expect(memory.kvBytes).toBe(0);
    expect(memory.heapBytes).toBe((await model.memory()).heapBytes);
    session.destroy();
  });

  test('is the same for a prompt as text and as tokens', async () => {
    const { ids: tokens, text } = demoReference.prompts[1];
    const fromText = await greedy({ maxTokens: 12 }, text);
    const fromTokens = await greedy({ maxTokens: 12 }, tokens);
    const fromArray = await greedy({ maxTokens: 12 }, Uint16Array.from(tokens));
    expect(fromTokens.tokens).toEqual(fromText.tokens);
    expect(fromArray.tokens).toEqual(fromText.tokens);
    expect(fromText.promptTokens).toEqual(tokens);
  });

  test('of a long prompt is that of its tokens read in other portions', async () => {
    const tokens = ids(700);
    const session = await writeRandom({ temperature: 0, maxTokens: 8 }, tokens);
    const logits = await random.logits([...tokens, ...session.tokens.slice(0, 3)]);
    expect(session.tokens[3]).toBe(logits.indexOf(logits.reduce((a, b) => Math.max(a, b))));
  });
});

describe('text and tokens', () => {
  test('special tokens in a text count as such unless told otherwise', async () => {
    const text = '<|im_start|>user\nHi<|im_end|>';
    const special = await model.tokenize(text);
    const plain = await model.tokenize(text, { special: false });
    expect(special[0]).toBe(4094);
    expect(special.at(-1)).toBe(END_OF_TURN);
    expect(plain).not.toContain(4094);
    expect(plain.length).toBeGreaterThan(special.length);
    expect(await model.detokenize(special)).toBe(text);
    expect(await model.detokenize(plain)).toBe(text);
    expect(await model.detokenize(special, { special: false })).toBe('user\nHi');
    expect(await model.countTokens(text)).toBe(special.length);
  });

  test('an empty text has no tokens, and cannot be gone on from', async () => {
    expect(await model.tokenize('')).toEqual([]);
    expect(await model.detokenize([])).toBe('');
    await expect(collect(model.generate(''))).rejects.toThrow(RangeError);
    await expect(collect(model.generate([]))).rejects.toThrow(RangeError);
  });
});
