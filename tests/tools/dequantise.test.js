// SPDX-License-Identifier: MIT
import { dequantise } from '../../tools/gguf/dequantise.mjs';
import { byteLength, tensorType, tensorTypeById, tensorTypes } from '../../tools/gguf/types.mjs';

// Every block below is written out by hand from the definition of its type.

const half = Object.freeze({
  quarter: [0x00, 0x34],
  half: [0x00, 0x38],
  one: [0x00, 0x3c],
  two: [0x00, 0x40],
});
const halfMinusOne = [0x00, 0xbc];
const halfThree = [0x00, 0x42];

const times = (count, byte) => new Array(count).fill(byte);

// `rest` everywhere but at the given places.
function changed(count, rest, places) {
  const out = times(count, rest);
  for (const [place, value] of Object.entries(places)) out[place] = value;
  return out;
}

const runs = (length, values) => values.flatMap((value) => times(length, value));

function expectBlock(type, bytes, values) {
  expect(bytes).toHaveLength(tensorType(type).bytes * (values.length / tensorType(type).elements));
  const weights = dequantise(type, Uint8Array.from(bytes), values.length);
  expect(Array.from(weights)).toEqual(values);
}

test('F32', () => {
  expectBlock('F32', [0x00, 0x00, 0x20, 0xc1, 0x00, 0x00, 0xc0, 0x3f], [-10, 1.5]);
});

test('F16', () => {
  const bytes = [0x00, 0x3c, 0x00, 0xc5, 0x01, 0x00, 0xff, 0x7b];
  expectBlock('F16', bytes, [1, -5, 2 ** -24, 65504]);
});

test('BF16', () => {
  expectBlock('BF16', [0x80, 0x3f, 0xf7, 0xc2], [1, -123.5]);
});

test('Q4_0: low nibbles are the first half, high nibbles the second', () => {
  const codes = changed(16, 0x88, { 0: 0xf0, 15: 0x19 });
  const values = changed(32, 0, { 0: -4, 16: 3.5, 15: 0.5, 31: -3.5 });
  expectBlock('Q4_0', [...half.half, ...codes], values);
});

test('Q4_1: codes have no sign, the minimum is added', () => {
  const codes = changed(16, 0x00, { 0: 0x2f, 15: 0xa0 });
  const values = changed(32, -1, { 0: 29, 16: 3, 31: 19 });
  expectBlock('Q4_1', [...half.two, ...halfMinusOne, ...codes], values);
});

test('Q5_0: fifth bits of both halves', () => {
  const fifthBits = [0x01, 0x80, 0x01, 0x80]; // weights 0, 15, 16 and 31
  const codes = changed(16, 0x00, { 0: 0x53, 1: 0x53, 15: 0xf0 });
  const values = changed(32, -16, { 0: 3, 16: 5, 1: -13, 17: -11, 15: 0, 31: 15 });
  expectBlock('Q5_0', [...half.one, ...fifthBits, ...codes], values);
});

test('Q5_1: fifth bits of both halves', () => {
  const fifthBits = [0x02, 0x00, 0x00, 0x40]; // weights 1 and 30
  const codes = changed(16, 0x00, { 1: 0x21, 14: 0x9f });
  const values = changed(32, 3, { 1: 11.5, 17: 4, 14: 10.5, 30: 15.5 });
  expectBlock('Q5_1', [...half.half, ...halfThree, ...fifthBits, ...codes], values);
});

test('Q8_0: codes are signed', () => {
  const codes = changed(32, 0x00, { 0: 0x80, 1: 0x7f, 31: 0xff });
  expectBlock('Q8_0', [...half.quarter, ...codes], changed(32, 0, { 0: -32, 1: 31.75, 31: -0.25 }));
});

test('IQ4_NL: codes are places in a table', () => {
  const codes = changed(16, 0x99, { 0: 0xf0, 1: 0x78, 15: 0xc3 });
  const places = { 0: -254, 16: 226, 1: 2, 17: -20, 15: -130, 31: 106 };
  expectBlock('IQ4_NL', [...half.two, ...codes], changed(32, 26, places));
});

test('MXFP4: a power of two, and codes of sign, exponent and fraction', () => {
  const codes = changed(16, 0x22, { 0: 0x71, 1: 0xf9, 15: 0x80 });
  // 2^(126 - 127) times 0.5, 6, -0.5, -6, 0, -0; 1 elsewhere.
  const places = { 0: 0.25, 16: 3, 1: -0.25, 17: -3, 15: 0, 31: 0 };
  expectBlock('MXFP4', [126, ...codes], changed(32, 0.5, places));
  const smallest = [0, 1].map((exponent) =>
    dequantise('MXFP4', Uint8Array.from([exponent, ...times(16, 0x22)]), 32),
  );
  expect(smallest.map((values) => values[0])).toEqual([2 ** -127, 2 ** -126]);
});

test('IQ4_XS: six-bit scales of eight sub-blocks, their upper bits by themselves', () => {
  // Scales 1 -1 31 -32 0 16 -16 5: 33 31 63 0 32 48 16 37.
  const lower = [0xf1, 0x0f, 0x00, 0x50];
  const upper = [0b00_11_01_10, 0b10_01_11_10];
  const codes = runs(16, [0x98, 0x98, 0xf0, 0xf0, 0x98, 0x98, 0x98, 0x78]);
  codes[16 * 3 + 15] = 0x80;
  const half2 = (scale, low, high) => [...times(16, scale * low), ...times(16, scale * high)];
  const values = [
    ...half2(2, 1, 13),
    ...half2(-2, 1, 13),
    ...half2(62, -127, 113),
    ...half2(-64, -127, 113),
    ...times(32, 0),
    ...half2(32, 1, 13),
    ...half2(-32, 1, 13),
    ...half2(10, 1, -10),
  ];
  values[32 * 3 + 31] = -64;
  expectBlock('IQ4_XS', [...half.two, ...upper, ...lower, ...codes], values);
});

test('Q2_K: four weights in a byte, scales and minima of four bits', () => {
  const scales = [0x01, 0x12, 0x2f, 0xf0, ...times(11, 0x11), 0x83];
  // Codes 0 1 2 3 of the quarters of the first half, 3 2 1 0 of the second.
  const codes = runs(32, [0b11_10_01_00, 0b00_01_10_11]);
  codes[0] = 0b00_00_00_11;
  // scale * code - 0.5 * minimum, of sixteens.
  const values = runs(16, [0, -0.5, 14, -7.5, 1.5, 1.5, 2.5, 2.5]);
  values.push(...runs(16, [2.5, 2.5, 1.5, 1.5, 0.5, 0.5, -0.5, -4]));
  Object.assign(values, { 0: 3, 32: -1, 64: -0.5, 96: -0.5 });
  expectBlock('Q2_K', [...scales, ...codes, ...half.one, ...half.half], values);
});

test('Q3_K: third bits by themselves, six-bit scales in three places', () => {
  // Scales 33 34 35 36 31 30 29 28 0 63 32 48 16 37 32 32, less 32.
  const scales = [0x01, 0xf2, 0x03, 0x04, 0x0f, 0x5e, 0x0d, 0x0c];
  const upper = [0b01_00_01_10, 0b10_11_01_10, 0b10_10_01_10, 0b10_11_01_10];
  const codes = runs(32, [0b11_10_01_00, 0b00_01_10_11]);
  // Third bits of the parts 0, 2, 4 and 6.
  const third = changed(32, 0b01010101, { 31: 0b11111111 });
  // Codes less 4: 0 -3 2 -1 3 -2 1 -4.
  const wanted = [1, 2, 3, 4, -1, -2, -3, -4, -32, 31, 0, 16, -16, 5, 0, 0];
  const code = [0, -3, 2, -1, 3, -2, 1, -4];
  const values = runs(16, wanted).map((scale, l) => 0.5 * scale * code[l >> 5]);
  Object.assign(values, { 63: 0.5 * 4, 127: 0.5 * -4 * 3, 191: 0.5 * 16 * 2, 255: 0 });
  const zero = (x) => (x === 0 ? 0 : x);
  const bytes = [...third, ...codes, ...scales, ...upper, ...half.half];
  expect(bytes).toHaveLength(tensorType('Q3_K').bytes);
  const weights = dequantise('Q3_K', Uint8Array.from(bytes), 256);
  expect(Array.from(weights, zero)).toEqual(values.map(zero));
});

// Scales 1 2 3 63 17 34 51 60, minima 5 6 7 63 18 35 52 61: the last four of each lie in three places.
const scalesAndMins = [0x41, 0x82, 0xc3, 0xff, 0x45, 0x86, 0xc7, 0xff, 0x21, 0x32, 0x43, 0xdc];
// Codes 1 2 3 4 5 6 0 15, one for each sub-block.
const nibblePairs = runs(32, [0x21, 0x43, 0x65, 0xf0]);
// scale * code - 0.5 * minimum
const subBlockValues = [-1.5, 1, 5.5, 220.5, 76, 186.5, -26, 869.5];

test('Q4_K: six-bit scales and minima of eight sub-blocks', () => {
  const codes = [...nibblePairs];
  codes[0] = 0x9a; // weights 0 and 32
  codes[127] = 0x1e; // weights 223 and 255
  const values = runs(32, subBlockValues);
  Object.assign(values, { 0: 7.5, 32: 15, 223: 688, 255: 29.5 });
  expectBlock('Q4_K', [...half.one, ...half.half, ...scalesAndMins, ...codes], values);
});

test('Q5_K: one fifth bit for each sub-block in a byte', () => {
  const fifthBits = changed(32, 0x00, { 0: 0x81, 1: 0x24, 2: 0x4a, 31: 0x10 });
  const values = runs(32, subBlockValues);
  Object.assign(values, { 0: 14.5, 224: 1829.5, 65: 53.5, 161: 730.5 });
  Object.assign(values, { 34: 33, 98: 1228.5, 194: 790, 159: 348 });
  const head = [...half.one, ...half.half, ...scalesAndMins];
  expectBlock('Q5_K', [...head, ...fifthBits, ...nibblePairs], values);
});

test('Q6_K: four quarters of two halves, with scales of both signs', () => {
  const low = runs(32, [0x21, 0x43, 0xf0, 0x0f]);
  // Upper bits 0 1 2 3 of the quarters in the first half, 3 0 3 0 in the second.
  const high = runs(32, [0xe4, 0x33]);
  const scales = [0x01, 0xff, 0x02, 0xfe, 0x03, 0xfd, 0x04, 0xfc, 0x7f, 0x80, 5, 6, 7, 8, 9, 10];
  // 0.5 * scale * code, with codes -31 -13 2 20 and 16 -17 31 -32.
  const firstHalf = [-15.5, 15.5, -13, 13, 3, -3, 40, -40];
  const secondHalf = [1016, -1024, -42.5, -51, 108.5, 124, -144, -160];
  expectBlock(
    'Q6_K',
    [...low, ...high, ...scales, ...half.half],
    runs(16, [...firstHalf, ...secondHalf]),
  );
});

test('blocks follow one another', () => {
  const block = (byte) => [...half.one, ...times(16, byte)];
  expectBlock('Q4_0', [...block(0x99), ...block(0x77)], [...times(32, 1), ...times(32, -1)]);
});

test('bytes that are not the blocks of so many weights are refused', () => {
  expect(() => dequantise('Q8_0', new Uint8Array(33), 32)).toThrow(RangeError);
  expect(() => dequantise('Q8_0', new Uint8Array(34), 31)).toThrow(RangeError);
  expect(() => dequantise('IQ2_S', new Uint8Array(82), 256)).toThrow('IQ2_S');
});

test('types are found by name and by id', () => {
  for (const type of Object.values(tensorTypes)) expect(tensorTypeById(type.id)).toBe(type);
  expect(tensorTypeById(22)).toBeUndefined();
  expect(byteLength('Q6_K', 1024 * 256)).toBe(1024 * 210);
});
