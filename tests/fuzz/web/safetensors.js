// SPDX-License-Identifier: MIT
// Any bytes are a header whose tensors lie in the file and apart, or are refused.
import fc from 'fast-check';
import { SAFETENSORS } from '../../../build/web/checkpoints/safetensors.js';
import { safetensors, tensorOf, withHeader } from '../../support/safetensors.js';
import { sourceOf } from '../../support/write-gguf.js';
import { changed, changes } from './bytes.js';
import { must, unlessRefused } from './expect.js';
import { json, jsonText } from './json.js';

const kTensors = {
  first: tensorOf([2, 3], [1, 2, 3, 4, 5, 6]),
  second: tensorOf([4], [1, -2, 3, -4], 'BF16'),
  nothing: tensorOf([0, 4], []),
};
const number = fc.oneof(fc.nat(64), fc.constantFrom(2 ** 53, -1, 0.5, 1e300, null, '4', 2 ** 31));
const entry = fc.record(
  {
    dtype: fc.oneof(fc.constantFrom('F32', 'BF16', 'F4', 'F6_E2M3', 'BOOL', 'toString'), json),
    shape: fc.oneof(fc.array(number, { maxLength: 10 }), json),
    data_offsets: fc.oneof(fc.tuple(number, number), json),
  },
  { requiredKeys: [] },
);
const header = fc.dictionary(fc.string(), fc.oneof({ weight: 4, arbitrary: entry }, json));

export const arbitrary = fc.record({
  header: fc.option(header, { freq: 2 }),
  changes,
  sizeKnown: fc.boolean(),
});

export const examples = [
  { header: { '': { dtype: { toString: null } } }, changes: [], sizeKnown: false },
];

export async function check({ header, changes, sizeKnown }) {
  const right = header ? withHeader(jsonText(header), Buffer.alloc(64)) : safetensors(kTensors);
  const bytes = changed(right, changes);
  const found = await unlessRefused(() => SAFETENSORS.read(sourceOf(bytes, { sizeKnown })));
  if (!found) return;
  let end = found.headerEnd;
  for (const { offset, bytes: size, shape } of found.header.tensors) {
    must(offset >= end && size >= 0, 'tensors overlap');
    must(shape.every(Number.isSafeInteger), 'a shape is no shape');
    end = offset + size;
  }
  must(!sizeKnown || end <= bytes.length, 'a tensor ends behind the file');
}
