// SPDX-License-Identifier: MIT
//
// Templates write what Python's jinja2 writes, set up as transformers does it (tests/golden/templates).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { Jinja } from '../../../build/web/text/jinja.js';

const folder = fileURLToPath(new URL('../../golden/templates', import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

beforeAll(() => {
  jest.useFakeTimers({ now: new Date(2026, 6, 5, 9, 8, 7) });
});
afterAll(() => {
  jest.useRealTimers();
});

/** What a template writes, or null where it is refused. */
function rendered(source, context) {
  try {
    return new Jinja(source).render(context);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    expect(error.message).not.toBe('');
    return null;
  }
}

const { context, cases } = read('constructs.json');

test.each(cases)('%j writes %j', (source, text) => {
  expect(rendered(source, context)).toBe(text);
});

// Templates of models have licences of their own: FASTWEIGHTS_TEMPLATES names a copy of llama.cpp's
// models/templates, and what is not in it is not compared.
const templates = process.env.FASTWEIGHTS_TEMPLATES ?? '';
const digests = Object.entries(read('llama-cpp.json')).filter(([name]) =>
  existsSync(join(templates, name)),
);

(templates === '' ? describe.skip : describe)("llama.cpp's templates", () => {
  const { conversations, options, tokens } = read('conversations.json');
  const asked = Object.entries(conversations).flatMap(([name, conversation]) =>
    options.map((option) => [`${name} ${JSON.stringify(option)}`, { ...conversation, ...option }]),
  );

  test('are those that the goldens are of', () => {
    const files = readdirSync(templates).filter((name) => name.endsWith('.jinja'));
    expect(digests.map(([name]) => name)).toEqual(files.sort());
  });

  test.each(digests)('%s', (name, words) => {
    const source = readFileSync(join(templates, name), 'utf8');
    const wanted = words.split(' ');
    const differing = asked.filter(([, given], i) => {
      const text = rendered(source, { ...given, ...tokens });
      const digest =
        text === null ? '-' : createHash('sha256').update(text).digest('hex').slice(0, 8);
      return digest !== wanted[i];
    });
    expect(wanted).toHaveLength(asked.length);
    expect(differing.map(([conversation]) => conversation)).toEqual([]);
  });
});

test('what is given is as JSON has it', () => {
  const given = {
    messages: [],
    whole: 1,
    large: 2 ** 60,
    part: 1.5,
    none: null,
    missing: undefined,
  };
  expect(new Jinja('{{ [whole, large, part, none] }} {{ missing is defined }}').render(given)).toBe(
    '[1, 1.152921504606847e+18, 1.5, None] False',
  );
  expect(() => new Jinja('').render({ messages: [], call() {} })).toThrow(TypeError);
  const loop = { messages: [] };
  loop.self = loop;
  expect(() => new Jinja('').render(loop)).toThrow(/nests/);
});

test('whole numbers beyond 2^53 are refused, not rounded', () => {
  const messages = [];
  expect(new Jinja('{{ 9007199254740991 - 1 }}').render({ messages })).toBe('9007199254740990');
  expect(() => new Jinja('{{ 2 ** 53 }}').render({ messages })).toThrow('2^53');
});

test('marks in contents are no letters that Python would escape', () => {
  const messages = [{ content: '<\ufdd0s>' }];
  expect(
    new Jinja('{{ messages }}{{ messages | tojson(ensure_ascii=true) }}').render({ messages }),
  ).toBe(`[{'content': '<\ufdd0s>'}][{"content": "<\ufdd0s>"}]`);
});
