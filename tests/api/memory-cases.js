// SPDX-License-Identifier: MIT
// Golden cases of tests/golden/kernels.py as the rules of AssociativeMemory have them.
import { readFileSync } from 'node:fs';
import { goldenFloats, goldenPath } from './models.js';

const HEADS = 2;
const KEY_DIM = 16;
const VALUE_DIM = 24;
const size = { heads: HEADS, keyDim: KEY_DIM, valueDim: VALUE_DIM };
const scaled = { ...size, scale: KEY_DIM ** -0.5 };

/** The arrays of an operator's case by name, and how many tokens it has. */
function readCases() {
  const cases = new Map();
  const index = readFileSync(goldenPath('kernels/index.txt'), 'utf8').trim().split('\n');
  for (const line of index) {
    const [operator, tokens, name, offset, count] = line.split(' ');
    const key = `${operator} ${tokens}`;
    if (!cases.has(key)) cases.set(key, { operator, tokens: Number(tokens), ranges: [] });
    cases.get(key).ranges.push([name, Number(offset), Number(count)]);
  }
  for (const entry of cases.values()) {
    const all = goldenFloats(`kernels/${entry.operator}_T${entry.tokens}.bin`);
    entry.arrays = Object.fromEntries(
      entry.ranges.map(([name, at, count]) => [name, all.slice(at, at + count)]),
    );
  }
  return [...cases.values()];
}

const map = (array, f) => Float32Array.from(array, f);

// Which rule an operator is, made how, from which of its arrays. What is not said: inputs and state
// go by their own names.
const RULES = {
  linear_attn: () => ({
    options: { rule: 'linear_transformer', ...scaled, featureMap: 'identity', epsilon: 1e-10 },
    states: { state: 'state', normaliser: 'z' },
    inputs: ['q', 'k', 'v'],
  }),
  retention: () => ({ options: { rule: 'retnet', ...scaled }, inputs: ['q', 'k', 'v'] }),
  lightning: () => ({
    // Layer 1 of 4.
    options: {
      rule: 'lightning',
      ...size,
      decay: [0, 1].map((h) => -(2 ** ((-8 * (h + 1)) / HEADS)) * (1 - 1 / 3 + 1e-5)),
    },
    inputs: ['q', 'k', 'v'],
  }),
  gla: () => ({ options: { rule: 'gla', ...scaled }, inputs: ['q', 'k', 'v', 'g'] }),
  hgrn2: ({ f }) => ({
    options: { rule: 'hgrn2', ...size },
    inputs: ['q', 'v'],
    more: { g: map(f, Math.log) },
  }),
  rwkv6: ({ u }) => ({
    options: { rule: 'rwkv6', ...size, u },
    inputs: ['r', 'k', 'v', 'w'],
  }),
  rwkv7: () => ({
    options: { rule: 'rwkv7', ...size },
    inputs: ['r', 'k', 'v', 'w', 'a', 'b'],
  }),
  mlstm: () => ({
    options: { rule: 'mlstm', ...scaled },
    inputs: ['q', 'k', 'v', 'i', 'f'],
    states: { state: 'C', normaliser: 'n', stabiliser: 'm' },
  }),
  delta_rule: () => ({ options: { rule: 'delta', ...scaled }, inputs: ['q', 'k', 'v', 'beta'] }),
  gated_delta_rule: () => ({
    options: { rule: 'gated_delta', ...scaled },
    inputs: ['q', 'k', 'v', 'g', 'beta'],
  }),
  gated_delta_rule_grouped: () => ({
    options: { rule: 'gated_delta', ...scaled, heads: 4, keyHeads: 2 },
    inputs: ['q', 'k', 'v', 'g', 'beta'],
  }),
  kda: () => ({ options: { rule: 'kda', ...scaled }, inputs: ['q', 'k', 'v', 'g', 'beta'] }),
  comba: () => ({
    options: { rule: 'comba', ...scaled },
    inputs: ['q', 'k', 'v', 'p', 'g', 'beta'],
  }),
  gdn2: () => ({ options: { rule: 'gdn2', ...scaled }, inputs: ['q', 'k', 'v', 'g', 'b', 'w'] }),
  longhorn: () => ({ options: { rule: 'longhorn', ...size }, inputs: ['q', 'k', 'v', 'beta'] }),
  rls: () => ({
    options: { rule: 'least_squares', ...size, regulariser: 0.5 },
    inputs: ['q', 'k', 'v'],
    states: {},
  }),
  based: () => ({
    options: { rule: 'linear_transformer', ...size, featureMap: 'taylor', epsilon: 1e-6 },
    inputs: ['q', 'k', 'v'],
    states: {},
  }),
  ttt_linear_mb1: (arrays) => tttLinear(arrays, 1),
  ttt_linear_mb16: (arrays) => tttLinear(arrays, 16),
  mamba1: ({ A, D, B, C, dt, x }) => ({
    options: { rule: 'mamba1', keyDim: 8, valueDim: 16, a: A, d: D },
    inputs: [],
    more: { b: B, c: C, dt, x },
  }),
  mamba2: ({ A, D, B, C, dt, x }) => ({
    options: { rule: 'mamba2', heads: 2, keyHeads: 1, keyDim: 8, valueDim: 12, a: A, d: D },
    inputs: [],
    more: { b: B, c: C, dt, x },
    // Theirs is [heads, valueDim, keyDim].
    state: (theirs) => transposed(theirs, 2, 12, 8),
  }),
  titans: () => ({
    options: { rule: 'titans', ...size },
    inputs: ['q', 'k', 'v', 'alpha', 'eta', 'theta'],
    states: { state: 'memory', momentum: 'momentum' },
  }),
  titans_mb16: () => ({
    options: { rule: 'titans', ...size, miniBatch: 16 },
    inputs: ['q', 'k', 'v', 'alpha', 'eta', 'theta'],
    states: { state: 'memory', momentum: 'momentum' },
  }),
};

function tttLinear({ w, b, q }, miniBatch) {
  return {
    options: {
      rule: 'ttt_linear',
      ...size,
      valueDim: KEY_DIM,
      miniBatch,
      residual: 'output',
      gamma: w,
      beta: b,
    },
    inputs: ['k', 'v', 'eta'],
    more: { q: map(q, (x) => x * KEY_DIM ** -0.5) },
    states: { state: 'state', bias: 'bias' },
  };
}

/** Matrices [rows, columns] as [columns, rows]. */
function transposed(array, matrices, rows, columns) {
  return Float32Array.from({ length: matrices * rows * columns }, (_, i) => {
    const [matrix, column, row] = [
      Math.floor(i / (rows * columns)),
      Math.floor(i / rows) % columns,
      i % rows,
    ];
    return array[(matrix * rows + row) * columns + column];
  });
}

/** @returns {{ name, options, inputs, tokens, start, o, end }[]} start and end by name of state */
export const memoryCases = readCases().flatMap(({ operator, tokens, arrays }) => {
  const rule = RULES[operator]?.(arrays);
  if (!rule) return [];
  const inputs = Object.fromEntries(rule.inputs.map((name) => [name, arrays[name]]));
  Object.assign(inputs, rule.more);
  const states = Object.entries(rule.states ?? { state: 'state' });
  const as = rule.state ?? ((array) => array);
  const named = (suffix) =>
    Object.fromEntries(states.map(([name, from]) => [name, as(arrays[`${from}${suffix}`])]));
  return [
    {
      name: `${operator}, ${tokens} tokens`,
      options: rule.options,
      inputs,
      tokens,
      start: named('_in'),
      o: arrays.o ?? arrays.y,
      end: named('_out'),
    },
  ];
});
