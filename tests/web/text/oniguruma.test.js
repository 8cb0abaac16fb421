// SPDX-License-Identifier: MIT
import { fromOniguruma } from '../../../build/web/text/oniguruma.js';

const matches = (source, text) => text.match(new RegExp(fromOniguruma(source), 'gu')) ?? [];

test.each([
  // White space by its property: U+0085 is, U+FEFF is not.
  ['\\s+', 'a\u0085 \ufeffb', ['\u0085 ']],
  ['[^\\s\\d]+', 'ab \u0663x', ['ab', 'x']],
  ['\\S', ' \ufeff', ['\ufeff']],
  ['\\w+', 'né_1-\u0663', ['né_1', '\u0663']],
  ['[\\w-]+', 'a-b c', ['a-b', 'c']],
  ['\\h+', 'xBEEfg', ['BEEf']],
  ['\\bab\\b', 'ab abé ab', ['ab', 'ab']],
  // Lines end at U+000A only, and every line has a beginning.
  ['.+', 'a\rb\n\u2028c', ['a\rb', '\u2028c']],
  ['^a|a$', 'ab\na\nba', ['a', 'a', 'a']],
  ['\\Aa|a\\z', 'a\na', ['a', 'a']],
  ["(?i:'s|ll)", "'S 's LL Ll 'ſ", ["'S", "'s", 'LL', 'Ll']],
  ['(?i)[a-c]x(?-:)?', '', []],
  ['(?i:[a-cx]+)y', 'aBXy', ['aBXy']],
  ['(?i:a)b', 'AB Ab', ['Ab']],
  ['(?:a|b)(c)', 'ac bc', ['ac', 'bc']],
  ['a++b|a+c', 'aac', ['aac']],
  ['a++a', 'aaa', []],
  ['a?+a', 'a', []],
  ['(?>a|ab)c', 'abc ac', ['ac']],
  ['(?:ab){2}+', 'ababababab', ['abababab']],
  ['a{,2}b', 'aaab', ['aab']],
  ['a{x', 'a{x', ['a{x']],
  ['a}]', 'a}]', ['a}]']],
  ['a+?', 'aa', ['a', 'a']],
  ["[\\-\\]\\[']", "-][']", ['-', ']', '[', "'", ']']],
  ["\\-\\'\\ ", "-' ", ["-' "]],
  ['\\p{Han}+', 'a漢字', ['漢字']],
  ['\\p{^L}', 'a1', ['1']],
  ['\\x{1F600}|\\x41|\\u00e9', '😀Aé', ['😀', 'A', 'é']],
  ['(?<name>a)(?=b)(?<!x)', 'ab', ['a']],
  ['(?<=a)b(?!c)', 'abc ab', ['b']],
])('%s in %j finds %j', (source, text, expected) => {
  if (source.includes('(?-:')) expect(() => fromOniguruma(source)).toThrow(SyntaxError);
  else expect(matches(source, text)).toEqual(expected);
});

test.each([
  '(a)\\1',
  '\\k<a>',
  '\\R',
  '\\X',
  '[[:alpha:]]',
  '[a&&b]',
  '(?x: a )',
  '(?m:.)',
  '(?~a)',
  '(a',
  'a)',
  '[a',
  '*a',
  'a{2}?',
  '\\p{Nothing}',
  '\\',
  '[b-a]',
])('%s is refused', (source) => {
  expect(() => fromOniguruma(source)).toThrow(SyntaxError);
});
