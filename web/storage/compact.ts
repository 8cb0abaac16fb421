// SPDX-License-Identifier: MIT
// States in fewer bytes; fetched with the first one that is kept so.
import { ModelError } from '../errors.js';
import type { PackedArray, SavedArray } from './saved-file.js';

/**
 * How the numbers of a kept state are written: `f32` as they are, bit for bit; `f16`, IEEE half
 * precision; `int8` with one float32 scale for every 32 numbers.
 */
export type Precision = 'f32' | 'f16' | 'int8';

/** Numbers that share a scale: of a state, two keys of a strip of 16 value columns. */
const ROW = 32;
const MAX_HALF = 0x7bff;
// 127 times its 127th part, rounded up, is still finite.
const MOST = 3.4e38;
// Added to a double and taken away again, it rounds to whole numbers, halves to even ones.
const WHOLE = 1.5 * 2 ** 52;

/**
 * What writes arrays so: all but logits, which the next draw is made from, and pages of keys and
 * values that are in fewer bytes already.
 *
 * @throws TypeError for a precision that does not exist
 */
export function packer(
  precision: Precision,
): (arrays: ReadonlyMap<string, Float32Array>) => Map<string, SavedArray> {
  const types = { f32: undefined, f16: toHalf, int8: toInt8 };
  if (!Object.hasOwn(types, precision)) {
    throw new TypeError(`precision must be 'f32', 'f16' or 'int8', not '${precision}'`);
  }
  const to = types[precision];
  const packed = ([name, array]: [string, Float32Array]): [string, SavedArray] =>
    to && !/^(logi|bf|int)/.test(name)
      ? [name, { type: precision, length: array.length, bytes: to(array) }]
      : [name, array];
  return (arrays) => new Map([...arrays].map(packed));
}

/** @throws ModelError `invalid_header` for a type or a size that nobody writes */
export function unpack(arrays: ReadonlyMap<string, SavedArray>): Map<string, Float32Array> {
  const from = { f16: fromHalf, int8: fromInt8 };
  const unpacked = ([name, array]: [string, SavedArray]): [string, Float32Array] => {
    if (!('type' in array)) return [name, array];
    const { type, length, bytes } = array as PackedArray & { type: 'f16' | 'int8' };
    if (!Object.hasOwn(from, type) || bytes.length !== size[type](length)) {
      throw new ModelError('invalid_header', `no ${type} of ${length} numbers can be read here`, {
        subject: name,
      });
    }
    return [name, from[type](bytes, length)];
  };
  return new Map([...arrays].map(unpacked));
}

const padded = (bytes: number) => Math.ceil(bytes / 4) * 4;
const rows = (length: number) => Math.ceil(length / ROW);
const size = {
  f16: (length: number) => padded(2 * length),
  int8: (length: number) => 4 * rows(length) + padded(length),
};

/** To the nearest half, ties to even ones; what is too large becomes the largest, NaN stays. */
function toHalf(floats: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size.f16(floats.length));
  const halves = new Uint16Array(bytes.buffer);
  const bits = new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
  // Below 2^-14 halves are whole multiples of 2^-24: adding 0.5 rounds a float to those.
  const sum = new Float32Array(1);
  const sumBits = new Uint32Array(sum.buffer);
  for (let i = 0; i < bits.length; i++) {
    const all = bits[i] as number;
    const size = all & 0x7fffffff;
    let half: number;
    if (size > 0x7f800000) {
      half = 0x7e00;
    } else if (size < 0x38800000) {
      sum[0] = Math.abs(floats[i] as number) + 0.5;
      half = (sumBits[0] as number) - 0x3f000000;
    } else {
      half = (size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13;
      if (half > MAX_HALF) half = MAX_HALF;
    }
    halves[i] = ((all >>> 16) & 0x8000) | half;
  }
  return bytes;
}

let table: Float32Array | undefined;

function fromHalf(bytes: Uint8Array<ArrayBuffer>, length: number): Float32Array {
  table ??= Float32Array.from({ length: 65536 }, (_, half) => {
    const [exponent, fraction] = [(half >>> 10) & 31, half & 1023];
    const size =
      exponent === 31
        ? fraction === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : exponent === 0
          ? fraction * 2 ** -24
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    return half & 0x8000 ? -size : size;
  });
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, length);
  const floats = new Float32Array(length);
  for (let i = 0; i < length; i++) floats[i] = table[halves[i] as number] as number;
  return floats;
}

/** The scales of all rows, then the codes, -127 to 127; NaN becomes 0. */
function toInt8(floats: Float32Array): Uint8Array<ArrayBuffer> {
  const { length } = floats;
  const bytes = new Uint8Array(size.int8(length));
  const scales = new Float32Array(bytes.buffer, 0, rows(length));
  const codes = new Int8Array(bytes.buffer, scales.byteLength);
  for (let row = 0; row < scales.length; row++) {
    const [start, end] = [row * ROW, Math.min((row + 1) * ROW, length)];
    let largest = 0;
    for (let i = start; i < end; i++) {
      const size = Math.abs(floats[i] as number);
      if (size > largest) largest = size;
    }
    scales[row] = Math.min(largest, MOST) / 127;
    const scale = scales[row] as number;
    if (scale === 0) continue;
    for (let i = start; i < end; i++) {
      const code = (floats[i] as number) / scale + WHOLE - WHOLE;
      // The scale is rounded, and much so where it is tiny. NaN is written as 0.
      codes[i] = Math.max(-127, Math.min(127, code));
    }
  }
  return bytes;
}

function fromInt8(bytes: Uint8Array<ArrayBuffer>, length: number): Float32Array {
  const scales = new Float32Array(bytes.buffer, bytes.byteOffset, rows(length));
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset + scales.byteLength, length);
  const floats = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    floats[i] = (codes[i] as number) * (scales[(i / ROW) | 0] as number);
  }
  return floats;
}
