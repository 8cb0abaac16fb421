// SPDX-License-Identifier: MIT
import { GrowingColumn, TextColumn } from '../../../build/web/gguf/text-column.js';
import { randomNumbers } from '../../support/byte-level.js';

/** Texts of all lengths of UTF-8 sequences, and empty ones; more than are decoded together. */
function someTexts(count) {
  const random = randomNumbers(7);
  const letters = ['a', 'é', '\u0120', '\ufeff', '漢', '😀', ' '];
  const letter = () => letters[Math.floor(random() * letters.length)];
  return Array.from({ length: count }, () =>
    Array.from({ length: Math.floor(random() * 5) }, letter).join(''),
  );
}

test('gives the texts that it was made of, in any order', () => {
  const texts = someTexts(1000);
  const column = TextColumn.of(texts);
  expect(column).toHaveLength(1000);
  expect(column.at(999)).toBe(texts[999]);
  expect(column.at(1000)).toBeUndefined();
  expect(column.at(-1)).toBeUndefined();
  expect([...column]).toEqual(texts);
});

test('says where bytes are, and finds the last of equal texts', () => {
  const column = TextColumn.of(['é', '', 'ab', 'é']);
  expect(column.startingWith([0xc3])).toEqual([0, 3]);
  expect(column.startingWith([0x61, 0xff])).toEqual([2]);
  expect(column.start(2)).toBe(2);
  expect(column.ends[2]).toBe(4);
  expect(column.lastIndexOf('é')).toBe(3);
  expect(column.lastIndexOf('')).toBe(1);
  expect(column.lastIndexOf('a')).toBe(-1);
});

test('has empty texts behind where it is made longer', () => {
  expect([...TextColumn.of(['a', 'b']).padTo(4)]).toEqual(['a', 'b', '', '']);
});

test('grows with what is put into it', () => {
  const column = new GrowingColumn();
  const long = 'x'.repeat(100_000);
  for (const text of ['a', long, 'b']) {
    column.roomFor(text.length + 5).set(new TextEncoder().encode(text));
    column.end(text.length);
  }
  expect([...column.whole()]).toEqual(['a', long, 'b']);
});
