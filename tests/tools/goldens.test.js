// SPDX-License-Identifier: MIT
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  goldenFolder,
  makeGoldens,
  makeQuantised,
  quantisedFolder,
} from '../../tools/gguf/make-goldens.mjs';
import { tensorType, tensorTypes } from '../../tools/gguf/types.mjs';

const stored = (name) => readFileSync(join(goldenFolder, name));
const manifest = JSON.parse(stored('manifest.json').toString());
const distinct = (values) => new Set(values).size;

test.each([
  ['types', goldenFolder, makeGoldens],
  ['quantisers', quantisedFolder, makeQuantised],
])('the script still makes exactly the stored files of %s', (_, folder, make) => {
  const made = make();
  expect(readdirSync(folder).sort()).toEqual([...made.keys()].sort());
  for (const [name, bytes] of made) {
    expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true);
  }
});

test('there is one entry for every type', () => {
  expect(manifest.map(({ type, id }) => [type, id])).toEqual(
    Object.values(tensorTypes).map(({ name, id }) => [name, id]),
  );
});

test.each(manifest)('$type: the file is its bytes and finite values, nothing else', (entry) => {
  const { elements, bytes } = tensorType(entry.type);
  expect(entry.bytes).toBe((entry.count / elements) * bytes);
  expect(entry.count / elements).toBeGreaterThan(1);
  expect(entry.bytesOffset).toBe(0);
  expect(entry.valuesOffset).toBe(entry.bytes);
  const file = stored(entry.file);
  expect(file).toHaveLength(entry.bytes + 8 * entry.count);
  const values = Array.from({ length: entry.count }, (_, i) =>
    file.readDoubleLE(entry.valuesOffset + 8 * i),
  );
  expect(values.every(Number.isFinite)).toBe(true);
  // Two bits make four values of sixteen.
  expect(distinct(values)).toBeGreaterThan(entry.count / (entry.type === 'Q2_K' ? 8 : 4));
});

test.each([
  ['Q4_0', 18, 2, 16, 16],
  ['Q4_1', 20, 4, 16, 16],
  ['Q5_0', 22, 6, 16, 16],
  ['Q5_1', 24, 8, 16, 16],
  ['IQ4_NL', 18, 2, 16, 16],
  ['IQ4_XS', 136, 8, 128, 16],
  ['MXFP4', 17, 1, 16, 16],
  ['Q2_K', 84, 16, 64, 16],
  ['Q3_K', 110, 32, 64, 16],
  ['Q4_K', 144, 16, 128, 16],
  ['Q5_K', 176, 48, 128, 16],
  ['Q6_K', 210, 0, 128, 16],
])('%s shows every nibble in both halves of a byte', (type, size, from, length, nibbles) => {
  const { file, bytes } = manifest.find((entry) => entry.type === type);
  const codes = Array.from(stored(file).subarray(0, bytes)).filter(
    (_, i) => i % size >= from && i % size < from + length,
  );
  expect(distinct(codes.map((code) => code & 15))).toBe(nibbles);
  expect(distinct(codes.map((code) => code >> 4))).toBe(nibbles);
});
