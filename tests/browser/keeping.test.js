// SPDX-License-Identifier: MIT
// Downloads that are kept: gone on with after a reload, shared by tabs, of other origins, or not at all.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { kContentSecurityPolicy } from '../../tools/serve.mjs';
import { MODEL, modelPath, openApiPage, untilReady } from './support/browser.js';
import { openSite } from './support/site.js';

const OTHERS = "connect-src http://127.0.0.1:* 'self'";
const policy = kContentSecurityPolicy.replace("connect-src 'self'", OTHERS);
const site = openSite(undefined, { policy });
const bytes = await readFile(modelPath);
const packed = gzipSync(bytes, { level: 1 });
let other;
let opened;

beforeAll(async () => {
  other = createServer((_, response) => {
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'content-encoding': 'gzip',
      'content-length': packed.length,
    });
    response.end(packed);
  });
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => other.close(resolve)));
beforeEach(async () => {
  opened = await openApiPage(site.browser, site.server);
});
afterEach(() => opened.context.close());

let number = 0;
const address = (query = '') => {
  number += 1;
  return `${MODEL}?keeping=${number}${query}`;
};

/** Loads a model that is to be kept; what it says of itself and of the way there. */
async function load(page, url, options) {
  await begin(page, url, options);
  return ended(page);
}

// A driver may do one thing at a time, so what takes long is asked for later.
const begin = (page, url, options = {}) =>
  page.evaluate(
    ([from, given]) => {
      const phases = [];
      const onProgress = ({ phase }) => {
        globalThis.latest = phase;
        if (phases.at(-1) !== phase) phases.push(phase);
      };
      const loading = async () => {
        const model = await fastweights.loadModel(from, { cache: true, onProgress, ...given });
        const { text } = await model.complete('Once', { temperature: 0, maxTokens: 6 });
        const { fromCache, kept, notKept } = model.facts;
        await model.dispose();
        return { fromCache, kept, notKept, phases, text };
      };
      globalThis.under = loading();
    },
    [url, options],
  );
const ended = (page) => page.evaluate(() => under);
const TEXT = ' upon a time, there was';

test('a download that a reload interrupts is gone on with', async () => {
  const { page } = opened;
  const url = address('&stall=6000000');
  const incomplete = await page.evaluate(async (from) => {
    const aborter = new AbortController();
    const options = {
      cache: true,
      signal: aborter.signal,
      onProgress: ({ loaded }) => loaded > 4e6 && aborter.abort('enough'),
    };
    await fastweights.loadModel(from, options).catch(() => {});
    return fastweights.modelCache.list({ incomplete: true });
  }, url);
  expect(incomplete).toMatchObject([{ incomplete: true, of: bytes.length }]);
  expect(incomplete[0].bytes).toBeGreaterThan(4e6);
  await page.reload();
  await untilReady(page);
  const loaded = await load(page, url);
  expect(loaded).toMatchObject({ fromCache: false, kept: true, text: TEXT });
  const ranges = site.server.requestsOf(url).map(({ range }) => range);
  expect(ranges).toEqual([undefined, `bytes=${incomplete[0].bytes}-`]);
  expect(await load(page, url)).toMatchObject({ fromCache: true, text: TEXT });
});

test('a second tab waits for the first, hears of it, and takes its copy', async () => {
  const { page, context } = opened;
  const tab = await context.newPage();
  await tab.goto(`${site.server.url}tests/browser/pages/api.html`);
  await untilReady(tab);
  const url = address('&stall=6000000');
  await page.evaluate((from) => {
    globalThis.aborter = new AbortController();
    const onProgress = ({ loaded }) => {
      globalThis.loaded = loaded;
    };
    const options = { cache: true, signal: aborter.signal, onProgress };
    globalThis.loading = fastweights.loadModel(from, options).catch((error) => error);
  }, url);
  await page.waitForFunction(() => globalThis.loaded > 4e6);
  await begin(tab, url);
  await tab.waitForFunction(() => globalThis.latest === 'waiting');
  await begin(page, url);
  expect(site.server.requestsOf(url)).toHaveLength(1);
  await page.evaluate(() => aborter.abort('closed'));
  expect(await page.evaluate(() => loading)).toBe('closed');
  const both = [await ended(tab), await ended(page)];
  expect(both.map(({ fromCache }) => fromCache).sort()).toEqual([false, true]);
  for (const { kept, text } of both) expect([kept, text]).toEqual([true, TEXT]);
  expect(both.find(({ fromCache }) => fromCache).phases).toEqual(['waiting', 'cache']);
  expect(site.server.requestsOf(url)).toHaveLength(2);
});

test('a compressed file of another origin is loaded and kept', async () => {
  const { page } = opened;
  const url = `http://127.0.0.1:${other.address().port}/model.gguf`;
  expect(await load(page, url)).toMatchObject({ fromCache: false, kept: true, text: TEXT });
  expect(await load(page, url)).toMatchObject({ fromCache: true, text: TEXT });
  expect(await page.evaluate(() => fastweights.modelCache.size())).toBe(bytes.length);
});

test('where nothing can be kept the load goes on, unless that is required', async () => {
  const { page } = opened;
  await page.evaluate(() => {
    Object.defineProperty(globalThis, 'caches', { value: undefined });
    if (!navigator.storage) return;
    Object.defineProperty(navigator.storage, 'getDirectory', { value: undefined });
  });
  const options = { worker: false };
  const loaded = await load(page, address(), options);
  expect(loaded).toMatchObject({ fromCache: false, kept: false, text: TEXT });
  expect(loaded.notKept).toMatch(/neither an origin private file system nor the Cache API/);
  const refused = await page.evaluate(
    (url) => outcome(fastweights.loadModel(url, { worker: false, cache: { required: true } })),
    address(),
  );
  expect(refused).toMatchObject({ code: 'cache_unavailable', isModelError: true });
});

test('a key makes signed addresses one file, and keeping asks for storage that stays', async () => {
  const { page } = opened;
  await page.evaluate(() => {
    globalThis.asked = 0;
    const persist = async () => {
      globalThis.asked += 1;
      throw new Error('no');
    };
    if (navigator.storage) navigator.storage.persist = persist;
    else Object.defineProperty(navigator, 'storage', { value: { persist } });
  });
  const asked = () => page.evaluate(() => globalThis.asked);
  const signed = [address(), address()];
  expect(await load(page, signed[0], { cache: { cacheKey: 'story' } })).toMatchObject({
    kept: true,
  });
  expect(await asked()).toBe(1);
  expect(await load(page, signed[1], { cache: { cacheKey: 'story' } })).toMatchObject({
    fromCache: true,
  });
  await load(page, address(), { cache: { persist: false } });
  expect(await asked()).toBe(1);
  expect(site.server.requestsOf(signed[1])).toHaveLength(0);
  const kept = await page.evaluate(
    ([known, other]) =>
      Promise.all([
        fastweights.isKept(other, { cache: { cacheKey: 'story' } }),
        fastweights.isKept(new URL(known, location.href)),
        fastweights.isKept([known, other]),
        fastweights.isKept(new Blob([])),
      ]),
    [signed[0], address()],
  );
  expect(kept).toEqual([true, false, false, true]);
});
