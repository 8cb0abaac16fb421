// SPDX-License-Identifier: MIT
// A page with little memory, an origin with little storage, and one with many tabs. Only Chromium takes
// such limits.
import { jest } from '@jest/globals';
import { launchChromium } from '../../../tools/setup/chromium.mjs';
import { MODEL, openApiPage, PATIENCE_MS, untilReady } from '../support/browser.js';
import { openSite } from '../support/site.js';

const TINY = '/tests/golden/models/qwen3_5_linear/model-f32.gguf';
const TEXT = ' upon a time, there was';
const site = openSite();
let opened;

/** What a load comes to, and what the model then writes. */
const load = (page, url, options = {}) =>
  page.evaluate(
    ([from, given]) =>
      outcome(
        (async () => {
          const model = await fastweights.loadModel(from, given);
          const { kept, notKept, fromCache, threads } = model.facts;
          const { text } = await model.complete('Once', { temperature: 0, maxTokens: 6 });
          await model.dispose();
          return { kept, notKept, fromCache, threads, text };
        })(),
      ),
    [url, options],
  );

describe('where WebAssembly gets 24 MB', () => {
  let browser;
  beforeAll(async () => {
    browser = await launchChromium(['--js-flags=--wasm-max-mem-pages=384']);
  });
  afterAll(() => browser.close());

  test.each([true, false])(
    'a model that is too large is refused in words, and a smaller one loads after it (worker: %s)',
    async (worker) => {
      const { page, context, wrong } = await openApiPage(browser, site.server);
      for (const threads of [1, 2]) {
        const refused = await load(page, MODEL, { worker, threads });
        expect(refused).toMatchObject({ code: 'out_of_memory', isModelError: true });
        expect(refused.message).toMatch('not enough memory for weights');
        const { value } = await page.evaluate(
          ([url, options]) =>
            outcome(
              (async () => {
                const model = await fastweights.loadModel(url, options);
                const { length } = await model.logits([1, 2, 3]);
                await model.dispose();
                return { length };
              })(),
            ),
          [TINY, { worker, threads }],
        );
        expect(value.length).toBeGreaterThan(0);
      }
      expect(wrong).toEqual([]);
      await context.close();
    },
  );
});

describe('where the origin gets 30 MB', () => {
  beforeEach(async () => {
    opened = await openApiPage(site.browser, site.server);
    const devtools = await opened.context.newCDPSession(opened.page);
    const { origin } = new URL(site.server.url);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 30e6 });
  });
  afterEach(() => opened.context.close());

  test('a model that has no room is loaded all the same, unless it must be kept', async () => {
    const { page } = opened;
    const first = await load(page, `${MODEL}?1`, { cache: true });
    expect(first.value).toMatchObject({ kept: true, text: TEXT });
    const second = await load(page, `${MODEL}?2`, { cache: true });
    expect(second.value).toMatchObject({ kept: false, text: TEXT });
    expect(second.value.notKept).toMatch(/quota|room|full/i);
    const third = await load(page, `${MODEL}?3`, { cache: { required: true } });
    expect(third).toMatchObject({ code: 'cache_unavailable', isModelError: true });
    // What was kept is whole, and what had no room has left nothing.
    const kept = await load(page, `${MODEL}?1`, { cache: true });
    expect(kept.value).toMatchObject({ fromCache: true, text: TEXT });
    const { usage } = await page.evaluate(() => navigator.storage.estimate());
    expect(usage).toBeLessThan(21e6);
    await page.evaluate(() => fastweights.modelCache.clear());
    const again = await load(page, `${MODEL}?2`, { cache: { required: true } });
    expect(again.value).toMatchObject({ kept: true });
  });

  test('a session that has no room is an error, and the one before it stays', async () => {
    const { page } = opened;
    await page.evaluate(async (url) => {
      const model = await fastweights.loadModel(url);
      globalThis.session = await model.createSession();
      globalThis.model = model;
      await session.prompt('One', { maxTokens: 2, temperature: 0 });
      await session.persist('chat');
      const root = await navigator.storage.getDirectory();
      const writer = await (await root.getFileHandle('ballast', { create: true })).createWritable();
      const { usage } = await navigator.storage.estimate();
      await writer.write(new Uint8Array(30e6 - usage - 200_000));
      await writer.close();
      await session.prompt('Two', { maxTokens: 2, temperature: 0 });
    }, MODEL);
    const refused = await page.evaluate(() => outcome(session.persist('chat')));
    expect(refused).toMatchObject({ code: 'cache_unavailable', isModelError: true });
    const turns = () =>
      page.evaluate(async () => (await model.resume('chat')).messages()).then((all) => all.length);
    expect(await turns()).toBe(2);
    await page.evaluate(async () => {
      await (await navigator.storage.getDirectory()).removeEntry('ballast');
      await session.persist('chat');
    });
    expect(await turns()).toBe(4);
  });
});

test('ten tabs that want one model at once download it once', async () => {
  jest.setTimeout(PATIENCE_MS);
  opened = await openApiPage(site.browser, site.server);
  const { context, wrong } = opened;
  const url = `${MODEL}?tabs=10`;
  const tabs = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const page = await context.newPage();
      await page.goto(`${site.server.url}tests/browser/pages/api.html`);
      await untilReady(page);
      return page;
    }),
  );
  const loaded = await Promise.all(
    tabs.map((page) => load(page, url, { cache: true, threads: 1 })),
  );
  for (const { value } of loaded) expect(value).toMatchObject({ kept: true, text: TEXT });
  expect(loaded.filter(({ value }) => !value.fromCache)).toHaveLength(1);
  expect(site.server.requestsOf(url)).toHaveLength(1);
  expect(wrong).toEqual([]);
  await context.close();
});
