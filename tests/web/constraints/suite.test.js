// SPDX-License-Identifier: MIT
//
// The public JSON-Schema-Test-Suite (draft 2020-12, optional ones too): what is valid can be written, what
// is not cannot, whatever the order of an object's properties; schemas that are refused are by keyword.
import { readFileSync } from 'node:fs';

import { jest } from '@jest/globals';
import { FORMATS } from '../../../build/web/constraints/formats.js';
import { makeTokenizer, open } from '../../support/constrained-text.js';
import { orders } from '../../support/orders.js';

jest.setTimeout(300_000);

const SUITE = new URL('../../../tests/web/constraints/suite/draft2020-12.json', import.meta.url);
const { files } = JSON.parse(readFileSync(SUITE, 'utf8'));

// A token a byte, and one whose tokens cross what JSON keeps apart.
const bytes = makeTokenizer(256);
const words = makeTokenizer(700);

// By keyword, as docs/constraints.md lists them.
const REFUSED = {
  $ref: 23,
  $dynamicRef: 10,
  $schema: 4,
  'an unknown keyword': 5,
  minProperties: 2,
  uniqueItems: 2,
  multipleOf: 1,
  not: 1,
};

function keywordOf({ message }) {
  if (/^constraint: #\S* has the keyword '(unknown.keyword|array_of_schemas)'/.test(message)) {
    return 'an unknown keyword';
  }
  return /(?:'|\$ref ")/.test(message) && (/'([^']+)'/.exec(message)?.[1] ?? '$ref');
}

/** Whether a schema's instance can be written: as it is marked, with these exceptions. */
function expected(file, { schema }, { data, valid }) {
  const isFormat = typeof data === 'string' && file.includes('format');
  if (!isFormat || schema.format === undefined) return valid;
  // Formats that are held to are so everywhere; the others are annotations.
  if (file === 'format') return held[schema.format]?.has(data) ?? true;
  if (!Object.hasOwn(FORMATS, schema.format)) return true;
  // Whether Punycode is right is no regular question: none is written.
  if (schema.format === 'hostname' && /xn--/i.test(data)) return false;
  return valid;
}

// Which strings the suite itself calls valid, where it holds to formats.
const held = {};
for (const [file, groups] of Object.entries(files)) {
  if (!file.startsWith('optional/format/')) continue;
  for (const { schema, tests } of groups) {
    if (!Object.hasOwn(FORMATS, schema.format)) continue;
    const strings = tests.filter(({ data }) => typeof data === 'string');
    held[schema.format] ??= new Set();
    for (const { data, valid } of strings) if (valid) held[schema.format].add(data);
  }
}

/** Whether tokens of a text are allowed, one after the other, and the end after the last. */
async function canWrite(tokenizer, schema, text) {
  const constrained = await open(tokenizer, { type: 'json_schema', schema });
  const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
  const has = (id) => (bits[id >> 5] >>> (id & 31)) & 1;
  for (const id of tokenizer.encode(text)) {
    constrained.write(bits);
    if (!has(id)) return false;
    constrained.read(id);
  }
  return constrained.complete;
}

const counts = {};
let compiled = 0;

describe.each(Object.keys(files))('%s', (file) => {
  test.each(files[file].map((group) => [group.description, group]))('%s', async (_, group) => {
    const { schema, tests } = group;
    try {
      await open(bytes, { type: 'json_schema', schema });
    } catch (error) {
      if (!/^constraint allows no text/.test(error.message)) {
        expect(error.message).toMatch(/^constraint/);
        const keyword = keywordOf(error);
        expect(Object.keys(REFUSED)).toContain(keyword);
        counts[keyword] = (counts[keyword] ?? 0) + 1;
        return;
      }
      compiled += 1;
      for (const one of tests) expect(expected(file, group, one)).toBe(false);
      return;
    }
    compiled += 1;
    const wrong = [];
    for (const one of tests) {
      let written = false;
      for (const value of orders(one.data)) {
        const text = JSON.stringify(value);
        const byBytes = await canWrite(bytes, schema, text);
        const byWords = await canWrite(words, schema, text);
        if (byBytes !== byWords) wrong.push(`${text} by some tokens, not by others`);
        written ||= byBytes;
        if (written) break;
      }
      if (written !== expected(file, group, one)) {
        wrong.push(`${written ? 'can' : 'cannot'} be written: ${JSON.stringify(one.data)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('so many of its groups compile, and so many are refused by each keyword', () => {
  expect(compiled).toBe(413);
  expect(counts).toEqual(REFUSED);
});
