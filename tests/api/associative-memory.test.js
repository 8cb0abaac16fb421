// SPDX-License-Identifier: MIT
// Every rule of the memory, on the WebAssembly that ships: against the goldens, and its laws.

import { randomNumbers } from '../support/byte-level.js';
import { create, keep, restore } from './memories.js';
import { memoryCases } from './memory-cases.js';
import { relativeError } from './models.js';

/** Numbers in (-1, 1), the same each time. */
function randoms(seed) {
  const random = randomNumbers(seed);
  return (count, scale = 1) =>
    Float32Array.from({ length: count }, () => (2 * random() - 1) * scale);
}

// What each rule's gates may be, beside numbers around zero.
const GATES = {
  g: (x) => -0.3 * Math.abs(x),
  w: (x) => -0.3 * Math.abs(x),
  beta: Math.abs,
  dt: Math.abs,
  alpha: (x) => 0.1 * Math.abs(x),
  eta: (x) => 0.5 * Math.abs(x),
  theta: (x) => 0.1 * Math.abs(x),
};
const INPUTS = {
  linear: 'q k v',
  linear_transformer: 'q k v',
  hopfield: 'q k v',
  retnet: 'q k v',
  lightning: 'q k v',
  mamba2: 'c b x dt/h',
  gla: 'q k v g/k',
  hgrn2: 'q g/k v',
  rwkv6: 'r k v w/k',
  mlstm: 'q k v i/h f/h',
  delta: 'q k v beta/h',
  gated_delta: 'q k v g/h beta/h',
  kda: 'q k v g/k beta/h',
  comba: 'q k v p/k g/h beta/h',
  gdn2: 'q k v g/k b/k w/v',
  rwkv7: 'r k v w/k a/k b/k',
  longhorn: 'q k v beta/h',
  least_squares: 'q k v',
  ttt_linear: 'q k v eta/h',
  titans: 'q k v alpha/h eta/h theta/h',
  mamba1: 'c b x dt/v',
  softmax: 'q k v',
};
const RULES = Object.keys(INPUTS);
const H = 2;
const D = 16;

/** Random inputs of a rule for 2 heads of 16 x 16. */
function inputsOf(rule, tokens, seed = 1, dim = D) {
  const random = randoms(seed);
  const inputs = {};
  for (const entry of INPUTS[rule].split(' ')) {
    const [name, extent = 'k'] = entry.split('/');
    const numbers = random(tokens * H * (extent === 'h' ? 1 : dim), extent === 'h' ? 1 : 0.25);
    const gate = rule === 'gdn2' && name === 'w' ? Math.abs : GATES[name];
    inputs[name] =
      extent !== 'k' || 'gw'.includes(name) ? numbers.map(gate ?? ((x) => x)) : numbers;
  }
  return inputs;
}

/** The tokens from `first` to before `end` of inputs of so many. */
const stretch = (inputs, tokens, first, end) =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, array]) => {
      const floats = array.length / tokens;
      return [name, array.subarray(first * floats, end * floats)];
    }),
  );

const small = (rule) => create({ rule, heads: H, keyDim: D, valueDim: D });
const stateOf = (memory) => memory.stateNames.map((name) => memory.getState(name));

describe('goldens', () => {
  test('there are cases of every rule that has a definition elsewhere', () => {
    const covered = new Set(memoryCases.map(({ options }) => options.rule));
    expect(RULES.filter((rule) => !covered.has(rule))).toEqual(['linear', 'hopfield', 'softmax']);
  });

  test.each(memoryCases)('$name', async ({ options, inputs, tokens, start, o, end }) => {
    const memory = await create(options);
    for (const [name, values] of Object.entries(start)) memory.setState(name, values);
    expect(relativeError(memory.forward(inputs, tokens), o)).toBeLessThan(1e-5);
    for (const [name, values] of Object.entries(end)) {
      if (values) expect(relativeError(memory.getState(name), values)).toBeLessThan(1e-5);
    }
    expect(memory.tokens).toBe(tokens);
  });
});

describe.each(RULES)('%s', (rule) => {
  const TOKENS = 37;
  const inputs = inputsOf(rule, TOKENS);

  test('a text in pieces is the text', async () => {
    const whole = await small(rule);
    const pieces = await small(rule);
    const expected = whole.forward(inputs, TOKENS);
    const out = [0, 1, 9, 25, 26].flatMap((first, i, starts) => {
      const end = starts[i + 1] ?? TOKENS;
      return [...pieces.forward(stretch(inputs, TOKENS, first, end), end - first)];
    });
    expect(relativeError(out, expected)).toBeLessThan(3e-6);
    for (const [i, state] of stateOf(pieces).entries()) {
      expect(relativeError(state, stateOf(whole)[i])).toBeLessThan(3e-6);
    }
  });

  test('steps are the text', async () => {
    const whole = await small(rule);
    const steps = await small(rule);
    const expected = whole.forward(inputs);
    const out = Array.from({ length: TOKENS }, (_, t) => [
      ...steps.step(stretch(inputs, TOKENS, t, t + 1)),
    ]).flat();
    expect(relativeError(out, expected)).toBeLessThan(3e-6);
  });

  test('saved and restored, cloned, and reset', async () => {
    const memory = await small(rule);
    memory.forward(stretch(inputs, TOKENS, 0, 20), 20);
    const restored = await restore(memory.save());
    const clone = keep(memory.clone());
    expect(restored.rule).toBe(rule);
    expect(restored.tokens).toBe(20);
    const rest = stretch(inputs, TOKENS, 20, TOKENS);
    const expected = memory.forward(rest);
    expect(restored.forward(rest)).toEqual(expected);
    expect(clone.tokens).toBe(20);
    expect(clone.forward(rest)).toEqual(expected);
    expect(stateOf(restored)).toEqual(stateOf(memory));
    memory.reset();
    const fresh = await small(rule);
    expect(memory.tokens).toBe(0);
    expect(memory.forward(inputs)).toEqual(fresh.forward(inputs));
  });

  test('reading changes nothing', async () => {
    const memory = await small(rule);
    memory.forward(inputs);
    const before = stateOf(memory);
    const [query] = Object.values(inputs);
    const one = memory.read(query.subarray(0, H * D));
    expect(one.every(Number.isFinite)).toBe(true);
    expect(memory.read(query).subarray(0, H * D)).toEqual(one);
    expect(stateOf(memory)).toEqual(before);
    expect(memory.tokens).toBe(TOKENS);
  });

  test('outputs do not depend on later tokens', async () => {
    const [memory, other] = [await small(rule), await small(rule)];
    const later = inputsOf(rule, TOKENS, 2);
    const mixed = Object.fromEntries(
      Object.entries(inputs).map(([name, array]) => {
        const changed = Float32Array.from(later[name]);
        changed.set(array.subarray(0, (array.length / TOKENS) * 20));
        return [name, changed];
      }),
    );
    const count = 20 * H * D;
    expect(other.forward(mixed).subarray(0, count)).toEqual(
      memory.forward(inputs).subarray(0, count),
    );
  });
});
