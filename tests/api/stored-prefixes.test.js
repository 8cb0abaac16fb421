// SPDX-License-Identifier: MIT
// Prefixes in a browser's storage, which outlives the models: here a Cache API in memory.
import { hybridModel, ids, linearModel, loadModel } from './models.js';

const GREEDY = { temperature: 0, maxTokens: 8, ignoreEos: true, logprobs: 20 };

let entries;
let failing;
beforeEach(() => {
  entries = new Map();
  failing = false;
  const alive = () => {
    if (failing) throw new Error('the disk is gone');
  };
  globalThis.caches = {
    open: async () => ({
      keys: async () => {
        alive();
        return [...entries.keys()].map((url) => ({ url }));
      },
      match: async (key) => entries.has(key) && new Response(entries.get(key)),
      put: async (key, response) => {
        const bytes = new Uint8Array(await response.arrayBuffer());
        alive();
        entries.set(key, bytes);
      },
      delete: async (key) => entries.delete(key),
    }),
  };
});
afterEach(() => {
  delete globalThis.caches;
});

const STORED = { prefixes: { storedBytes: 1e8 } };
const complete = async (model, prompt) => {
  const { tokens, logprobs, prefixTokens } = await model.complete(prompt, GREEDY);
  return [{ tokens, logprobs }, prefixTokens];
};

describe.each([
  ['linear', linearModel],
  ['hybrid', hybridModel],
])('a %s model', (_, make) => {
  const text = ids(110);
  let file;
  let expected;
  beforeAll(async () => {
    file = make();
    const plain = await loadModel(file);
    [expected] = await complete(plain, text);
    await plain.dispose();
  });

  const withModel = async (options, work) => {
    const model = await loadModel(file, options);
    try {
      return await work(model);
    } finally {
      await model.dispose();
    }
  };
  const keep = (count = 100) =>
    withModel(STORED, (model) => model.keepPrefix(text.slice(0, count)));

  test('goes on from what another load has stored, to the bit', async () => {
    const kept = await keep();
    expect(kept).toMatchObject({ tokens: 100, inMemory: true, stored: true });
    await withModel(STORED, async (model) => {
      expect((await model.prefixes())[0]).toMatchObject({ inMemory: false, stored: true });
      expect((await model.memory()).prefixBytes).toBe(0);
      expect(await complete(model, text)).toEqual([expected, 100]);
      expect((await model.memory()).prefixBytes).toBe(kept.bytes);
      const reads = [];
      const again = await model.keepPrefix(text.slice(0, 100), { onPrefill: (r) => reads.push(r) });
      expect(again).toEqual(kept);
      expect(reads).toEqual([]);
      expect(await model.deletePrefix(kept.id)).toBe(true);
    });
    expect(entries.size).toBe(0);
    await withModel(STORED, async (model) =>
      expect(await complete(model, text)).toEqual([expected, 0]),
    );
  });

  test('another build takes it, another model or none asked for does not', async () => {
    await keep();
    await withModel({ ...STORED, wasm: { build: 'simd128' } }, async (model) => {
      const [{ tokens }, count] = await complete(model, text);
      expect(count).toBe(100);
      expect(tokens).toHaveLength(8);
    });
    await withModel({ prefixes: true }, async (model) => {
      expect(await complete(model, text)).toEqual([expected, 0]);
    });
    const other = await loadModel(make === linearModel ? hybridModel() : linearModel(), STORED);
    expect((await complete(other, text))[1]).toBe(0);
    expect(await other.prefixes()).toEqual([]);
    await other.dispose();
  });

  test('is read where it is damaged, and where the storage fails', async () => {
    await keep();
    const [[url, bytes]] = entries;
    entries.set(url, bytes.slice(0, bytes.length / 2));
    await withModel(STORED, async (model) => {
      expect(await complete(model, text)).toEqual([expected, 0]);
      expect(entries.size).toBe(0);
      failing = true;
      expect(await complete(model, text)).toEqual([expected, 0]);
      const kept = await model.keepPrefix(text.slice(0, 100));
      expect(kept).toMatchObject({ inMemory: true, stored: false });
      expect(await complete(model, text)).toEqual([expected, 100]);
    });
  });

  test.each(['f16', 'int8'])(
    'who wants every bit does not take what lies there in %s',
    async (precision) => {
      const packed = { prefixes: { storedBytes: 1e8, precision } };
      await withModel(packed, async (model) => {
        const { bytes } = await model.keepPrefix(text.slice(0, 100));
        const [stored] = entries.values();
        expect(Math.abs(stored.length - bytes)).toBeLessThan(2000);
      });
      await withModel(STORED, async (model) => {
        expect(await complete(model, text)).toEqual([expected, 0]);
      });
      await withModel(packed, async (model) => {
        const [{ logprobs }, count] = await complete(model, text);
        expect(count).toBe(100);
        expect(logprobs[0].logprob).not.toBe(expected.logprobs[0].logprob);
      });
    },
  );

  test('weights in another form have prefixes of their own', async () => {
    await keep();
    await withModel({ ...STORED, weights: 'qc8' }, async (model) => {
      expect((await complete(model, text))[1]).toBe(0);
    });
  });
});
