// SPDX-License-Identifier: MIT
// Any bytes are a header whose tensors lie in the file and apart, or are refused.
import fc from 'fast-check';
import { readGgufHeader } from '../../../build/web/gguf/header.js';
import { gguf, key, smallModel, sourceOf, Type, tensor } from '../../support/write-gguf.js';
import { changed, changes } from './bytes.js';
import { must, unlessRefused } from './expect.js';

const name = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('general.alignment', 'general.architecture', '', '__proto__'),
);
const sizes = fc.array(fc.nat(70), { minLength: 0, maxLength: 5 });
const written = fc.record({
  keys: fc.array(
    fc.oneof(
      fc.tuple(name, fc.constant(Type.u32), fc.nat()),
      fc.tuple(name, fc.constant(Type.f64), fc.double()),
      fc.tuple(name, fc.constant(Type.string), fc.string()),
      fc.tuple(
        name,
        fc.constant(Type.array),
        fc.tuple(fc.constant(Type.u8), fc.array(fc.nat(255))),
      ),
      fc.tuple(
        name,
        fc.constant(Type.array),
        fc.tuple(fc.constant(Type.string), fc.array(fc.string({ unit: 'binary' }))),
      ),
    ),
    { maxLength: 5 },
  ),
  tensors: fc.array(
    fc.tuple(
      name,
      sizes,
      fc.nat(40),
      fc.nat(40).map((n) => 32 * n),
    ),
    {
      maxLength: 4,
    },
  ),
  data: fc.constantFrom(0, 32, 4096, 65536),
});

const encode = ({ keys, tensors, data }) =>
  gguf({
    keys: keys.map((one) => key(...one)),
    tensors: tensors.map((one) => tensor(...one)),
    data: new Uint8Array(data),
  });

export const arbitrary = fc.record({
  file: fc.option(written, { freq: 2 }),
  changes,
  chunk: fc.constantFrom(1, 7, 64, 4096, 1 << 22),
  sizeKnown: fc.boolean(),
});

export async function check({ file, changes, chunk, sizeKnown }) {
  const bytes = changed(Buffer.from(file ? encode(file) : smallModel()), changes);
  // As many pieces as a small file can come in, not as a large one would.
  const pieces = Math.max(chunk, Math.ceil(bytes.length / 2000));
  const found = await unlessRefused(() =>
    readGgufHeader(sourceOf(bytes, { sizeKnown, chunk: pieces })),
  );
  if (!found) return;
  const { tensors, dataOffset } = found.header;
  let end = dataOffset;
  for (const { offset, bytes: size } of [...tensors].sort((a, b) => a.offset - b.offset)) {
    must(offset >= end && size > 0, 'tensors overlap');
    end = offset + size;
  }
  must(!sizeKnown || tensors.length === 0 || end <= bytes.length, 'a tensor ends behind the file');
  must(found.headerEnd <= bytes.length, 'the header ends behind the file');
}
