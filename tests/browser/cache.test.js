// SPDX-License-Identifier: MIT
// Models that a browser keeps: in the origin private file system, else in the Cache API.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { MODEL, modelPath, untilReady } from './support/browser.js';
import { has } from './support/engine.js';
import { expectNothingWrong, openApiSite } from './support/site.js';

const site = openApiSite(beforeEach);
const bytes = await readFile(modelPath);
const digest = createHash('sha256').update(bytes).digest('hex');
afterEach(async () => {
  await site.context.close();
  expectNothingWrong(site);
});

let number = 0;
// Distinct addresses: each test counts the requests of its own.
const address = (query = '') => {
  number += 1;
  return `${MODEL}?case=${number}${query}`;
};

/** Loads with the cache, writes a little, and looks at what is kept. */
const load = (url, options) =>
  site.page.evaluate(
    async ([from, given]) => {
      const model = await fastweights.loadModel(from, { cache: true, ...given });
      let text = '';
      for await (const piece of model.generate('Once', { temperature: 0, maxTokens: 12 })) {
        text += piece;
      }
      const { fromCache } = model.facts;
      await model.dispose();
      return { fromCache, text };
    },
    [url, options],
  );
const kept = () =>
  site.page.evaluate(async () => ({
    list: await fastweights.modelCache.list(),
    size: await fastweights.modelCache.size(),
  }));

describe.each([true, false])('a kept model (worker: %s)', (worker) => {
  test('is loaded without the network, listed and deleted', async () => {
    const url = address();
    const first = await load(url, { worker });
    expect(first.fromCache).toBe(false);
    expect(site.server.requestsOf(url)).toHaveLength(1);
    const { list, size } = await kept();
    expect(list).toEqual([
      {
        key: new URL(url, site.server.url).href,
        url: new URL(url, site.server.url).href,
        bytes: bytes.length,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        used: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        etag: expect.stringMatching(/^"/),
        lastModified: expect.any(String),
      },
    ]);
    expect(size).toBe(bytes.length);

    const second = await load(url, { worker });
    expect(second).toEqual({ fromCache: true, text: first.text });
    await site.page.reload();
    await untilReady(site.page);
    expect((await load(url, { worker })).fromCache).toBe(true);
    expect(site.server.requestsOf(url)).toHaveLength(1);

    const deleted = await site.page.evaluate(
      async (from) => [
        await fastweights.modelCache.delete(from),
        await fastweights.modelCache.delete(from),
      ],
      url,
    );
    expect(deleted).toEqual([true, false]);
    expect(await kept()).toEqual({ list: [], size: 0 });
    expect((await load(url, { worker })).fromCache).toBe(false);
    expect(site.server.requestsOf(url)).toHaveLength(2);
  });

  test('is asked about when it is to be revalidated', async () => {
    const url = address();
    const cache = { revalidate: true };
    expect((await load(url, { worker, cache })).fromCache).toBe(false);
    expect((await load(url, { worker, cache })).fromCache).toBe(true);
    const statuses = site.server.requestsOf(url).map(({ response }) => response.statusCode);
    expect(statuses).toEqual([200, 304]);
  });

  test('does not come of a download that was aborted', async () => {
    const url = address('&stall=6000000');
    const reason = await site.page.evaluate(
      async ([from, inWorker]) => {
        const aborter = new AbortController();
        const loading = fastweights.loadModel(from, {
          worker: inWorker,
          cache: true,
          signal: aborter.signal,
          onProgress: ({ loaded }) => loaded > 4e6 && aborter.abort('enough'),
        });
        return loading.catch((error) => error);
      },
      [url, worker],
    );
    expect(reason).toBe('enough');
    expect(await kept()).toEqual({ list: [], size: 0 });
    expect((await load(url, { worker })).fromCache).toBe(false);
    expect((await load(url, { worker })).fromCache).toBe(true);
    expect(site.server.requestsOf(url)).toHaveLength(2);
  });

  test('has the digest that was asked for', async () => {
    const url = address();
    const wrong = digest.replace(/./g, (digit) => (digit === '0' ? '1' : '0'));
    const refused = await site.page.evaluate(
      ([from, sha256, inWorker]) =>
        outcome(fastweights.loadModel(from, { worker: inWorker, cache: true, sha256 })),
      [url, wrong, worker],
    );
    expect(refused).toMatchObject({ code: 'integrity', isModelError: true });
    expect(await kept()).toEqual({ list: [], size: 0 });

    expect((await load(url, { worker, sha256: digest })).fromCache).toBe(false);
    expect((await kept()).list).toMatchObject([{ sha256: digest }]);
    expect((await load(url, { worker, sha256: digest })).fromCache).toBe(true);
    const later = await site.page.evaluate(
      ([from, sha256, inWorker]) =>
        outcome(fastweights.loadModel(from, { worker: inWorker, cache: true, sha256 })),
      [url, wrong, worker],
    );
    expect(later).toMatchObject({ code: 'integrity', isModelError: true });
  });
});

describe('without a private file system', () => {
  // A worker has a navigator of its own, which a page cannot change.
  const worker = !has.privateFiles;
  beforeEach(() =>
    site.page.evaluate(() => {
      if (!navigator.storage) return;
      Object.defineProperty(navigator.storage, 'getDirectory', { value: undefined });
    }),
  );

  test('the Cache API keeps the model', async () => {
    const url = address();
    const first = await load(url, { worker });
    expect(first.fromCache).toBe(false);
    expect(await site.page.evaluate(() => caches.keys())).toContain('fastweights-models-2');
    expect((await kept()).size).toBe(bytes.length);
    expect(await load(url, { worker })).toEqual({ fromCache: true, text: first.text });
    expect(site.server.requestsOf(url)).toHaveLength(1);
    await site.page.evaluate(() => fastweights.modelCache.clear());
    expect(await kept()).toEqual({ list: [], size: 0 });
  });

  test('an aborted download leaves nothing there', async () => {
    const url = address('&stall=6000000');
    const reason = await site.page.evaluate(async (from) => {
      const aborter = new AbortController();
      const options = {
        worker: false,
        cache: true,
        signal: aborter.signal,
        onProgress: ({ loaded }) => loaded > 4e6 && aborter.abort('enough'),
      };
      return fastweights.loadModel(from, options).catch((error) => error);
    }, url);
    expect(reason).toBe('enough');
    expect(await kept()).toEqual({ list: [], size: 0 });
    expect((await load(url, { worker })).fromCache).toBe(false);
    expect((await load(url, { worker })).fromCache).toBe(true);
    // Firefox tells of streams that end before their response is kept.
    const told = /Failed to read data from the ReadableStream/;
    site.wrong.splice(0, Infinity, ...site.wrong.filter((line) => !told.test(line)));
  });
});
