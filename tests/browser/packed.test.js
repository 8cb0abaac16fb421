// SPDX-License-Identifier: MIT
// Weights that are kept as they lie in memory, beside the file that they were made of.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeModel } from '../../tools/make-model.mjs';
import { MODEL, openApiPage } from './support/browser.js';
import { BUILDS, has } from './support/engine.js';
import { expectNothingWrong, openSite } from './support/site.js';

const PLACE = 'fastweights-models-2';
const TYPES = ['f32', 'f16', 'bf16', 'q8_0', 'q5_1', 'q4_k_m', 'q6_k', 'q2_k', 'iq4_xs', 'mxfp4'];
const SMALL = '/made/q8_0.gguf';
const FORMS = ['stored', 'q8_0', 'q4_0', 'q4_k', 'qc8'];
// The small story model's 17 MB take 0.2 s, on an idle machine.
const RENEWED_MS = 3000;
const folder = mkdtempSync(join(tmpdir(), 'packed-'));
const shape = { base: 'tiny-256', layers: 2, fullAttentionInterval: 2 };
for (const type of TYPES) {
  writeFileSync(join(folder, `${type}.gguf`), makeModel({ shape, type }));
}
const site = openSite(undefined, { mounts: { made: folder } });
beforeEach(async () => Object.assign(site, await openApiPage(site.browser, site.server)));
afterEach(async () => {
  await site.context.close();
  expectNothingWrong(site);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a model computes, and how its weights came; with `stays`, once they are kept. */
const look = (url, { stays, cache, ...options } = {}) =>
  site.page.evaluate(
    async ([from, given, until]) => {
      const model = await fastweights.loadModel(from, given);
      const ids = Array.from({ length: 24 }, (_, i) => (i * 37) % 300);
      // To the bit, in 32 bytes.
      const rows = await model.logits(ids, { all: true });
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', rows));
      const logits = Array.from(digest);
      const isKept = async () => (await fastweights.modelCache.list())[0]?.packedBytes;
      for (let i = 0; until && i < 400 && !(await isKept()); i++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      if (until > 1) await new Promise((resolve) => setTimeout(resolve, until));
      const { packed, weightsBytes, fromCache } = model.facts;
      await model.dispose();
      return {
        logits,
        packed,
        weightsBytes,
        fromCache,
        packedBytes: await isKept(),
      };
    },
    [url, { cache: { packed: true, ...cache }, ...options }, stays],
  );

/** Loads twice: from the server, and from what was kept of that. */
async function twice(url, options) {
  const first = await look(url, { ...options, stays: true });
  expect(first).toMatchObject({ packed: false, packedBytes: expect.any(Number) });
  const second = await look(url, options);
  expect(second).toEqual({ ...first, packed: true, fromCache: true });
  return first;
}

test.each(TYPES)('%s is computed with to the bit', async (type) => {
  await twice(`/made/${type}.gguf`);
  expect(site.server.requestsOf(`/made/${type}.gguf`)).toHaveLength(1);
});

test.each(FORMS)('weights in the form %s are, and each form has its own', async (weights) => {
  const { logits } = await twice(SMALL, { weights });
  const other = weights === 'q8_0' ? 'q4_0' : 'q8_0';
  const found = await look(SMALL, { weights: other });
  expect(found.packed).toBe(false);
  if (weights !== 'stored') expect(found.logits).not.toEqual(logits);
});

test.each([
  [{ worker: false }, { threads: 1 }],
  [{ threads: 1 }, { worker: false }],
  [{ threads: 1 }, { threads: has.sharedMemory ? 3 : 1 }],
])('whoever loads it: kept by %j, found by %j', async (writer, reader) => {
  const first = await look(SMALL, { ...writer, stays: true });
  const second = await look(SMALL, reader);
  expect(second.logits).toEqual(first.logits);
  expect(second.packed).toBe(true);
});

test('another build packs its own', async () => {
  const [one, other] = [BUILDS[0], BUILDS.at(-1)];
  const first = await look(SMALL, { wasm: { build: one }, stays: true });
  const second = await look(SMALL, { wasm: { build: other } });
  expect(second.packed).toBe(one === other);
  if (one === other) expect(second.logits).toEqual(first.logits);
});

/** Changes the bytes of a kept file whose name matches. */
const change = (pattern, how) =>
  site.page.evaluate(
    async ([place, match, manner]) => {
      const names = (await stored.names(place)).filter((name) => new RegExp(match).test(name));
      const [name] = names.sort().reverse();
      let bytes = new Uint8Array(await stored.read(place, name));
      if (manner === 'flip') bytes[bytes.length >> 1] ^= 4;
      if (manner === 'first') bytes[100] ^= 4;
      if (manner === 'zero') bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 4096);
      if (manner === 'cut') bytes = bytes.subarray(0, bytes.length - 1);
      if (manner === 'longer') bytes = new Uint8Array([...bytes, 0]);
      const facts = /facts/.test(match) && JSON.parse(new TextDecoder().decode(bytes));
      const write = (more) => new TextEncoder().encode(JSON.stringify({ ...facts, ...more }));
      if (manner === 'layout') bytes = write({ layout: '0-other' });
      if (manner === 'head') bytes = write({ head: facts.head + 8 });
      if (manner === 'no head') bytes = write({ head: 0 });
      if (manner === 'long head') bytes = write({ head: 2 ** 50 });
      await stored.write(place, name, bytes);
      return names.length;
    },
    [PLACE, pattern, how],
  );

test.each([
  ['a bit', 'packed-.*data', 'flip'],
  ['a bit of the header', 'packed-.*data', 'first'],
  ['a page', 'packed-.*data', 'zero'],
  ['the end', 'packed-.*data', 'cut'],
  ['the length', 'packed-.*data', 'longer'],
  ['the layout', 'packed-.*-facts', 'layout'],
  ["the header's length", 'packed-.*-facts', 'head'],
  ["the header's length, larger than all,", 'packed-.*-facts', 'long head'],
  ["the header's presence", 'packed-.*-facts', 'no head'],
])('where %s is not what it was the file is read, and packed again', async (_, pattern, how) => {
  const first = await twice(SMALL);
  const requests = site.server.requestsOf(SMALL).length;
  expect(await change(pattern, how)).toBeGreaterThan(0);
  // What is of another layout stays until it is replaced.
  const second = await look(SMALL, { stays: /facts/.test(pattern) ? RENEWED_MS : true });
  expect(second).toMatchObject({ packed: false, fromCache: true });
  expect(second.logits).toEqual(first.logits);
  expect(await look(SMALL)).toMatchObject({ packed: true, logits: first.logits });
  expect(site.server.requestsOf(SMALL)).toHaveLength(requests);
});

test('of its file nothing is read', async () => {
  const first = await twice(SMALL);
  await site.page.evaluate(async (place) => {
    const names = (await stored.names(place)).filter((name) => /data/.test(name));
    for (const name of names.filter((one) => !/packed/.test(one))) {
      await stored.write(place, name, new Uint8Array(100));
    }
  }, PLACE);
  expect(await look(SMALL)).toMatchObject({ packed: true, logits: first.logits });
});

test('with a digest its file is read, too', async () => {
  await twice(SMALL);
  await expect(look(SMALL, { sha256: '0'.repeat(64) })).rejects.toThrow(/sha256/);
});

test('a load that is aborted meanwhile leaves it as it is', async () => {
  const first = await twice(MODEL);
  for (const ms of [0, 20, 40, 60, 80, 120]) {
    const ended = await site.page.evaluate(
      async ([url, wait]) => {
        const abort = new AbortController();
        const cache = { packed: true };
        const load = fastweights.loadModel(url, { cache, signal: abort.signal });
        setTimeout(() => abort.abort(new Error('enough')), wait);
        return load.then(
          (model) => model.dispose().then(() => 'loaded'),
          ({ message }) => message,
        );
      },
      [MODEL, ms],
    );
    expect(['loaded', 'enough']).toContain(ended);
  }
  expect(await look(MODEL)).toMatchObject({ packed: true, logits: first.logits });
});

test('two loads at once both find it', async () => {
  const first = await twice(SMALL);
  const other = await site.context.newPage();
  await other.goto(site.page.url());
  const both = [site.page, other].map((page) =>
    page.evaluate(async (url) => {
      const { loadModel } = globalThis.fastweights ?? (await import('/dist/index.js'));
      const model = await loadModel(url, { cache: { packed: true } });
      const { packed } = model.facts;
      await model.dispose();
      return packed;
    }, SMALL),
  );
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(await look(SMALL)).toMatchObject({ packed: true, logits: first.logits });
});

test('texts that are written meanwhile, and a memory that grows, change nothing of it', async () => {
  const first = await site.page.evaluate(async (url) => {
    const model = await fastweights.loadModel(url, { cache: { packed: true }, threads: 1 });
    const sessions = [];
    // At once: a list takes longer than keeping the weights where the machine is busy.
    do {
      sessions.push(await model.createSession());
      await model.complete('Once upon a time', { maxTokens: 2 });
    } while (!(await fastweights.modelCache.list())[0]?.packedBytes);
    const { heapBytes } = await model.memory();
    for (const session of sessions) session.destroy();
    await model.dispose();
    return { grown: heapBytes > model.facts.weightsBytes };
  }, MODEL);
  expect(first.grown).toBe(true);
  expect((await look(MODEL)).packed).toBe(true);
});

test('a session goes on in a model whose weights were kept', async () => {
  await twice(MODEL);
  const texts = await site.page.evaluate(async (url) => {
    const options = { maxTokens: 8, temperature: 0 };
    const open = (cache) => fastweights.loadModel(url, { cache });
    const file = await open(true);
    const session = await file.createSession();
    await session.prompt('Once upon a time', options);
    const saved = await session.save();
    const wanted = await session.prompt('And then?', options);
    await file.dispose();
    const kept = await open({ packed: true });
    const restored = await kept.restore(saved);
    const found = await restored.prompt('And then?', options);
    const { packed } = kept.facts;
    await kept.dispose();
    return { wanted, found, packed };
  }, MODEL);
  expect(texts).toEqual({ wanted: texts.wanted, found: texts.wanted, packed: true });
  expect(texts.wanted.length).toBeGreaterThan(4);
});

test('it counts, and goes with its file', async () => {
  const { weightsBytes, packedBytes } = await twice(MODEL);
  // With what stands for the file's header.
  expect(packedBytes - weightsBytes).toBeGreaterThan(0);
  expect(packedBytes - weightsBytes).toBeLessThan(200_000);
  const sums = await site.page.evaluate(async (url) => {
    const { modelCache } = fastweights;
    const [entry] = await modelCache.list();
    const before = { size: await modelCache.size(), bytes: entry.bytes };
    const deleted = await modelCache.delete(url);
    return { ...before, deleted, after: await modelCache.size(), list: await modelCache.list() };
  }, MODEL);
  expect(sums.size).toBe(sums.bytes + packedBytes);
  expect(sums).toMatchObject({ deleted: true, after: 0, list: [] });
  const names = await site.page.evaluate((place) => stored.names(place), PLACE);
  expect(names.filter((name) => /packed/.test(name))).toEqual([]);
  expect((await look(MODEL)).packed).toBe(false);
});

test('a budget that the file fills has no room for it', async () => {
  const { bytes } = await site.page.evaluate(async (url) => {
    const model = await fastweights.loadModel(url, { cache: true });
    await model.dispose();
    return (await fastweights.modelCache.list())[0];
  }, MODEL);
  const cache = { budgetBytes: bytes + 1000 };
  const found = await look(MODEL, { cache });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await look(MODEL, { cache })).toMatchObject({ packed: false, fromCache: true });
  expect(found.packedBytes).toBeUndefined();
});

test('a model that is disposed of leaves no half of it', async () => {
  await site.page.evaluate(async (url) => {
    const model = await fastweights.loadModel(url, { cache: { packed: true } });
    await model.dispose();
  }, MODEL);
  expect(await site.page.evaluate(() => fastweights.modelCache.list())).toMatchObject([{}]);
  await twice(MODEL);
});
