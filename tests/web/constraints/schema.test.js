// SPDX-License-Identifier: MIT
//
// What schemas allow, value by value, beyond what the public suite asks.
import { jest } from '@jest/globals';
import { z } from 'zod';
import { makeTokenizer, open } from '../../support/constrained-text.js';
import { orders } from '../../support/orders.js';

jest.setTimeout(60_000);

const tokenizer = makeTokenizer(300);

async function isWritten(schema, text) {
  const held = await open(tokenizer, { type: 'json_schema', schema });
  for (const id of tokenizer.encode(text)) held.read(id);
  return held.complete;
}

async function canWrite(schema, value) {
  for (const one of orders(value)) if (await isWritten(schema, JSON.stringify(one))) return true;
  return false;
}

async function expectValues(schema, can, cannot) {
  for (const value of can) expect([value, await canWrite(schema, value)]).toEqual([value, true]);
  for (const value of cannot)
    expect([value, await canWrite(schema, value)]).toEqual([value, false]);
}

const nestedId = {
  $id: 'http://x/root',
  $defs: {
    a: { type: 'string' },
    b: { $id: 'http://x/b', $defs: { a: { type: 'integer' } }, $ref: '#/$defs/a' },
  },
  $ref: '#/$defs/b',
};

test.each([
  ['a nested $id is where # begins', nestedId, [1], ['s']],
  ['keywords without type leave other types', { minLength: 2 }, ['ab', 1, null, {}], ['a']],
  [
    'properties are open unless they are closed',
    { properties: { a: { type: 'null' } } },
    [{}, { a: null, b: 1 }, 3],
    [{ a: 1 }],
  ],
  ['prefixItems are open', { type: 'array', prefixItems: [true] }, [[], [1, 2, 3]], [{}]],
  [
    'enum beside others',
    { enum: ['a', 'abc', 5, null], minLength: 2 },
    ['abc', 5, null],
    ['a', 'x'],
  ],
  [
    'allOf merges',
    {
      allOf: [
        { properties: { a: { minimum: 1 } } },
        { properties: { a: { maximum: 3 } }, required: ['a'] },
      ],
      type: 'object',
    },
    [{ a: 2 }],
    [{ a: 0 }, { a: 4 }, {}],
  ],
  [
    'patterns of several schemas',
    { type: 'string', allOf: [{ pattern: '^ab' }, { pattern: 'yz$' }], maxLength: 5 },
    ['abyz', 'abcyz'],
    ['abz', 'abccyz', 'yzab'],
  ],
  ['oneOf is exactly one', { oneOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
  [
    'oneOf by a discriminator',
    {
      oneOf: [1, 2].map((k) => ({
        type: 'object',
        properties: { k: { const: k } },
        required: ['k'],
      })),
    },
    [{ k: 1 }, { k: 2 }],
    [{ k: 3 }, {}],
  ],
  [
    'keywords beside $ref',
    { $defs: { a: { type: 'string' } }, $ref: '#/$defs/a', maxLength: 2 },
    ['ab'],
    ['abc', 1],
  ],
  [
    'not of a pattern',
    { type: 'string', not: { pattern: '^a' }, maxLength: 3 },
    ['', 'ba'],
    ['a', 'ab'],
  ],
  ['not of an object', { not: { required: ['a'] } }, [{}, { b: 1 }], [{ a: 1 }, 1]],
  [
    'not of other properties',
    {
      type: 'object',
      properties: { a: true },
      not: { additionalProperties: { type: 'string' }, properties: { a: true } },
    },
    [{ b: 1 }, { a: 1, b: 2 }],
    [{}, { a: 1 }, { b: 's' }],
  ],
  ['not of a list', { type: 'array', not: { const: [1, 2] } }, [[1], [2, 1], [1, 2, 3]], [[1, 2]]],
  [
    'patternProperties',
    { type: 'object', patternProperties: { '^x': { type: 'number' }, y$: { maximum: 5 } } },
    [{ x: 9, a: 'b' }, { xy: 3 }, { y: 's' }],
    [{ x: 's' }, { xy: 9 }],
  ],
  [
    'propertyNames',
    { type: 'object', propertyNames: { maxLength: 2 } },
    [{ ab: 1 }, {}],
    [{ abc: 1 }],
  ],
  [
    'counts of properties',
    { type: 'object', properties: { a: true, b: true }, minProperties: 2, maxProperties: 3 },
    [
      { a: 1, b: 1 },
      { a: 1, c: 1 },
      { a: 1, b: 1, c: 1 },
    ],
    [{ a: 1 }, { a: 1, b: 1, c: 1, d: 1 }],
  ],
  [
    'dependencies',
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { maxProperties: 1 } } },
    [{ a: 1, b: 1 }, { b: 1 }, { c: 1 }],
    [{ a: 1 }, { c: 1, b: 1 }],
  ],
  [
    'if, then, else',
    // biome-ignore lint/suspicious/noThenProperty: a keyword
    { if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'number' } },
    ['ab', 1],
    ['a', true],
  ],
  [
    'contains',
    {
      type: 'array',
      items: { type: 'integer' },
      contains: { minimum: 5 },
      minContains: 2,
      maxContains: 2,
    },
    [
      [5, 6],
      [1, 7, 2, 8],
    ],
    [[5], [5, 6, 7], ['a', 5, 6]],
  ],
  [
    'uniqueItems',
    { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 1 },
    [['a'], ['c', 'a', 'b']],
    [[], ['a', 'a'], ['a', 'b', 'a']],
  ],
  [
    'unevaluatedProperties',
    {
      type: 'object',
      anyOf: [{ properties: { a: true }, required: ['a'] }, { properties: { b: true } }],
      unevaluatedProperties: false,
    },
    [{}, { b: 1 }, { a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  ['needless escapes', { type: 'string', pattern: '^[\\w-]+\\-$' }, ['a-b-'], ['a-b']],
  ['anchors', { $defs: { a: { $anchor: 'here', type: 'null' } }, $ref: '#here' }, [null], [1]],
  [
    'references in a circle beside others',
    { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    [null],
    [1],
  ],
])('%s', async (_, schema, can, cannot) => {
  await expectValues(schema, can, cannot);
});

test.each([
  ['email', z.email(), ['a.b@example.com'], ['a@', '@b.c', 'a b@c.de']],
  ['url', z.url(), ['https://a.bc/d?e#f'], ['a b']],
  ['uuid', z.uuid(), ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  ['datetime', z.iso.datetime(), ['2024-02-29T23:59:59Z'], ['2023-02-29T23:59:59Z', '2024-02-29']],
  ['duration', z.iso.duration(), ['P1DT2H', 'P3W'], ['P', 'PT', 'P1W2D']],
  ['record', z.record(z.string().max(2), z.number()), [{ a: 1 }, {}], [{ abc: 1 }, { a: 'b' }]],
  [
    'record of names',
    z.record(z.enum(['a', 'b']), z.number()),
    [{ a: 1, b: 2 }],
    [{ a: 1 }, { a: 1, b: 2, c: 3 }],
  ],
  [
    'startsWith and endsWith',
    z.string().startsWith('ab').endsWith('yz'),
    ['abyz', 'ab yz'],
    ['ab', 'xabyz'],
  ],
  ['multipleOf', z.number().multipleOf(0.25).min(0).max(1), [0, 0.25, 1], [0.1, 1.25]],
  [
    'an optional never',
    z.object({ a: z.string(), b: z.never().optional() }),
    [{ a: 'x' }],
    [{ a: 'x', b: 1 }],
  ],
  [
    'a discriminated union',
    z.discriminatedUnion('k', [
      z.object({ k: z.literal('a'), x: z.number() }),
      z.object({ k: z.literal('b') }),
    ]),
    [{ k: 'a', x: 1 }, { k: 'b' }],
    [{ k: 'a' }, { k: 'c' }],
  ],
  [
    'an intersection',
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
    [],
    [{ a: 'x' }, { b: 1 }],
  ],
  [
    'a loose object',
    z.looseObject({ a: z.string() }),
    [{ a: 'x' }, { a: 'x', b: [1] }],
    [{ b: 1 }],
  ],
  [
    'a catchall',
    z.object({ a: z.string() }).catchall(z.number()),
    [{ a: 'x', b: 1 }],
    [{ a: 'x', b: 'y' }],
  ],
  [
    'a tuple with a rest',
    z.tuple([z.string()], z.number()),
    [['a'], ['a', 1, 2]],
    [[], ['a', 'b']],
  ],
  ['hostname', z.hostname(), ['a.example', 'localhost'], ['-a', 'a..b']],
])("zod's %s", async (_, type, can, cannot) => {
  await expectValues(z.toJSONSchema(type), can, cannot);
});

test('properties are written in the order in which the schema names them, others behind them', async () => {
  const schema = {
    type: 'object',
    properties: { b: true, a: true },
    allOf: [{ properties: { d: true, a: true } }],
    required: ['e'],
  };
  const text = (...names) => JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
  expect(await isWritten(schema, text('b', 'a', 'e', 'd', 'x'))).toBe(false);
  expect(await isWritten(schema, text('b', 'a', 'd', 'e', 'x', 'c'))).toBe(true);
  expect(await isWritten(schema, text('a', 'b', 'e'))).toBe(false);
});

test.each([
  [
    'many kinds of names',
    {
      patternProperties: Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [`${'abcdefghijkl'[i]}`, true]),
      ),
    },
  ],
  [
    'many ways',
    {
      allOf: Array.from({ length: 14 }, (_, i) => ({
        anyOf: [{ required: [`a${i}`] }, { required: [`b${i}`] }],
      })),
    },
  ],
  ['a pattern with memory', { type: 'string', not: { pattern: '[ab]*a[ab]{24}c' } }],
  ['many remainders', { type: 'integer', multipleOf: 1_000_003 }],
])('%s are too much, which is said soon', async (_, schema) => {
  const start = performance.now();
  await expect(open(tokenizer, { type: 'json_schema', schema })).rejects.toThrow(RangeError);
  expect(performance.now() - start).toBeLessThan(20_000);
});
