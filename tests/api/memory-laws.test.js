// SPDX-License-Identifier: MIT
// What rules are to each other, and what a memory is to its reader.
import { randomNumbers } from '../support/byte-level.js';
import { create, restore } from './memories.js';
import { relativeError } from './models.js';

const random = randomNumbers(5);
const numbers = (count) => Float32Array.from({ length: count }, () => 2 * random() - 1);
const unit = (i, dim) => Float32Array.from({ length: dim }, (_, j) => Number(i === j));
const normalised = (x) => x.map((value) => value / Math.hypot(...x));

test.each(['delta', 'gated_delta', 'kda', 'comba', 'gdn2', 'titans'])(
  '%s recalls what is under orthonormal keys, and what overwrote it',
  async (rule) => {
    const memory = await create({ rule, keyDim: 16, valueDim: 8 });
    const values = Array.from({ length: 16 }, () => numbers(8));
    for (const [i, value] of values.entries()) memory.write({ key: unit(i, 16), value });
    values[3] = numbers(8);
    memory.write({ key: unit(3, 16), value: values[3] });
    for (const [i, value] of values.entries()) {
      expect(relativeError(memory.read(unit(i, 16)), value)).toBeLessThan(1e-6);
    }
  },
);

test('the delta rule with unit decay is the gated delta rule with g = 0', async () => {
  const size = { heads: 2, keyDim: 8, valueDim: 12 };
  const delta = await create({ rule: 'delta', ...size });
  const gated = await create({ rule: 'gated_delta', ...size });
  const tokens = 21;
  const [q, k, v] = [numbers(tokens * 16), numbers(tokens * 16), numbers(tokens * 24)];
  const beta = numbers(tokens * 2).map(Math.abs);
  const g = new Float32Array(tokens * 2);
  const expected = delta.forward({ q, k: k.map((x) => x / 2), v, beta });
  const found = gated.forward({ q, k: k.map((x) => x / 2), v, g, beta });
  expect(relativeError(found, expected)).toBeLessThan(1e-6);
});

test('a Hopfield memory is linear attention, and sign recalls a pattern from a part of it', async () => {
  const size = { keyDim: 64, valueDim: 64 };
  const linear = await create({ rule: 'linear', ...size });
  const hopfield = await create({ rule: 'hopfield', ...size });
  const signs = await create({
    rule: 'hopfield',
    ...size,
    rate: 1 / 64,
    separation: 'sign',
    iterations: 5,
  });
  const patterns = Array.from({ length: 4 }, () => numbers(64).map((x) => (x < 0 ? -1 : 1)));
  for (const pattern of patterns) {
    for (const memory of [linear, hopfield, signs]) memory.write({ key: pattern, value: pattern });
  }
  expect(hopfield.read(patterns[0])).toEqual(linear.read(patterns[0]));
  for (const pattern of patterns) {
    const damaged = pattern.map((x, i) => (i < 12 ? -x : x));
    expect(signs.read(damaged)).toEqual(pattern);
  }
});

test('least squares recalls keys that linear attention confuses', async () => {
  const size = { keyDim: 16, valueDim: 8 };
  const linear = await create({ rule: 'linear', ...size });
  const exact = await create({ rule: 'least_squares', ...size, regulariser: 1e-6 });
  const pairs = Array.from({ length: 12 }, () => ({
    key: normalised(numbers(16).map((x) => x + 1)),
    value: numbers(8),
  }));
  for (const pair of pairs) {
    linear.write(pair);
    exact.write(pair);
  }
  for (const { key, value } of pairs) {
    expect(relativeError(exact.read(key), value)).toBeLessThan(1e-3);
    expect(relativeError(linear.read(key), value)).toBeGreaterThan(0.5);
  }
});

test('softmax attention is the softmax over what it keeps', async () => {
  const memory = await create({ rule: 'softmax', heads: 4, keyHeads: 2, keyDim: 8, valueDim: 4 });
  const tokens = 70;
  const [q, k, v] = [numbers(tokens * 32), numbers(tokens * 16), numbers(tokens * 8)];
  const out = memory.forward({ q, k, v });
  for (const [t, head] of [
    [0, 0],
    [33, 1],
    [69, 3],
  ]) {
    const keys = Math.floor(head / 2);
    const scores = Array.from({ length: t + 1 }, (_, s) => {
      let dot = 0;
      for (let i = 0; i < 8; i++) dot += q[(t * 4 + head) * 8 + i] * k[(s * 2 + keys) * 8 + i];
      return Math.exp(dot / Math.sqrt(8));
    });
    const total = scores.reduce((a, b) => a + b);
    const expected = Array.from({ length: 4 }, (_, j) =>
      scores.reduce((sum, weight, s) => sum + (weight / total) * v[(s * 2 + keys) * 4 + j], 0),
    );
    expect(
      relativeError(out.slice((t * 4 + head) * 4, (t * 4 + head + 1) * 4), expected),
    ).toBeLessThan(1e-5);
  }
  // Pages of 64 tokens of 2 key heads.
  expect(memory.stateBytes).toBe(4 * 2 * 64 * 2 * (8 + 4));
});

test('with causal: false every query reads all keys', async () => {
  const size = { rule: 'linear_transformer', keyDim: 8, valueDim: 8 };
  const causal = await create(size);
  const all = await create({ ...size, causal: false });
  const tokens = 100;
  const inputs = { q: numbers(tokens * 8), k: numbers(tokens * 8), v: numbers(tokens * 8) };
  causal.forward(inputs);
  const found = all.forward(inputs);
  expect(all.state).toEqual(causal.state);
  expect(relativeError(found, causal.read(inputs.q))).toBeLessThan(1e-6);
  const again = await restore(all.save());
  expect(again.forward(inputs)).toEqual(all.forward(inputs));
});

test('dimensions that are not multiples of 4 are as if padded with zeros', async () => {
  const [K, V, tokens] = [5, 7, 19];
  const pad = (array, dim, to) =>
    Float32Array.from({ length: (array.length / dim) * to }, (_, i) =>
      i % to < dim ? array[Math.floor(i / to) * dim + (i % to)] : 0,
    );
  const gates = {
    g: numbers(tokens).map((x) => -Math.abs(x)),
    beta: numbers(tokens).map(Math.abs),
  };
  const [q, k, v] = [numbers(tokens * K), numbers(tokens * K), numbers(tokens * V)];
  for (const featureMap of ['identity', 'silu']) {
    const odd = await create({ rule: 'gated_delta', keyDim: K, valueDim: V, featureMap });
    const even = await create({ rule: 'gated_delta', keyDim: 8, valueDim: 8, featureMap });
    const found = odd.forward({ q, k, v, ...gates });
    const expected = even.forward({ q: pad(q, K, 8), k: pad(k, K, 8), v: pad(v, V, 8), ...gates });
    expect(pad(found, V, 8)).toEqual(expected);
    expect(odd.state.length).toBe(K * V);
    odd.state = odd.state.map((x) => 2 * x);
    expect(
      relativeError(
        odd.read(q.subarray(0, K)),
        even
          .read(pad(q.subarray(0, K), K, 8))
          .slice(0, V)
          .map((x) => 2 * x),
      ),
    ).toBeLessThan(1e-6);
  }
  // A feature map of zero that is not zero: the sum of five keys of elu + 1, not of eight.
  const mapped = await create({ rule: 'linear_transformer', keyDim: K, valueDim: V });
  mapped.write({ key: q.subarray(0, K), value: v.subarray(0, V) });
  expect(relativeError(mapped.read(k.subarray(0, K)), v.subarray(0, V))).toBeLessThan(1e-5);
  const phi = (x) => (x > 0 ? x + 1 : Math.exp(x));
  expect(relativeError(mapped.getState('normaliser'), q.slice(0, K).map(phi))).toBeLessThan(1e-6);
});

test('keys of fewer heads serve neighbouring heads', async () => {
  const tokens = 11;
  const size = { rule: 'kda', heads: 4, keyDim: 8, valueDim: 8 };
  const grouped = await create({ ...size, keyHeads: 2 });
  const plain = await create(size);
  const [q, k] = [numbers(tokens * 16), numbers(tokens * 16)];
  const rest = {
    v: numbers(tokens * 32),
    g: numbers(tokens * 32).map((x) => -Math.abs(x)),
    beta: numbers(tokens * 4).map(Math.abs),
  };
  const repeated = (x) =>
    Float32Array.from({ length: 2 * x.length }, (_, i) => {
      const [row, column] = [Math.floor(i / 8), i % 8];
      return x[(Math.floor(row / 4) * 2 + Math.floor((row % 4) / 2)) * 8 + column];
    });
  expect(grouped.forward({ q, k, ...rest })).toEqual(
    plain.forward({ q: repeated(q), k: repeated(k), ...rest }),
  );
});

test('inputs in the memory’s own heap are taken where they are', async () => {
  const memory = await create({ rule: 'delta', heads: 2, keyDim: 8, valueDim: 8 });
  const twin = await create({ rule: 'delta', heads: 2, keyDim: 8, valueDim: 8 });
  const tokens = 9;
  const inputs = {
    q: numbers(tokens * 16),
    k: numbers(tokens * 16),
    v: numbers(tokens * 16),
    beta: numbers(tokens * 2).map(Math.abs),
  };
  const buffers = memory.buffers(tokens);
  for (const [name, array] of Object.entries(inputs)) buffers.inputs[name].set(array);
  const out = memory.forward(buffers.inputs, tokens, buffers.output);
  expect(out).toBe(buffers.output);
  expect([...out]).toEqual([...twin.forward(inputs)]);
  // And one whose heap has grown away.
  const large = await create({ rule: 'linear', heads: 8, keyDim: 128, valueDim: 128 });
  large.buffers(4000);
  expect(() => memory.forward(buffers.inputs, tokens)).toThrow(RangeError);
});

test('a sequence longer than a piece is the same in one call and in many', async () => {
  const size = { rule: 'gla', keyDim: 8, valueDim: 8 };
  const [whole, pieces] = [await create(size), await create(size)];
  const tokens = 2500;
  const inputs = {
    q: numbers(tokens * 8),
    k: numbers(tokens * 8),
    v: [...numbers(tokens * 8)],
    g: numbers(tokens * 8).map((x) => -Math.abs(x)),
  };
  const expected = whole.forward(inputs, tokens);
  const out = [];
  for (let t = 0; t < tokens; t += 100) {
    const part = ([name, array]) => [name, array.slice(t * 8, (t + 100) * 8)];
    out.push(...pieces.forward(Object.fromEntries(Object.entries(inputs).map(part))));
  }
  expect(relativeError(out, expected)).toBeLessThan(3e-6);
});
