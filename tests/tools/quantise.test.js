// SPDX-License-Identifier: MIT
import { dequantise } from '../../tools/gguf/dequantise.mjs';
import { quantise } from '../../tools/gguf/quantise.mjs';
import { RandomStream } from '../../tools/gguf/random.mjs';
import { randomBlocks } from '../../tools/gguf/random-blocks.mjs';
import { tensorType, tensorTypes } from '../../tools/gguf/types.mjs';

const typeNames = Object.keys(tensorTypes);
const blockTypes = typeNames.filter((name) => tensorType(name).elements > 1);

function roundTrip(type, values) {
  return dequantise(type, quantise(type, values), values.length);
}

const rms = (values) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);

function relativeError(type, values) {
  const stored = roundTrip(type, values);
  return rms(values.map((x, i) => x - stored[i])) / rms(values);
}

// Percent of the deviation of normal values. Half a step of a code, spread evenly, makes up nearly all of it.
const measuredErrors = {
  F32: 0.00000253,
  F16: 0.0207,
  BF16: 0.166,
  Q8_0: 0.536,
  Q6_K: 1.731,
  Q5_K: 3.594,
  Q5_1: 3.789,
  Q5_0: 4.27,
  Q4_K: 7.177,
  IQ4_NL: 7.366,
  IQ4_XS: 7.433,
  Q4_1: 7.828,
  Q4_0: 8.592,
  MXFP4: 11.18,
  Q3_K: 14.53,
  Q2_K: 27.52,
};

test('an error is stated for every type', () => {
  expect(Object.keys(measuredErrors).sort()).toEqual([...typeNames].sort());
});

test.each(Object.entries(measuredErrors))(
  '%s keeps normal values within %d %%',
  (type, percent) => {
    const values = new RandomStream('quantise', type).normal(1 << 18, 0.03);
    const error = 100 * relativeError(type, values);
    expect(error).toBeLessThan(percent * 1.01);
    expect(error).toBeGreaterThan(percent * 0.95);
  },
);

test.each(typeNames)('%s: the error does not depend on the size of the values', (type) => {
  const values = new RandomStream('sizes', type).normal(1 << 14);
  const limit = (measuredErrors[type] / 100) * 1.05;
  for (const scale of [0.05, 1, 30]) {
    expect(
      relativeError(
        type,
        values.map((x) => scale * x),
      ),
    ).toBeLessThan(limit);
  }
});

test.each(blockTypes)('%s keeps zeros, and a lonely large value among them', (type) => {
  const { elements } = tensorType(type);
  const zeros = new Float64Array(2 * elements);
  expect(Array.from(roundTrip(type, zeros), Math.abs)).toEqual(Array.from(zeros));
  for (const large of [1.5, -1.5]) {
    const values = zeros.slice();
    values[elements + 3] = large;
    const stored = roundTrip(type, values);
    expect(Math.abs(stored[elements + 3] - large)).toBeLessThan(0.08);
    stored[elements + 3] = 0;
    expect(Math.max(...stored.map(Math.abs))).toBeLessThan(0.08);
  }
});

test.each(blockTypes)('%s keeps a block of one value', (type) => {
  for (const value of [-0.75, 0.75]) {
    const values = new Float64Array(tensorType(type).elements).fill(value);
    const errors = roundTrip(type, values).map((stored) => Math.abs(stored - value));
    expect(Math.max(...errors)).toBeLessThan(0.025);
  }
});

test.each(['Q4_1', 'Q5_1', 'Q4_K', 'Q5_K'])(
  '%s spends its codes on the range of shifted values',
  (type) => {
    const values = new RandomStream('shifted', type).normal(1 << 14, 0.1).map((x) => x - 1);
    const stored = roundTrip(type, values);
    const error = rms(values.map((x, i) => x - stored[i])) / 0.1;
    // The minimum is itself rounded to six bits in the K types.
    expect(error).toBeLessThan((measuredErrors[type] / 100) * (type.endsWith('K') ? 1.5 : 1.05));
  },
);

test('halves go away from zero in Q8_0, as ggml rounds them', () => {
  const values = Float32Array.from({ length: 32 }, (_, i) => (i === 0 ? 127 : i - 15.5));
  const codes = Array.from(new Int8Array(quantise('Q8_0', values).buffer, 2));
  expect(codes.slice(1, 4)).toEqual([-15, -14, -13]);
  expect(codes.slice(14, 18)).toEqual([-2, -1, 1, 2]);
});

test('Q8_0 is the rounding of single precision', () => {
  const values = Float32Array.from({ length: 32 }, (_, i) => (i - 16) * 0.1);
  const bytes = quantise('Q8_0', values);
  const step = Math.fround(Math.fround(1.6) / 127);
  const codes = Array.from(new Int8Array(bytes.buffer, 2));
  expect(codes).toEqual(Array.from(values, (x) => Math.round(x / step)));
  expect(codes[0]).toBe(-127);
});

test('the value of largest magnitude is exact in Q4_0 and Q5_0, whatever its sign', () => {
  for (const type of ['Q4_0', 'Q5_0']) {
    for (const largest of [-2, 2]) {
      const values = Float64Array.from({ length: 32 }, (_, i) => (i === 7 ? largest : i / 20));
      expect(roundTrip(type, values)[7]).toBe(largest);
    }
  }
});

test('single and double precision input give the same bytes', () => {
  for (const type of typeNames) {
    const values = Float32Array.from(new RandomStream('precision', type).normal(512));
    expect(quantise(type, Float64Array.from(values))).toEqual(quantise(type, values));
  }
});

test('a part of a block is refused', () => {
  expect(() => quantise('Q4_K', new Float64Array(128))).toThrow(RangeError);
});

test.each(typeNames)(
  '%s: random blocks have the wished deviation, mean zero and full range',
  (type) => {
    const count = 1 << 18;
    const weights = dequantise(
      type,
      randomBlocks(type, new RandomStream(5, type), count, 0.02),
      count,
    );
    const mean = weights.reduce((a, b) => a + b, 0) / count;
    expect(Math.abs(mean)).toBeLessThan(0.02 * 0.02);
    expect(Math.abs(rms(weights) / 0.02 - 1)).toBeLessThan(0.01);
    expect(Math.max(...weights.subarray(0, 4096))).toBeGreaterThan(0.03);
    expect(Math.min(...weights.subarray(0, 4096))).toBeLessThan(-0.03);
  },
);

test('random streams are repeatable and differ by seed and name', () => {
  const bytes = (seed, name) => Array.from(new RandomStream(seed, name).bytes(9));
  expect(bytes(1, 'a')).toEqual(bytes(1, 'a'));
  expect(bytes(1, 'a')).not.toEqual(bytes(2, 'a'));
  expect(bytes(1, 'a')).not.toEqual(bytes(1, 'b'));
});
