// SPDX-License-Identifier: MIT
// Files that were right before they were changed.
import fc from 'fast-check';

const kWords = [0, 1, 8, 9, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 2 ** 31, 2 ** 53 - 1];

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const change = fc.oneof(
  fc.record({ kind: fc.constant('byte'), place, byte: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('bit'), place, bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constant('word'), place, word: fc.constantFrom(...kWords) }),
  fc.record({ kind: fc.constant('insert'), place, bytes: fc.uint8Array({ maxLength: 16 }) }),
  fc.record({ kind: fc.constant('remove'), place, count: fc.integer({ min: 1, max: 64 }) }),
  fc.record({ kind: fc.constant('repeat'), place, count: fc.integer({ min: 1, max: 64 }) }),
  fc.record({ kind: fc.constant('cut'), place }),
);

/** What is to be changed in some bytes; most of it near the beginning, where headers are. */
export const changes = fc.array(fc.record({ change, near: fc.constantFrom(1, 0.1, 0.01, 0.001) }), {
  maxLength: 6,
});

export function changed(bytes, list) {
  return list.reduce((before, { change, near }) => apply(before, change, near), bytes);
}

function apply(bytes, change, near) {
  const at = Math.floor(change.place * near * bytes.length);
  const put = (from, middle, to) =>
    Buffer.concat([bytes.subarray(0, from), Buffer.from(middle), bytes.subarray(to)]);
  switch (change.kind) {
    case 'byte':
      return put(at, [change.byte], at + 1);
    case 'bit':
      return put(at, [(bytes[at] ?? 0) ^ (1 << change.bit)], at + 1);
    case 'word': {
      const word = Buffer.alloc(8);
      word.writeBigUInt64LE(BigInt(change.word));
      return put(at, word, at + 8);
    }
    case 'insert':
      return put(at, change.bytes, at);
    case 'remove':
      return put(at, [], at + change.count);
    case 'repeat':
      return put(at, bytes.subarray(at, at + change.count), at);
    default:
      return bytes.subarray(0, Math.floor(change.place * bytes.length));
  }
}
