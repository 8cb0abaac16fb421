// SPDX-License-Identifier: MIT
// Numbers in fewer bytes, against definitions by search: the nearest of all that can be written.
import { packer, unpack } from '../../../build/web/storage/compact.js';

const ROW = 32;
const back = (values, type) =>
  unpack(packer(type)(new Map([['a', Float32Array.from(values)]]))).get('a');

/** All halves that are numbers, from their definition, in order: [value, is even]. */
const halves = Array.from({ length: 0x7c00 }, (_, half) => {
  const [exponent, fraction] = [half >> 10, half % 1024];
  const value = exponent === 0 ? fraction / 2 ** 24 : (1024 + fraction) * 2 ** (exponent - 25);
  return [value, half % 2 === 0];
});

function nearestHalf(x) {
  const size = Math.abs(x);
  let [low, high] = [0, halves.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (halves[middle][0] <= size) low = middle;
    else high = middle;
  }
  const [below, above] = [size - halves[low][0], halves[high][0] - size];
  const isLow = below < above || (below === above && halves[low][1]);
  return Math.sign(x) * halves[isLow ? low : high][0];
}

/** Floats of every size, the same each time. */
function floats(count, seed = 1) {
  let state = seed;
  const bits = Uint32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 3) ^ (state << 17);
  });
  return new Float32Array(bits.buffer).filter((x) => Number.isFinite(x));
}

test('every half is itself', () => {
  const values = halves.flatMap(([value]) => [value, -value]);
  expect([...back(values, 'f16')]).toEqual(values);
});

test('between two halves the nearer one is taken, of equally near ones the even one', () => {
  const values = [];
  for (let i = 0; i + 1 < halves.length; i++) {
    const middle = (halves[i][0] + halves[i + 1][0]) / 2;
    // The floats beside the middle, which is one itself.
    const step = middle * 2 ** -23 || 2 ** -149;
    values.push(middle, middle - step, -(middle + step));
  }
  const found = back(values, 'f16');
  for (const [i, x] of values.entries()) {
    if (found[i] !== nearestHalf(Math.fround(x)))
      expect([x, found[i]]).toEqual([x, nearestHalf(x)]);
  }
  expect([...found.slice(0, 6)]).toEqual([0, 0, -(2 ** -24), 2 ** -23, 2 ** -24, -(2 ** -23)]);
});

test('floats of every size become the nearest half; none becomes infinite', () => {
  const values = [...floats(200_000), 65504, 65519, 65520, 1e30, -1e30, Infinity, -Infinity];
  const found = back(values, 'f16');
  for (const [i, x] of values.entries()) {
    const wanted = Math.abs(x) > 65504 ? Math.sign(x) * 65504 : nearestHalf(x);
    if (found[i] !== wanted) expect([x, found[i]]).toEqual([x, wanted]);
  }
  expect(back([Number.NaN, 1], 'f16')).toEqual(Float32Array.of(Number.NaN, 1));
});

test('int8: within half a step of the largest in the row, which is kept', () => {
  const values = Float32Array.from(floats(50_000, 3), (x) => Math.sign(x) * Math.abs(x) ** 0.1);
  const found = back(values, 'int8');
  for (let start = 0; start < values.length; start += ROW) {
    const row = values.subarray(start, start + ROW);
    const largest = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const step = Math.fround(largest / 127);
    for (const [i, x] of row.entries()) {
      // The nearest multiple, by looking at the three that it may be.
      const near = Math.round(x / step);
      const errors = [-1, 0, 1].map((more) => Math.abs((near + more) * step - x));
      const error = Math.abs(found[start + i] - x);
      expect(error).toBeLessThanOrEqual(Math.min(...errors) + 2 ** -23 * largest);
    }
  }
});

test('int8: ties go to even codes, rows know nothing of each other', () => {
  const row = [127, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5];
  const values = [...row, ...Array(ROW - row.length).fill(0), 1e-3, 1e6];
  const found = back(values, 'int8');
  expect([...found.slice(0, row.length)]).toEqual([127, 0, 2, 2, 0, -2, 126]);
  expect(found[ROW]).toBe(0);
  expect(found[ROW + 1]).toBeCloseTo(1e6, 0);
  expect(back([1e-3], 'int8')[0]).toBeCloseTo(1e-3, 9);
});

test('int8: what is not finite or hardly anything', () => {
  const [plus, minus, one] = back([Infinity, -Infinity, 1], 'int8');
  expect([plus / 3.4e38, minus / 3.4e38, one]).toEqual([
    expect.closeTo(1, 6),
    expect.closeTo(-1, 6),
    0,
  ]);
  expect([...back([Number.NaN, 127, -3], 'int8')]).toEqual([0, 127, -3]);
  expect([...back([0, 0], 'int8')]).toEqual([0, 0]);
  // The scale itself is a whole multiple of 2^-149.
  for (const x of [2 ** -149, 100 * 2 ** -149, 190 * 2 ** -149, 2 ** -126]) {
    expect(Math.abs(back([x], 'int8')[0] - x)).toBeLessThanOrEqual(x);
  }
});

test.each(['f16', 'int8'])('%s: any length, also in the middle of an array', (type) => {
  const all = Float32Array.from({ length: 100 }, (_, i) => i - 50);
  for (let length = 0; length < 70; length++) {
    const part = all.subarray(3, 3 + length);
    const packed = packer(type)(new Map([['part', part]])).get('part');
    expect(packed.bytes.length % 4).toBe(0);
    const found = unpack(new Map([['part', packed]])).get('part');
    expect(found).toHaveLength(length);
    for (const [i, x] of found.entries()) expect(Math.abs(x - part[i])).toBeLessThan(0.5);
  }
});

test('logits stay as they are, and f32 is nothing else', () => {
  const arrays = new Map([
    ['state', floats(40)],
    ['logits', floats(40)],
  ]);
  expect(packer('f32')(arrays)).toEqual(arrays);
  expect(unpack(packer('int8')(arrays)).get('logits')).toBe(arrays.get('logits'));
});

test('refuses what nobody writes', () => {
  expect(() => packer('f8')).toThrow(TypeError);
  expect(() => packer('toString')).toThrow(TypeError);
  for (const [type, length, size] of [
    ['f8', 4, 4],
    ['f16', 4, 4],
    ['int8', 4, 4],
    ['f16', -2, 0],
  ]) {
    const bytes = new Uint8Array(size);
    expect(() => unpack(new Map([['state', { type, length, bytes }]]))).toThrow(
      expect.objectContaining({ code: 'invalid_header', subject: 'state' }),
    );
  }
});
