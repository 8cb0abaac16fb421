// SPDX-License-Identifier: MIT
import {
  decodeBFloat16,
  decodeFloat16,
  encodeBFloat16,
  encodeFloat16,
  roundHalfToEven,
} from '../../tools/gguf/float-formats.mjs';

// An independent decode: the fields of a half are those of a float32 with other widths and bias.
function float16ByFloat32Bits(code) {
  const view = new DataView(new ArrayBuffer(4));
  const magnitude = code & 0x7fff;
  if (magnitude >= 0x7c00) view.setUint32(0, 0x7f800000 | ((magnitude & 0x3ff) << 13));
  else view.setUint32(0, magnitude << 13);
  const value = magnitude >= 0x7c00 ? view.getFloat32(0) : view.getFloat32(0) * 2 ** 112;
  return code & 0x8000 ? -value : value;
}

const allCodes = Array.from({ length: 65536 }, (_, code) => code);
const isFloat16NaN = (code) => (code & 0x7fff) > 0x7c00;
const isBFloat16NaN = (code) => (code & 0x7fff) > 0x7f80;

test('every half decodes to its value', () => {
  const wrong = allCodes.filter(
    (code) => !Object.is(decodeFloat16(code), float16ByFloat32Bits(code)),
  );
  expect(wrong).toEqual([]);
});

test('every half that is a number encodes to itself', () => {
  const numbers = allCodes.filter((code) => !isFloat16NaN(code));
  expect(numbers).toHaveLength(65536 - 2 * 1023);
  expect(numbers.filter((code) => encodeFloat16(decodeFloat16(code)) !== code)).toEqual([]);
});

test('every bfloat16 that is a number encodes to itself', () => {
  const numbers = allCodes.filter((code) => !isBFloat16NaN(code));
  expect(numbers).toHaveLength(65536 - 2 * 127);
  expect(numbers.filter((code) => encodeBFloat16(decodeBFloat16(code)) !== code)).toEqual([]);
});

test.each([
  ['half', encodeFloat16, decodeFloat16, 0x7bff],
  ['bfloat16', encodeBFloat16, decodeBFloat16, 0x7f7f],
])(
  '%s: a number between two neighbours goes to the nearer, a tie to the even code',
  (_, encode, decode, last) => {
    const wrong = [];
    for (let code = 0; code < last; code++) {
      const low = decode(code);
      const high = decode(code + 1);
      const middle = (low + high) / 2;
      const nudge = (high - low) / 1024;
      if (encode(middle) !== code + (code & 1)) wrong.push(['tie', code]);
      if (encode(middle - nudge) !== code) wrong.push(['below', code]);
      if (encode(middle + nudge) !== code + 1) wrong.push(['above', code]);
      if (encode(-middle - nudge) !== 0x8000 + code + 1) wrong.push(['negative', code]);
    }
    expect(wrong).toEqual([]);
  },
);

test('halves overflow from 65520 on', () => {
  expect(encodeFloat16(65519.999)).toBe(0x7bff);
  expect(encodeFloat16(65520)).toBe(0x7c00);
  expect(encodeFloat16(-1e300)).toBe(0xfc00);
  expect(encodeFloat16(Infinity)).toBe(0x7c00);
});

test('what is not a number, a negative zero and the underflow keep their kind', () => {
  expect(isFloat16NaN(encodeFloat16(NaN))).toBe(true);
  expect(isBFloat16NaN(encodeBFloat16(NaN))).toBe(true);
  expect(encodeFloat16(-0)).toBe(0x8000);
  expect(encodeBFloat16(-0)).toBe(0x8000);
  expect(encodeFloat16(2 ** -25)).toBe(0);
  expect(encodeFloat16(2 ** -25 * 1.001)).toBe(1);
  expect(encodeFloat16(1e-320)).toBe(0);
  expect(encodeBFloat16(1e39)).toBe(0x7f80);
});

test.each([
  [0.5, 0],
  [1.5, 2],
  [2.5, 2],
  [-0.5, -0],
  [-1.5, -2],
  [2.4999, 2],
  [-7.51, -8],
])('%d rounds to %d', (x, rounded) => {
  expect(roundHalfToEven(x) === rounded).toBe(true);
});
