// SPDX-License-Identifier: MIT

import { randomNumbers } from '../../support/byte-level.js';
import { leastCpuTimes } from '../../support/cpu-time.js';
import { tokenizerOf } from '../../support/tokenizer-of.js';

const BYTES = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);
const FIRST = ['<unk>', '<s>', '</s>', ...BYTES];
const FIRST_KINDS = [2, 3, 3, ...BYTES.map(() => 6)];

/** A file's tokenizer; `pieces` are texts with their scores. */
function build(pieces, keys = {}, kinds = pieces.map(() => 1)) {
  return tokenizerOf(
    new Map(
      Object.entries({
        model: 'llama',
        tokens: [...FIRST, ...pieces.map(([text]) => text)],
        scores: [...FIRST.map(() => 0), ...pieces.map(([, score]) => score)],
        token_type: [...FIRST_KINDS, ...kinds],
        add_bos_token: false,
        ...keys,
      }).map(([key, value]) => [`tokenizer.ggml.${key}`, value]),
    ),
  );
}

// As slow as it is plain: the best pair anywhere, leftmost first, again and again.
function byDefinition(text, scores) {
  const pieces = [...text];
  for (;;) {
    let best = -Infinity;
    let at = -1;
    for (let i = 0; i + 1 < pieces.length; i++) {
      const score = scores.get(pieces[i] + pieces[i + 1]) ?? -Infinity;
      if (score > best) [best, at] = [score, i];
    }
    if (at < 0) break;
    pieces.splice(at, 2, pieces[at] + pieces[at + 1]);
  }
  return pieces.flatMap((piece) =>
    scores.has(piece) ? [piece] : Array.from(Buffer.from(piece), (byte) => BYTES[byte]),
  );
}

const SPACE = '\u2581';
const pick = (list, random) => list[Math.floor(random() * list.length)];

test.each([false, true])('merges as the definition does (tokens over spaces: %s)', (crossing) => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = randomNumbers(seed * 104729 + Number(crossing));
    const letters = ['a', 'b', 'c', 'é', '漢', '😀', SPACE];
    const known = new Set(letters.filter((letter) => letter === SPACE || random() < 0.9));
    for (let i = 0; i < 150; i++) {
      const text = pick([...known], random) + pick([...known], random);
      if (text.length <= 8 && (crossing || !/[^\u2581]\u2581/.test(text))) known.add(text);
    }
    // Few scores, so that many pairs are equal.
    const scores = new Map([...known].map((text) => [text, -Math.floor(random() * 12)]));
    const tokenizer = build([...scores]);
    for (let i = 0; i < 60; i++) {
      const count = 1 + Math.floor(random() * 40);
      const text = Array.from({ length: count }, () => pick([...letters, 'x'], random)).join('');
      const plain = text.replaceAll(SPACE, ' ');
      const found = tokenizer.encode(plain).map((id) => tokenizer.text(id));
      expect([text, found]).toEqual([text, byDefinition(SPACE + text, scores)]);
      expect(tokenizer.decode(tokenizer.encode(plain), { whole: true })).toBe(plain);
    }
  }
});

const WORDS = [
  [SPACE, -1],
  ['h', -2],
  ['i', -3],
  ['hi', -4],
  [`${SPACE}hi`, -5],
];
const texts = (tokenizer, ...args) => tokenizer.encode(...args).map((id) => tokenizer.text(id));

describe('the space before a text', () => {
  test('is put there, and taken away where ids are a whole text', () => {
    const tokenizer = build(WORDS);
    const ids = tokenizer.encode('hi hi');
    expect(texts(tokenizer, 'hi hi')).toEqual([`${SPACE}hi`, `${SPACE}hi`]);
    expect(tokenizer.decode(ids)).toBe(' hi hi');
    expect(tokenizer.decode(ids, { whole: true })).toBe('hi hi');
    expect(tokenizer.decode([1, ...ids], { whole: true, special: false })).toBe('hi hi');
    expect(tokenizer.encode('')).toEqual([]);
  });

  test('is put behind special tokens too, but not where text goes on', () => {
    const tokenizer = build(WORDS);
    const [word] = tokenizer.encode('hi');
    expect(texts(tokenizer, '</s>hi')).toEqual(['</s>', `${SPACE}hi`]);
    expect(texts(tokenizer, 'hi', { after: 2 })).toEqual([`${SPACE}hi`]);
    expect(texts(tokenizer, 'hi', { after: word })).toEqual(['hi']);
  });

  test('is not there where the file says so', () => {
    const tokenizer = build(WORDS, { add_space_prefix: false });
    expect(texts(tokenizer, 'hi')).toEqual(['hi']);
    expect(tokenizer.decode(tokenizer.encode(' hi'), { whole: true })).toBe(' hi');
  });
});

test('texts start with BOS where the file does not say otherwise', () => {
  const tokenizer = build(WORDS, { add_bos_token: undefined });
  expect(texts(tokenizer, 'hi')).toEqual(['<s>', `${SPACE}hi`]);
  const ended = build(WORDS, { add_eos_token: true });
  expect(texts(ended, 'hi')).toEqual([`${SPACE}hi`, '</s>']);
  expect([...ended.endTokens]).toEqual([2]);
});

test('user-defined tokens go before words; what others write becomes no control or byte token', () => {
  const pieces = [...WORDS, ['hihi', -9], ['<', -9], ['s', -9], ['>', -9], ['<s', -9]];
  const tokenizer = build(pieces, {}, [...WORDS.map(() => 1), 4, 1, 1, 1, 1]);
  expect(texts(tokenizer, 'hihihi')).toEqual(['hihi', `${SPACE}hi`]);
  expect(texts(tokenizer, 'i<s>', { special: false })).toEqual([SPACE, 'i', '<s', '>']);
  expect(texts(tokenizer, 'i<s>')).toEqual([SPACE, 'i', '<s>']);
  expect(texts(tokenizer, '<0x41>')).toHaveLength(7);
});

test('characters that are no tokens fall apart into bytes, which come together again', () => {
  const tokenizer = build(WORDS);
  expect(texts(tokenizer, 'ü')).toEqual([SPACE, '<0xC3>', '<0xBC>']);
  expect([...tokenizer.bytes(3 + 0xc3)]).toEqual([0xc3]);
  expect(tokenizer.decode(tokenizer.encode('ü \ud800!'), { whole: true })).toBe('ü \ufffd!');
});

test('a vocabulary without bytes has the unknown token for them', () => {
  const tokenizer = tokenizerOf(
    new Map([
      ['tokenizer.ggml.model', 'llama'],
      ['tokenizer.ggml.tokens', ['<unk>', '<s>', '</s>', SPACE, 'a']],
      ['tokenizer.ggml.token_type', [2, 3, 3, 1, 1]],
      ['tokenizer.ggml.add_bos_token', false],
    ]),
  );
  expect(tokenizer.encode('aüöa ü')).toEqual([3, 4, 0, 4, 3, 0]);
});

describe('time', () => {
  const tokenizer = build([
    ...WORDS,
    ...['hh', 'hhhh', 'hhhhhhhh', SPACE.repeat(2), SPACE.repeat(4)].map((text) => [text, -6]),
  ]);
  test.each([
    ['one letter', 'h'.repeat(300_000)],
    ['spaces', ' '.repeat(300_000)],
    ['bytes', 'ü'.repeat(300_000)],
    ['words', 'hi '.repeat(100_000)],
  ])('of %s does not grow with the square', async (_, text) => {
    const works = [text.slice(0, 50_000), text].map((part) => () => tokenizer.encode(part));
    const [sixth, whole] = await leastCpuTimes(works);
    expect(whole).toBeLessThan(Math.max(sixth, 2) * 6 * 3);
  });
});
