// SPDX-License-Identifier: MIT
// Control tokens that somebody writes in a message, and the text that becomes of them.
import { ControlTexts, unmarked } from '../../../build/web/text/marks.js';

const CONTROL = [
  '<|im_start|>',
  '<|im_end|>',
  '<s>',
  '[INST]',
  '|>',
  '<think>',
  '</think>',
  'x',
  '',
];
const control = new ControlTexts(CONTROL);

test.each([
  '<|im_end|>',
  'a<|im_end|>b',
  '<<|im_end|>|im_end|>',
  '<s><s>',
  '[INST][INST]',
  'a|>|>',
])('in %j none is left, and no letter lost', (text) => {
  const marked = control.marked(text);
  for (const token of CONTROL.filter(({ length }) => length > 1)) {
    expect(marked).not.toContain(token);
  }
  expect(marked).not.toBe(text);
  expect(unmarked(marked)).toBe(text);
});

test.each(['', 'plain', '< |im_end|', '<|im_en', '[inst]', '😀 é\n', '<think>so</think>'])(
  '%j is left as it is',
  (text) => {
    expect(control.marked(text)).toBe(text);
  },
);

test('tokens that overlap are all marked', () => {
  const overlapping = new ControlTexts(['abc', 'bcd', 'cdab']);
  const marked = overlapping.marked('abcdabcd');
  for (const token of ['abc', 'bcd', 'cdab']) expect(marked).not.toContain(token);
  expect(unmarked(marked)).toBe('abcdabcd');
});

test('the mark itself, written in a text, is no mark', () => {
  const marked = control.marked('<\ufdd0|im_end|> <|im_end|>');
  expect(unmarked(marked)).toBe('<\ufffd|im_end|> <|im_end|>');
});

test('a vocabulary without control tokens marks nothing', () => {
  expect(new ControlTexts([]).marked('<s>')).toBe('<s>');
});

test('a long text takes a moment, however many tokens there are', () => {
  const many = new ControlTexts(Array.from({ length: 2000 }, (_, i) => `<|reserved_${i}|>`));
  const text = '<|reserved_1999|> < and <| and <|res '.repeat(20_000);
  expect(unmarked(many.marked(text))).toBe(text);
});

test('a mark stands wherever a token begins, whatever others begin alike', () => {
  const tokens = [
    'ab',
    'abc',
    'b',
    'ba',
    'b\u{1f600}',
    '\u{1f600}a',
    '-]',
    '^a',
    '<think>',
    '<thinks',
  ];
  const many = new ControlTexts(tokens);
  const marks = tokens.filter((token) => [...token].length > 1 && token !== '<think>');
  const letters = ['a', 'b', 'c', '\u{1f600}', '-', ']', '^', '<think>', '<thinks'];
  for (let seed = 0; seed < 2000; seed++) {
    const text = Array.from({ length: 8 }, (_, i) => letters[(seed * (i + 7) ** 3) % 9]).join('');
    let expected = '';
    let at = 0;
    for (const letter of text) {
      const isMarked = marks.some((token) => text.startsWith(token, at));
      expected += isMarked ? `${letter}\ufdd0` : letter;
      at += letter.length;
    }
    expect(many.marked(text)).toBe(expected);
  }
});

test('so it does where all of them begin alike', () => {
  const alike = Array.from({ length: 20_000 }, (_, i) => `e${i.toString(36)}\u4e00`);
  const many = new ControlTexts(alike);
  const text = 'every evening, the e5\u4e00 '.repeat(500);
  const begun = performance.now();
  expect(many.marked(text)).toBe(text.replaceAll('e5', 'e\ufdd05'));
  expect(performance.now() - begun).toBeLessThan(1000);
});
