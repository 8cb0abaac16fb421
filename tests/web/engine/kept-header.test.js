// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { keptHeader, readKeptHeader } from '../../../build/web/engine/kept-header.js';
import { readGgufHeader } from '../../../build/web/gguf/header.js';
import { TextColumn } from '../../../build/web/gguf/text-column.js';
import { Tokenizer } from '../../../build/web/text/tokenizer.js';
import { kSmallModel } from '../../../tools/setup/embedded-model.mjs';
import { sourceOf } from '../../support/write-gguf.js';

const file = new Uint8Array(readFileSync(kSmallModel));
const MERGES = 'tokenizer.ggml.merges';
const TEXTS = [
  'Once upon a time',
  " It's 12\u00bd o'clock\n\n  caf\u00e9 \u{1f600}<|im_end|>x",
  '\u0000\uffff',
];
let header;
let tokenizer;
beforeAll(async () => {
  ({ header } = await readGgufHeader(sourceOf(file)));
  tokenizer = await Tokenizer.open(header.metadata);
});

const plain = (value) => (value instanceof TextColumn ? [...value] : value);

test('is what it was, but for its merges', async () => {
  const { header: found, pairs } = readKeptHeader(keptHeader(header, tokenizer.pairs), file.length);
  expect(found.tensors).toEqual(header.tensors);
  expect([...found.metadata.keys()]).toEqual(
    [...header.metadata.keys()].filter((key) => key !== MERGES),
  );
  for (const [key, value] of found.metadata)
    expect(plain(value)).toEqual(plain(header.metadata.get(key)));
  const other = await Tokenizer.open(found.metadata, pairs);
  for (const text of TEXTS) expect(other.encode(text)).toEqual(tokenizer.encode(text));
  expect(other.vocabSize).toBe(tokenizer.vocabSize);
});

test('has its merges where nothing stands for them', () => {
  const { header: found, pairs } = readKeptHeader(keptHeader(header), file.length);
  expect(pairs).toBeUndefined();
  expect(plain(found.metadata.get(MERGES))).toEqual(plain(header.metadata.get(MERGES)));
});

test('keeps every kind of value', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => text.toWellFormed?.() ?? ''),
    fc.boolean(),
    fc.double(),
    fc.bigInt(),
    fc.array(fc.double(), { maxLength: 200 }),
    fc.array(fc.integer(), { minLength: 60, maxLength: 200 }),
    fc.array(fc.array(fc.oneof(fc.double(), fc.bigInt()), { maxLength: 3 }), { maxLength: 3 }),
    fc.array(fc.string(), { maxLength: 80 }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (values) => {
      const metadata = new Map(Object.entries(values));
      const bytes = keptHeader({ metadata, tensors: [] });
      expect([...readKeptHeader(bytes, 1000).header.metadata]).toEqual([...metadata]);
    }),
  );
});

test('nothing of it is believed: what is changed is refused, or is a header all the same', async () => {
  const bytes = keptHeader(header, tokenizer.pairs);
  // The JSON is where lengths stand.
  const json = new Uint32Array(bytes.buffer, 0, 1)[0];
  const place = fc.oneof(fc.nat({ max: 8 + json }), fc.nat({ max: bytes.length - 1 }));
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.integer({ min: 1, max: 255 }),
      fc.nat(64),
      async (at, bits, less) => {
        const changed = bytes.slice(0, bytes.length - 8 * (less % 3));
        changed[at % changed.length] ^= bits;
        try {
          const found = readKeptHeader(changed, file.length);
          const other = await Tokenizer.open(found.header.metadata, found.pairs);
          for (const text of TEXTS) {
            for (const id of other.encode(text)) expect(id < other.vocabSize).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(error.matcherResult).toBeUndefined();
          refused += 1;
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(20);
});

test('numbers that are no tokens, and texts that end before they start, are refused', () => {
  const { pairs } = tokenizer;
  const last = pairs.left.length - 1;
  for (const name of ['left', 'right', 'merged', 'bytes']) {
    for (const number of [-1, tokenizer.vocabSize]) {
      const wrong = Int32Array.from(pairs[name]);
      wrong[name === 'bytes' ? 255 : last] = number;
      const bytes = keptHeader(header, { ...pairs, [name]: wrong });
      expect(() => readKeptHeader(bytes, file.length)).toThrow(/a pair/);
    }
  }
  const column = new TextColumn(new Uint8Array(4), Uint32Array.of(3, 2, 4));
  const metadata = new Map([['tokenizer.ggml.tokens', column]]);
  expect(() => readKeptHeader(keptHeader({ metadata, tensors: [] }), 10)).toThrow(/a text/);
});

test('a tensor that its file has no room for is refused', () => {
  expect(() => readKeptHeader(keptHeader(header), file.length - 1)).toThrow(/the file at/);
});
