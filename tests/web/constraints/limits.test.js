// SPDX-License-Identifier: MIT
//
// Constraints beyond reason are refused in words, and none keeps more than so much memory.
import { automaton } from '../../../build/web/constraints/automaton.js';
import { ANY, codePoints } from '../../../build/web/constraints/code-points.js';
import { regexExpression } from '../../../build/web/constraints/regex.js';
import { Terminal } from '../../../build/web/constraints/terminal.js';
import { randomNumbers } from '../../support/byte-level.js';
import { makeTokenizer, open } from '../../support/constrained-text.js';
import { rejection } from '../../support/rejection.js';

const tokenizer = makeTokenizer();
const schema = (value) => ({ type: 'json_schema', schema: value });

const chain = Object.fromEntries(
  Array.from({ length: 2000 }, (_, i) => [`a${i}`, { $ref: `#/$defs/a${i + 1}` }]),
);
const nested = (depth, wrap) => {
  let inner = { type: 'string' };
  for (let i = 0; i < depth; i++) inner = wrap(inner);
  return inner;
};
const regex = (pattern) => ({ type: 'regex', pattern });

test.each([
  ['a value of 10 MB', schema({ enum: ['x'.repeat(10_000_000)] }), /schema is 10\d+ letters/],
  ['a value of 500 kB', schema({ const: 'x'.repeat(500_000) }), /too large/],
  [
    '100 000 values',
    schema({ enum: Array.from({ length: 100_000 }, (_, i) => i) }),
    /more than 10000/,
  ],
  [
    '20 000 properties',
    schema({ properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [i, true])) }),
    /more than 10000/,
  ],
  [
    'a chain of 2000 $refs',
    schema({ $defs: { ...chain, a2000: true }, $ref: '#/$defs/a0' }),
    /deeper than 100/,
  ],
  [
    'arrays in arrays',
    schema(nested(500, (items) => ({ type: 'array', items }))),
    /deeper than 100/,
  ],
  [
    'objects in objects',
    schema(nested(500, (a) => ({ type: 'object', properties: { a } }))),
    /deeper than 100/,
  ],
  ['anyOf in anyOf', schema(nested(500, (one) => ({ anyOf: [one] }))), /deeper than 100/],
  ['20 000 parentheses', regex(`${'('.repeat(20_000)}a${')'.repeat(20_000)}`), /deeper than 100/],
  [
    '20 000 groups',
    regex(`${'(?:'.repeat(20_000)}a${')'.repeat(20_000)}`),
    /pattern is 80001 letters/,
  ],
  ['a pattern of 100 000 letters', regex('a'.repeat(100_000)), /pattern is 100000 letters/],
  [
    'a pattern in a schema',
    schema({ type: 'string', pattern: `${'('.repeat(999)}a${')'.repeat(999)}` }),
    /deeper than 100/,
  ],
  ['counts of counts', regex('((a{1000}){1000}){1000}'), /too large/],
])('%s: a RangeError', async (_, constraint, words) => {
  const error = await rejection(Promise.resolve().then(() => open(tokenizer, constraint)));
  expect(error).toBeInstanceOf(RangeError);
  expect(error.message).toMatch(/^constraint/);
  expect(error.message).toMatch(words);
  expect(error.message).not.toMatch(/call stack/);
  expect(error.message.length).toBeLessThan(300);
});

test('ones that people write are none of these', async () => {
  const values = Array.from({ length: 5000 }, (_, i) => `value ${i}`);
  expect(await open(tokenizer, schema({ enum: values }))).toBeDefined();
  expect(
    await open(tokenizer, schema(nested(40, (items) => ({ type: 'array', items })))),
  ).toBeDefined();
  expect(await open(tokenizer, regex(`${'('.repeat(60)}a${')'.repeat(60)}`))).toBeDefined();
  expect(await open(tokenizer, regex('\\('.repeat(500)))).toBeDefined();
});

const MANY = /[\s\S]*[ae][\s\S]{40}/;

test('a text of many states goes on, and what was found out is let go of', async () => {
  const text = await open(tokenizer, MANY);
  const random = randomNumbers(5);
  const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
  let written = '';
  for (let i = 0; i < 1200; i++) {
    const token = Math.floor(random() * 200);
    const bytes = tokenizer.decode([token]);
    if (!/^[a-z ]+$/.test(bytes)) continue;
    text.write(bits);
    expect((bits[token >> 5] >>> (token & 31)) & 1).toBe(1);
    text.read(token);
    written += bytes;
    expect([i, text.complete]).toEqual([i, /^[\s\S]*[ae][\s\S]{40}$/.test(written)]);
  }
  expect(written.length).toBeGreaterThan(100);
});

test('a terminal numbers so many states and no more', () => {
  const make = () =>
    new Terminal(automaton(regexExpression(MANY.source, MANY.flags, codePoints), ANY));
  const [bounded, free] = [make(), make()];
  const random = randomNumbers(9);
  let [one, other] = [bounded.start, free.start];
  let most = 0;
  for (let i = 0; i < 30_000; i++) {
    const byte = 97 + Math.floor(random() * 8);
    bounded.trim();
    const [next, same] = [
      bounded.next(bounded.enter(one), byte),
      free.next(free.enter(other), byte),
    ];
    expect(bounded.accepts(next)).toBe(free.accepts(same));
    [one, other] = [bounded.state(next), free.state(same)];
    most = Math.max(most, bounded.size);
  }
  expect(free.size).toBeGreaterThan(10_000);
  expect(most).toBeLessThan(4200);
});
