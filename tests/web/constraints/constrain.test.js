// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import Ajv from 'ajv/dist/2020.js';
import { randomNumbers } from '../../support/byte-level.js';
import {
  drawText,
  idsOf,
  makeTokenizer,
  open,
  randomSchema,
} from '../../support/constrained-text.js';

jest.setTimeout(60_000);

const tokenizer = makeTokenizer();
const ajv = () => new Ajv({ strict: false, logger: false });
const schema = (value) => ({ type: 'json_schema', schema: value });

const REGEXES = [
  /\d{4}-\d{2}-\d{2}/,
  /(cat|dog)( and (cat|dog)){0,3}/,
  /[^a-z]{3,6}/u,
  /[\p{L}\p{M}]+ ☕/u,
  /(?:é|日本語|😀){2,4}/u,
  /[😀-😂]x?/u,
  /😀{2}é/u,
  /😀é+/,
  /^a*$|^b+c$/,
  /x?y??z*?(?<name>[0-9a-f]+)/i,
  /[[a-z]--[aeiou]]{3}/v,
  /.\s\S\w\W\D/su,
  /.\s\S\w\W\D/,
  /[\s\S]{1,5}/u,
  /((a|b)*c){2}/,
  /(a*)*b/,
  /^(?:^a$|bc)/,
  /[\ud7ff\ue000\ufeff]+/u,
];

test.each(REGEXES.map((regex) => [String(regex), regex]))(
  '%s is matched whole',
  async (_, regex) => {
    const random = randomNumbers(3);
    const whole = new RegExp(`^(?:${regex.source})$`, regex.flags);
    let complete = 0;
    for (let i = 0; i < 60; i++) {
      const { text, whole: done } = await drawText(tokenizer, regex, random);
      if (!done) continue;
      complete++;
      expect(text).toMatch(whole);
    }
    expect(complete).toBeGreaterThan(40);
  },
);

test('a string is read with the flag u, and a RegExp may be given either way', async () => {
  const random = randomNumbers(1);
  for (const constraint of [
    { type: 'regex', pattern: '.{3}' },
    { type: 'regex', pattern: /.{3}/u },
  ]) {
    const { text } = await drawText(tokenizer, constraint, random);
    expect([...text]).toHaveLength(3);
  }
});

test('texts of random schemas are valid', async () => {
  const random = randomNumbers(11);
  let complete = 0;
  let impossible = 0;
  for (let i = 0; i < 400; i++) {
    const given = randomSchema(random);
    const validate = ajv().compile(given);
    for (let j = 0; j < 4; j++) {
      let drawn;
      try {
        drawn = await drawText(tokenizer, schema(given), random);
      } catch (error) {
        if (!(error instanceof RangeError))
          throw new Error(JSON.stringify(given), { cause: error });
        impossible++;
        break;
      }
      if (!drawn.whole) continue;
      complete++;
      const value = JSON.parse(drawn.text);
      if (!validate(value)) {
        throw new Error(
          `${JSON.stringify(given)} has ${drawn.text}: ${ajv().errorsText(validate.errors)}`,
        );
      }
    }
  }
  expect(complete).toBeGreaterThan(1200);
  expect(impossible).toBeLessThan(60);
});

// What all texts go on with, found with a vocabulary in which each byte is a token.
const byBytes = makeTokenizer(256);
const idOfByte = new Map();
for (let id = 0; id < byBytes.vocabSize; id++) {
  if (byBytes.bytes(id).length === 1) idOfByte.set(byBytes.bytes(id)[0], id);
}
async function decidedAfter(constraint, read) {
  const held = await open(byBytes, constraint);
  for (const byte of read) held.read(idOfByte.get(byte));
  const decided = [];
  while (decided.length < 64 && !(held.complete && decided.length > 0)) {
    const ids = idsOf(held.allowed()).filter((id) => !byBytes.endTokens.has(id));
    if (ids.length !== 1) break;
    decided.push(...byBytes.bytes(ids[0]));
    held.read(ids[0]);
  }
  return Uint8Array.from(decided);
}

test('a token is allowed exactly where its bytes can be read, and of what is decided the usual one', async () => {
  const random = randomNumbers(17);
  const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
  let decidedOnes = 0;
  for (let i = 0; i < 12; i++) {
    const constraint = i < 4 ? REGEXES[i + 1] : schema(randomSchema(random));
    const before = [];
    const held = await open(tokenizer, constraint).catch(() => undefined);
    for (let step = 0; held && !held.over && step < 12; step++) {
      held.write(bits);
      const allowed = idsOf(bits).filter((id) => !tokenizer.endTokens.has(id));
      const readable = [];
      for (let id = 0; id < tokenizer.vocabSize; id++) {
        if (tokenizer.isControl(id) || tokenizer.bytes(id).length === 0) continue;
        const other = await open(tokenizer, constraint);
        for (const earlier of before) other.read(earlier);
        other.read(id);
        if (!other.over || other.complete) readable.push(id);
      }
      const read = before.flatMap((id) => [...tokenizer.bytes(id)]);
      const decided = await decidedAfter(constraint, read);
      const isBeginning = (id) => tokenizer.bytes(id).every((byte, at) => byte === decided[at]);
      const [beginnings, others] = [true, false].map((is) =>
        readable.filter((id) => isBeginning(id) === is),
      );
      expect(allowed.filter((id) => !isBeginning(id))).toEqual(others);
      const usual = allowed.filter(isBeginning);
      expect(usual).toHaveLength(Math.min(beginnings.length, 1));
      expect(beginnings).toEqual(expect.arrayContaining(usual));
      decidedOnes += Number(beginnings.length > 1);
      if (allowed.length === 0) break;
      const id = allowed[Math.floor(random() * allowed.length)];
      before.push(id);
      held.read(id);
    }
  }
  expect(decidedOnes).toBeGreaterThan(8);
});

test('what is decided is written with the tokens that the tokenizer makes of it', async () => {
  const texts = ['{"name":"a cat","tags":["a","b"]}', 'and cats, and 日本語', 'Hello ☕'];
  for (const text of texts) {
    const held = await open(tokenizer, {
      type: 'regex',
      pattern: text.replace(/[[\]{}]/g, '\\$&'),
    });
    const ids = [];
    while (!held.over) {
      const [id, ...others] = idsOf(held.allowed());
      expect(others).toEqual([]);
      ids.push(id);
      held.read(id);
    }
    expect(ids).toEqual(tokenizer.encode(text));
  }
});

test('a fork goes on by itself, and says what it allows at each place', async () => {
  const text = await open(tokenizer, /[a-z ]*b/);
  const ahead = text.fork();
  const [a] = tokenizer.encode('a');
  const first = ahead.allowed();
  expect(first.some((word) => word !== 0)).toBe(true);
  ahead.read(a);
  // What may follow is what it was, and said again.
  expect(ahead.allowed()).toEqual(first);
  ahead.read(tokenizer.encode('b')[0]);
  expect([text.complete, ahead.complete]).toEqual([false, true]);
  const written = new Int32Array(first.length);
  text.write(written);
  expect(written).toEqual(first);
});

test('schemas may refer to themselves', async () => {
  const list = {
    $ref: '#/$defs/list',
    $defs: {
      list: {
        type: 'object',
        properties: {
          value: { type: 'integer' },
          next: { anyOf: [{ $ref: '#/$defs/list' }, { type: 'null' }] },
        },
        required: ['value', 'next'],
      },
    },
  };
  const validate = ajv().compile(list);
  const random = randomNumbers(2);
  for (let i = 0; i < 40; i++) {
    const { text, whole } = await drawText(tokenizer, schema(list), random);
    if (whole) expect(validate(JSON.parse(text))).toBe(true);
  }
  const loop = { anyOf: [{ $ref: '#' }, { type: 'null' }] };
  expect((await drawText(tokenizer, schema(loop), random)).text).toBe('null');
});

test('any object is JSON, and in the form that is promised', async () => {
  const random = randomNumbers(23);
  let complete = 0;
  for (let i = 0; i < 200; i++) {
    const { text, whole } = await drawText(tokenizer, { type: 'json_object' }, random);
    if (!whole) continue;
    complete++;
    const value = JSON.parse(text);
    expect(Object.prototype.toString.call(value)).toBe('[object Object]');
    expect(text.isWellFormed()).toBe(true);
  }
  expect(complete).toBeGreaterThan(150);
});

test.each([
  [{ type: 'object', properties: { a: { nott: {} } } }, "#/properties/a has the keyword 'nott'"],
  [{ type: 'array', uniqueItems: true }, 'uniqueItems'],
  [{ type: 'object', minProperties: 2 }, 'minProperties'],
  [{ not: { type: 'array', uniqueItems: true } }, 'uniqueItems'],
  [{ $ref: '#/%zz' }, 'leads nowhere'],
  [{ requierd: ['a'] }, 'requierd'],
  [{ type: 'strnig' }, 'strnig'],
  [{ $ref: 'https://example.org/x.json' }, '$ref'],
  [{ $ref: '#/$defs/none' }, 'leads nowhere'],
  [{ $ref: '#none' }, 'leads nowhere'],
  [{ $schema: 'https://example.org/schema' }, '$schema'],
  [{ type: 'string', minLength: -1 }, 'minLength'],
  [{ type: 'number', multipleOf: 0 }, 'multipleOf'],
  [{ type: 'string', pattern: '(?<=a)b' }, 'lookbehind'],
  [{ type: 'string', pattern: '[' }, 'Invalid regular expression'],
  [{ enum: 5, minLength: 2 }, 'enum'],
  ['text', '#'],
])('%j is refused by name', async (given, words) => {
  const opening = open(tokenizer, schema(given));
  await expect(opening).rejects.toThrow(TypeError);
  await expect(open(tokenizer, schema(given))).rejects.toThrow(words);
});

test.each([
  { type: 'object', properties: null },
  { type: 'object', properties: [] },
  { type: 'object', required: [null] },
  { anyOf: [null] },
  { anyOf: null },
  { $defs: null, $ref: '#/$defs/a' },
  { type: 'array', items: 5 },
  { enum: null },
  { type: 5 },
  { type: 'string', pattern: 5 },
  { type: 'string', minLength: -1 },
])('%j, which is no schema, is refused in words', async (given) => {
  await expect(open(tokenizer, schema(given))).rejects.toThrow(
    expect.objectContaining({
      name: 'TypeError',
      message: expect.stringMatching(/^constraint: #/),
    }),
  );
});

test.each([/(a)\1/, /a\b/, /(?<!a)b/, /^a$/m])('%s is refused', async (regex) => {
  await expect(open(tokenizer, regex)).rejects.toThrow(TypeError);
});

test.each([
  [schema(false)],
  [schema({ type: 'integer', minimum: 3, maximum: 2 })],
  [schema({ type: 'integer', exclusiveMinimum: 2, exclusiveMaximum: 3 })],
  [schema({ type: 'string', pattern: '^a{3}$', maxLength: 2 })],
  [schema({ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] })],
  [schema({ type: 'array', items: false, minItems: 1 })],
  [schema({ enum: [] })],
  [schema({ allOf: [{ type: 'string' }, { type: 'number' }] })],
  [schema({ const: 'abc', maxLength: 2 })],
  [schema({ not: {} })],
  [schema({ type: 'object', required: ['a', 'b'], maxProperties: 1 })],
  [schema({ type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 3 })],
  [schema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })],
  [/a^b/],
  [/[^\s\S]/u],
])('%j allows no text', async (constraint) => {
  await expect(open(tokenizer, constraint)).rejects.toThrow(RangeError);
});

test('what would need too many states is refused soon', async () => {
  for (const constraint of [/(a{1000}){1000}/, schema({ type: 'string', maxLength: 1e9 })]) {
    await expect(open(tokenizer, constraint)).rejects.toThrow('too large');
  }
});

test('texts that need bytes that are no tokens are not begun', async () => {
  const idOf = (char) => tokenizer.idOf(char);
  const partial = makeTokenizer(1500, { missing: [idOf('Ã'), idOf('7'), idOf('z')] });
  const random = randomNumbers(4);
  expect(await open(partial, /é/)).toBeUndefined();
  expect(await open(partial, /x7/)).toBeUndefined();
  for (let i = 0; i < 30; i++) {
    const { text } = await drawText(partial, /(?:[5-9]|é|z|y){3}/u, random);
    expect(text).toMatch(/^[5689y]{3}$/);
  }
  const { text } = await drawText(partial, schema({ enum: [7, 'é', 'z', 'ok'] }), random);
  expect(text).toBe('"ok"');
  const object = (required) => ({
    properties: { z: true, a: { const: 1 } },
    required,
    additionalProperties: false,
  });
  expect(await open(partial, schema({ type: 'object', ...object(['z']) }))).toBeUndefined();
  const drawn = await drawText(partial, schema({ type: 'object', ...object(['a']) }), random);
  expect(JSON.parse(drawn.text)).toEqual({ a: 1 });
  const noBracket = makeTokenizer(1500, { missing: [idOf('[')] });
  expect(await open(noBracket, schema({ type: 'array' }))).toBeUndefined();
});

test('user-defined tokens count as their text and control tokens never', async () => {
  const random = randomNumbers(9);
  const ids = new Set();
  const check = (_, allowed) => {
    for (const id of allowed) ids.add(id);
  };
  await drawText(tokenizer, /<think>/, random, { check });
  expect(ids).toContain(tokenizer.vocabSize - 1);
  expect(ids).not.toContain(tokenizer.vocabSize - 2);
});
