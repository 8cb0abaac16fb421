// SPDX-License-Identifier: MIT
// JSON as Python writes it, and what is none.
import { parseJson } from '../../../build/web/checkpoints/json.js';

const refused = expect.objectContaining({ code: 'invalid_metadata', subject: 'config.json' });
const parse = (text) => parseJson(text, 'config.json');

test('words for numbers are numbers outside of strings', () => {
  const text = String.raw`{"a": [NaN, -Infinity, Infinity], "b": "\"NaN\\", "c": NaN}`;
  const infinity = Number.POSITIVE_INFINITY;
  const numbers = [Number.NaN, -infinity, infinity];
  expect(parse(text)).toEqual({ a: numbers, b: '"NaN\\', c: Number.NaN });
  expect(parse('{"a": {"__float__": "Infinity"}}')).toEqual({ a: infinity });
});

test.each(['{"a": NaN', '{"a": "NaN}', '{"a": "\\', '[NaN]', '"NaN"', 'NaNa', ''])(
  '%s is refused',
  (text) => {
    expect(() => parse(text)).toThrow(refused);
  },
);

test('a long text is read, with words for numbers beside it too', () => {
  const long = 'x'.repeat(1e7);
  expect(parse(`{"a": "${long}"}`).a).toBe(long);
  expect(parse(`{"a": "${long}", "b": NaN}`).a).toBe(long);
});

test('a text of quotes that never ends is refused at once', () => {
  const start = performance.now();
  expect(() => parse(`{"a": "${'\\"'.repeat(1e6)}`)).toThrow(refused);
  expect(performance.now() - start).toBeLessThan(2000);
});
