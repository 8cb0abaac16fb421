// SPDX-License-Identifier: MIT
import { TextColumn } from '../../../build/web/gguf/text-column.js';
import { TokenIndex } from '../../../build/web/text/token-index.js';

const bytesOf = (text) => new TextEncoder().encode(text);
/** Looks for a text in the middle of another. */
const findIn = (index, text, skip, guess) => {
  const bytes = bytesOf(`<${text}>`);
  return index.findBytes(bytes, 1, bytes.length - 1, skip, guess);
};

test('finds texts, parts of texts and bytes without one of them', () => {
  const index = new TokenIndex(TextColumn.of(['a', 'é', 'aé', 'b']));
  expect(['a', 'é', 'aé', 'b', '', 'x'].map((text) => index.find(text))).toEqual([
    0, 1, 2, 3, -1, -1,
  ]);
  expect(index.findPart('xaéb', 1, 3)).toBe(2);
  expect(findIn(index, 'a é')).toBe(-1);
  expect(findIn(index, 'a é', 2)).toBe(2);
});

test('adds texts behind, as many as there are', () => {
  const index = new TokenIndex(TextColumn.of(['a']));
  for (let i = 0; i < 100; i++) expect(index.add(`x${i}`)).toBe(1 + i);
  expect(index.size).toBe(101);
  for (let i = 0; i < 100; i++) expect(index.find(`x${i}`)).toBe(1 + i);
  expect(index.find('a')).toBe(0);
  expect(index.text(100)).toBe('x99');
});

test('a guess counts where looking would find it, and nowhere else', () => {
  const index = new TokenIndex(
    TextColumn.of(['twice', 'once', 'twice', 'hidden']),
    (id) => id === 3,
  );
  expect(findIn(index, 'once', -1, 1)).toBe(1);
  expect(findIn(index, 'once', -1, 2)).toBe(1);
  expect(findIn(index, 'twice', -1, 0)).toBe(2);
  expect(findIn(index, 'hidden', -1, 3)).toBe(-1);
  expect(findIn(index, 'hidden')).toBe(-1);
  expect(findIn(index, 'once', -1, 4)).toBe(1);
  expect(findIn(index, 'none', -1, 99)).toBe(-1);
});
