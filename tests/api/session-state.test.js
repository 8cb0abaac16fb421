// SPDX-License-Identifier: MIT
// What a session shows of its recurrent layers: the state that the tokens made, and how.
import { hybridModel, linearModel, loadModel, otherModels, rejection } from './models.js';

const DRAWN = { temperature: 1, topK: 0, maxTokens: 24, ignoreEos: true, seed: 4 };
const MODELS = [['linear', linearModel], ['hybrid', hybridModel], ...otherModels];

/** Every state that is seen while an answer is written, in order. */
async function watch(session, input) {
  const states = [await session.state()];
  let text = '';
  for await (const piece of session.promptStreaming(input, DRAWN)) {
    text += piece;
    states.push(await session.state());
  }
  return { states, text };
}

/** decay · S₀ + key writeᵀ + eraseKey eraseᵀ in double precision. */
function after(before, { keyDim, valueDim, heads, last }) {
  const { decay, keys, writes, eraseKeys, erases } = last;
  const decayOf = (h, i) => {
    if (!decay) return 1;
    return decay.length === heads ? decay[h] : decay[h * keyDim + i];
  };
  return Float64Array.from(before, (cell, at) => {
    const [row, j] = [Math.floor(at / valueDim), at % valueDim];
    const [h, i] = [Math.floor(row / keyDim), row % keyDim];
    const write = keys[row] * writes[h * valueDim + j];
    const erase = eraseKeys ? eraseKeys[row] * erases[h * valueDim + j] : 0;
    return decayOf(h, i) * cell + write + erase;
  });
}

const norm = (values) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
const distance = (a, b) => norm(a.map((x, i) => x - b[i])) / norm(b);

describe.each(MODELS)('a %s model', (name, make) => {
  let model;
  beforeAll(async () => {
    model = await loadModel(make());
  });
  afterAll(() => model.dispose());

  test('the state of each token is that of the one before, and what the token did', async () => {
    const session = await model.createSession();
    const { states } = await watch(session, 'what becomes of it?');
    expect(states[0].tokens).toBe(0);
    let steps = 0;
    for (const [i, { tokens, layers }] of states.entries()) {
      const before = states[i - 1];
      if (tokens !== before?.tokens + 1) continue;
      steps += 1;
      for (const [l, layer] of layers.entries()) {
        // Places of a channel's state decay each by themselves there.
        expect(layer.last === undefined).toBe(layer.mixer === 'mamba');
        if (!layer.last) continue;
        const wanted = after(Float64Array.from(before.layers[l].values), layer);
        expect(distance(Float64Array.from(layer.values), wanted)).toBeLessThan(1e-5);
      }
    }
    expect(steps).toBeGreaterThan(8);
    expect(states.at(-1).layers.length > 0).toBe(name !== 'lfm2');
  });

  test('looked at or not, the text and all that it leaves are the same', async () => {
    const [seen, unseen] = await Promise.all([
      model.createSession({ seed: 9 }),
      model.createSession({ seed: 9 }),
    ]);
    const { text } = await watch(seen, 'once');
    expect(text).toBe(await unseen.prompt('once', DRAWN));
    expect(await seen.save()).toEqual(await unseen.save());
  });

  test('norms are those of the values', async () => {
    const session = await model.createSession();
    await session.append('so many tokens that a chunk ends among them');
    for (const { heads, norms, values, last, keyDim, valueDim } of (await session.state()).layers) {
      for (let h = 0; h < heads; h++) {
        const of = (array, size) => array.subarray(h * size, (h + 1) * size);
        const wanted = norm(of(values, keyDim * valueDim));
        expect(Math.abs(norms[h] - wanted)).toBeLessThan(1e-5 * wanted);
        if (!last) continue;
        const key = norm(of(last.keys, keyDim));
        expect(last.keyNorms[h]).toBeCloseTo(key, 5);
        if (last.erases) continue;
        const write = key * norm(of(last.writes, valueDim));
        expect(Math.abs(last.writeNorms[h] - write)).toBeLessThan(1e-5 * write);
      }
    }
  });

  test('one layer, one head or norms alone are the same numbers', async () => {
    const session = await model.createSession();
    await session.append('nine words');
    const { layers, tokens } = await session.state();
    const bare = await session.state({ values: false });
    expect(bare.tokens).toBe(tokens);
    for (const [i, { values, last, ...rest }] of layers.entries()) {
      const { last: bareLast, ...bareRest } = bare.layers[i];
      expect(bareRest).toEqual(rest);
      if (last) {
        const { keys, writes, eraseKeys, erases, ...gates } = last;
        expect(bareLast).toEqual(gates);
      }
      const head = rest.heads - 1;
      const one = await session.state({ layer: rest.layer, head });
      expect(one.layers).toHaveLength(1);
      const [{ values: cells, norms, last: lastOfOne }] = one.layers;
      expect(cells).toEqual(values.subarray(head * rest.keyDim * rest.valueDim));
      expect([...norms]).toEqual([rest.norms[head]]);
      if (last) expect(lastOfOne.writes).toEqual(last.writes.subarray(head * rest.valueDim));
    }
  });
});

describe('what is asked', () => {
  let model;
  let session;
  beforeAll(async () => {
    model = await loadModel(linearModel());
    session = await model.createSession();
    await session.append('a word');
  });
  afterAll(() => model.dispose());

  test.each([
    [{ layer: 7 }, /RangeError: layer 7 .* only 0, 1, 2 of this model/],
    [{ head: 99 }, /RangeError: head 99 is not in layer 0, which has \d+/],
    [{ layer: -1 }, /RangeError: layer must be a whole number/],
    [{ head: 0.5 }, /RangeError: head must be a whole number/],
    [{ values: 'no' }, /TypeError: values must be true or false/],
    [{ heads: 1 }, /TypeError: heads is not an option; the nearest is head/],
  ])('%j is refused', async (options, message) => {
    expect(String(await rejection(session.state(options)))).toMatch(message);
  });

  test('a model without such states says so', async () => {
    const [, make] = otherModels.find(([name]) => name === 'lfm2');
    const other = await loadModel(make());
    const without = await other.createSession();
    expect(await without.state()).toEqual({ tokens: 0, layers: [] });
    expect(String(await rejection(without.state({ layer: 0 })))).toMatch(/no layer of this model/);
    await other.dispose();
  });

  test('what the last token did is not known after a session was restored', async () => {
    const restored = await model.restore(await session.save());
    const known = async (of) => (await of.state()).layers.map(({ last }) => last !== undefined);
    expect(await known(session)).toEqual([true, true, true]);
    expect(await known(await session.clone())).toEqual([true, true, true]);
    expect(await known(restored)).toEqual([false, false, false]);
    const values = async (of) => (await of.state()).layers.map((layer) => layer.values);
    expect(await values(restored)).toEqual(await values(session));
    await restored.append('on');
    expect(await known(restored)).toEqual([true, true, true]);
  });

  test('a rewound session has the state that it would have, once it goes on', async () => {
    const [rewound, straight] = [await session.clone(), await session.clone()];
    await rewound.append('and on');
    const { tokens } = await rewound.state();
    await rewound.rewind(1);
    expect((await rewound.state()).tokens).toBe(tokens);
    await rewound.append('or not');
    await straight.append('or not');
    expect(await rewound.state()).toEqual(await straight.state());
  });

  test('nobody sees the state of a session that is gone', async () => {
    const gone = await session.clone();
    gone.destroy();
    expect(await rejection(gone.state())).toMatchObject({ code: 'disposed' });
  });
});
