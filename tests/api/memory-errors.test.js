// SPDX-License-Identifier: MIT
// What a memory says of wrong options, inputs and bytes; it is as it was then.
import { AssociativeMemory, ModelError } from '../../dist/index.js';
import { rejection, withBuild } from './models.js';

const SIZE = { heads: 2, keyDim: 8, valueDim: 4 };
const create = (options) => AssociativeMemory.create(withBuild(options));

test.each([
  [undefined, TypeError, /options/],
  [{ rule: 'delta', valueDim: 4 }, TypeError, /keyDim/],
  [{ rule: 'delta', keyDim: 4 }, TypeError, /valueDim/],
  [{ rule: 'hebb', ...SIZE }, TypeError, /rule must be one of linear, .*softmax, not 'hebb'/],
  [{ ...SIZE }, TypeError, /rule/],
  [{ rule: 'delta', ...SIZE, heads: 0 }, RangeError, /heads/],
  [{ rule: 'delta', ...SIZE, heads: '2' }, TypeError, /heads/],
  [{ rule: 'delta', ...SIZE, keyDim: 2.5 }, RangeError, /keyDim/],
  [{ rule: 'delta', ...SIZE, valueDim: 1025 }, RangeError, /valueDim/],
  [{ rule: 'delta', ...SIZE, heads: 3, keyHeads: 2 }, RangeError, /multiple of keyHeads/],
  [{ rule: 'mlstm', ...SIZE, keyHeads: 1 }, RangeError, /keyHeads must be 2/],
  [{ rule: 'ttt_linear', ...SIZE }, RangeError, /keyDim = valueDim, not 8 and 4/],
  [{ rule: 'ttt_linear', keyDim: 6, valueDim: 6 }, RangeError, /multiples of 4/],
  [{ rule: 'hopfield', ...SIZE, iterations: 2 }, RangeError, /keyDim = valueDim/],
  [{ rule: 'delta', ...SIZE, forgetting: 1 }, TypeError, /'forgetting'/],
  [{ rule: 'delta', ...SIZE, scale: '1' }, TypeError, /scale/],
  [{ rule: 'delta', ...SIZE, scale: Number.NaN }, RangeError, /scale/],
  [{ rule: 'delta', ...SIZE, featureMap: 'tanh' }, TypeError, /featureMap must be one of identity/],
  [{ rule: 'delta', ...SIZE, featureMap: 'hedgehog' }, TypeError, /needs queryWeight/],
  [{ rule: 'linear', keyDim: 6, valueDim: 4, featureMap: 'taylor' }, RangeError, /multiple of 4/],
  [{ rule: 'linear', ...SIZE, featureMap: 'dpfp', nu: 8 }, RangeError, /nu must be below/],
  [{ rule: 'retnet', ...SIZE, decay: [0.1, 0] }, RangeError, /decay\[0\]/],
  [{ rule: 'retnet', ...SIZE, decay: [0] }, RangeError, /decay must have 2 numbers, not 1/],
  [{ rule: 'retnet', ...SIZE, decay: -1 }, TypeError, /decay must be a Float32Array/],
  [{ rule: 'linear_transformer', ...SIZE, causal: 1 }, TypeError, /causal/],
  [{ rule: 'least_squares', ...SIZE, forgetting: 1.5 }, RangeError, /forgetting/],
])('options %j', async (options, kind, message) => {
  const error = await rejection(options ? create(options) : AssociativeMemory.create(options));
  expect(error).toBeInstanceOf(kind);
  expect(error.message).toMatch(message);
});

test('a state larger than memory', async () => {
  const error = await rejection(
    create({ rule: 'linear', heads: 1024, keyDim: 1024, valueDim: 1024 }),
  );
  expect(error).toBeInstanceOf(ModelError);
  expect(error.code).toBe('out_of_memory');
  (await create({ rule: 'linear', ...SIZE })).dispose();
});

describe('inputs', () => {
  const floats = (count) => new Float32Array(count).fill(0.5);
  const good = () => ({
    q: floats(32),
    k: floats(32),
    v: floats(16),
    g: floats(4).map((x) => -x),
    beta: floats(4),
  });
  let memory;
  beforeAll(async () => {
    memory = await create({ rule: 'gated_delta', ...SIZE });
  });
  afterAll(() => memory.dispose());

  test.each([
    [
      (i) => memory.forward({ ...i, v: floats(15) }, 2),
      RangeError,
      /v must have 16 numbers for 2 tokens, not 15/,
    ],
    [(i) => memory.forward({ ...i, beta: floats(2) }, 2), RangeError, /beta must have 4 numbers/],
    [(i) => memory.forward(i, 3), RangeError, /q must have 48 numbers for 3 tokens, not 32/],
    [(i) => memory.forward({ ...i, q: floats(33) }), RangeError, /q must have a multiple of 16/],
    [(i) => memory.forward(i, 0), RangeError, /tokens/],
    [(i) => memory.forward(i, '2'), TypeError, /tokens/],
    [(i) => memory.forward({ ...i, g: undefined }, 2), TypeError, /needs the input 'g'/],
    [(i) => memory.forward({ ...i, alpha: floats(4) }, 2), TypeError, /no input 'alpha'/],
    [(i) => memory.forward({ ...i, k: 'abc' }, 2), TypeError, /k must be a Float32Array/],
    [(i) => memory.forward({ ...i, k: new Float64Array(32) }, 2), TypeError, /k must be/],
    [(i) => memory.forward(i, 2, floats(15)), RangeError, /out must have 16 numbers/],
    [(i) => memory.forward(i, 2, [1]), TypeError, /out/],
    [() => memory.forward(null, 2), TypeError, /inputs/],
    [(i) => memory.step(i), RangeError, /q must have 16 numbers for 1 token, not 32/],
    [() => memory.read(floats(15)), RangeError, /key must have 16 numbers, not 15/],
    [() => memory.read(floats(0)), RangeError, /key/],
    [() => memory.read(), TypeError, /key/],
    [() => memory.write({ key: floats(16) }), TypeError, /value must be given/],
    [() => memory.write({ key: floats(16), value: floats(7) }), RangeError, /value must have 8/],
    [() => memory.write({ key: floats(16), value: floats(8), w: floats(2) }), TypeError, /'w'/],
    [() => memory.write(), TypeError, /write/],
    [() => memory.getState('momentum'), TypeError, /no state 'momentum' \(it has: state\)/],
    [() => memory.setState('state', floats(63)), RangeError, /state must have 64 numbers/],
    [() => memory.buffers(1.5), RangeError, /tokens/],
  ])('%s', (call, kind, message) => {
    const before = memory.state;
    const { tokens } = memory;
    expect(() => call(good())).toThrow(kind);
    expect(() => call(good())).toThrow(message);
    expect(memory.state).toEqual(before);
    expect(memory.tokens).toBe(tokens);
    memory.forward(good(), 2);
  });
});

test('a rule without a key of its own, and one without a state', async () => {
  const hgrn2 = await create({ rule: 'hgrn2', ...SIZE });
  expect(() => hgrn2.write({ key: new Float32Array(16), value: new Float32Array(8) })).toThrow(
    /makes its own key/,
  );
  hgrn2.write({ g: new Float32Array(16).fill(-1), value: new Float32Array(8).fill(1) });
  const softmax = await create({ rule: 'softmax', ...SIZE });
  expect(() => softmax.state).toThrow(TypeError);
  for (const memory of [hgrn2, softmax]) memory.dispose();
});

test('a memory that was disposed of', async () => {
  const memory = await create({ rule: 'delta', ...SIZE });
  const clone = memory.clone();
  memory.dispose();
  memory.dispose();
  const calls = [
    () => memory.forward({}),
    () => memory.read(new Float32Array(16)),
    () => memory.write({ key: new Float32Array(16), value: new Float32Array(8) }),
    () => memory.state,
    () => memory.clone(),
    () => memory.save(),
    () => memory.reset(),
    () => memory.buffers(1),
    () => memory.tokens,
  ];
  for (const call of calls) {
    expect(call).toThrow(expect.objectContaining({ name: 'ModelError', code: 'disposed' }));
  }
  expect(clone.read(new Float32Array(16))).toEqual(new Float32Array(8));
  clone.dispose();
});

describe('bytes', () => {
  let saved;
  beforeAll(async () => {
    const memory = await create({ rule: 'kda', ...SIZE });
    memory.write({ key: new Float32Array(16).fill(0.5), value: new Float32Array(8).fill(1) });
    saved = memory.save();
    memory.dispose();
  });
  const restore = (bytes) => AssociativeMemory.restore(bytes, withBuild());
  const changed = (at, to) => saved.map((byte, i) => (i === at ? (to ?? byte ^ 1) : byte));

  test.each([
    ['none', () => new Uint8Array(0), 'invalid_header'],
    ['others', () => new Uint8Array(100).fill(7), 'invalid_header'],
    ['too few', () => saved.slice(0, 30), 'truncated'],
    ['all but one', () => saved.slice(0, -1), 'integrity'],
    ['one more', () => Uint8Array.of(...saved, 0), 'integrity'],
    ['of a later version', () => changed(8, 2), 'invalid_header'],
    ['with another rule', () => changed(30), 'integrity'],
    ['with another number', () => changed(saved.length - 60), 'integrity'],
    ['with another checksum', () => changed(saved.length - 1), 'integrity'],
  ])('%s', async (_, bytes, code) => {
    const error = await rejection(restore(bytes()));
    expect(error).toBeInstanceOf(ModelError);
    expect(error.code).toBe(code);
  });

  test('anything else', async () => {
    expect(await rejection(restore('bytes'))).toBeInstanceOf(TypeError);
  });

  test('in the middle of others', async () => {
    const around = new Uint8Array(saved.length + 7);
    around.set(saved, 3);
    const memory = await restore(around.subarray(3, 3 + saved.length));
    expect(memory.tokens).toBe(1);
    memory.dispose();
  });
});
