// SPDX-License-Identifier: MIT
import { withoutSpace } from '../../../build/web/constraints/json-space.js';

const VALUE = {
  'a "b" \\': [1, -2.5e3, true, null, [], {}],
  ' two  spaces ': { s: '  \t{ "x" : 1 }  \\', n: 12 },
};

test.each([1, 3, '\t', '\n \r'])('every beginning of a text, indented by %j', (space) => {
  const written = JSON.stringify(VALUE, null, space).replaceAll(':', ' : ');
  const wanted = JSON.stringify(VALUE).replaceAll(':', ' : ');
  const whole = withoutSpace(written);
  expect(JSON.parse(whole)).toEqual(JSON.parse(wanted));
  for (let end = 0; end <= written.length; end++) {
    const found = withoutSpace(written.slice(0, end));
    // A number, or a word, that may go on keeps what stands behind it.
    if (/[\w.+-]\s+$/.test(found)) expect(found.endsWith(written[end - 1])).toBe(true);
    expect(whole.startsWith(found.replace(/(?<=[\w.+-])\s+$/, ''))).toBe(true);
  }
});

test.each([
  ['{ "Rating" : ', '{"Rating":'],
  ['[1 2', '[1 2'],
  ['[12 ', '[12 '],
  ['[ 12 , ', '[12,'],
  ['- 1', '- 1'],
  ['"a  b', '"a  b'],
  ['"a\\"  b" ,', '"a\\"  b",'],
])('%j', (text, wanted) => {
  expect(withoutSpace(text)).toBe(wanted);
});

test('takes no longer than the text is', () => {
  const started = performance.now();
  for (const text of [' ', '"', '\\', '"\\', '" ', '1 ']) withoutSpace(text.repeat(500_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
