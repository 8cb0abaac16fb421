// SPDX-License-Identifier: MIT
// Threads in a page: where it is cross-origin isolated they share the work and nothing is fetched
// twice but the script that each of them runs; elsewhere one thread runs, without an error.
//
// WebKitGTK has shared memory only where it is told to: it runs these tests with it, and engine.test.js
// shows the one thread that it has otherwise.
import { MODEL, openApiPage, projectFolder, untilWorkers } from './support/browser.js';
import { BEST_BUILD, engineName } from './support/engine.js';
import { serveFlawed } from './support/server.js';
import { expectNothingWrong, openSite } from './support/site.js';

const PROMPT = 'Once upon a time';
const CORES = 6;
// What is left over by each shows after a few; more of them are for chance. WebKit's shared memory, which
// nobody has unasked, is the slowest.
const LOADS = { chromium: 20, firefox: 8, webkit: 3 }[engineName];
const site = openSite(projectFolder, {}, { env: { JSC_useSharedArrayBuffer: '1' } });
let plain;
let shown;

beforeAll(async () => {
  plain = await serveFlawed(projectFolder, { isolated: false });
});
beforeEach(() => {
  shown = [];
});
afterEach(async () => {
  for (const page of shown) {
    await page.context.close();
    expectNothingWrong(page);
  }
});
afterAll(() => plain.close());

/** A page that thinks it has six cores. */
async function open(server) {
  const opened = await openApiPage(site.browser, server);
  shown.push({ ...opened, server });
  await opened.page.evaluate((cores) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => cores });
  }, CORES);
  return opened.page;
}

/** 32 greedy tokens and what ran. */
function write(page, options) {
  return page.evaluate(
    async ([url, prompt, given]) => {
      const model = await fastweights.loadModel(url, given);
      const { tokens, threads, build } = await model.complete(prompt, {
        temperature: 0,
        maxTokens: 32,
      });
      const { heapBytes } = await model.memory();
      await model.dispose();
      return { tokens, threads, build, known: model.facts.threads, heapBytes };
    },
    [MODEL, PROMPT, options],
  );
}

/** How often the server was asked for the files of each build. */
const asked = (server) => {
  const counts = {};
  for (const name of ['simd128', 'simd128-threads', 'relaxed', 'relaxed-threads']) {
    for (const kind of ['wasm', 'mjs']) {
      const { length } = server.requestsOf(`/dist/wasm/fastweights-${name}.${kind}`);
      if (length > 0) counts[`${name}.${kind}`] = length;
    }
  }
  return counts;
};
const more = (before, after) =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)])
      .filter(([, count]) => count > 0),
  );

describe.each([true, false])('an isolated page (worker: %s)', (worker) => {
  test('has its threads, and fetches one .wasm for all of them', async () => {
    const page = await open(site.server);
    const expected = await write(page, { worker, threads: 1 });
    expect(expected).toMatchObject({ threads: 1, known: 1 });
    const before = asked(site.server);
    const found = await write(page, { worker, threads: 3 });
    expect(found).toMatchObject({ threads: 3, known: 3, build: BEST_BUILD });
    expect(found.tokens).toEqual(expected.tokens);
    // Once by the engine and once by each of the two threads beside it, which WebKit gives one copy.
    expect(more(before, asked(site.server))).toEqual({
      [`${BEST_BUILD}-threads.wasm`]: 1,
      [`${BEST_BUILD}-threads.mjs`]: engineName === 'webkit' ? 2 : 3,
    });
  });

  test('has half its cores for threads by default; a page that must not wait has one', async () => {
    const page = await open(site.server);
    const { threads } = await write(page, { worker });
    expect(threads).toBe(worker ? CORES / 2 : 1);
  });

  test('loads and disposes of many models, and keeps no workers', async () => {
    const page = await open(site.server);
    for (let i = 0; i < LOADS; i++) {
      expect((await write(page, { worker, threads: 3 })).threads).toBe(3);
    }
    // They end a moment after they are told to.
    await untilWorkers(page, 0);
  });
});

test('the build without relaxed SIMD has threads too', async () => {
  const page = await open(site.server);
  const found = await write(page, { threads: 2, wasm: { build: 'simd128' } });
  expect(found).toMatchObject({ threads: 2, build: 'simd128' });
});

test('a page names its files by build and threads', async () => {
  const page = await open(site.server);
  const names = await page.evaluate(async (model) => {
    const found = [];
    const url = (build, file) => {
      found.push([build, file]);
      return `/dist/wasm/${file}`;
    };
    for (const threads of [1, 2]) {
      const loaded = await fastweights.loadModel(model, { threads, wasm: { url } });
      if (loaded.facts.threads !== threads) throw new Error(`${loaded.facts.threads} threads`);
      await loaded.dispose();
    }
    return found;
  }, MODEL);
  expect(names[0]).toEqual([BEST_BUILD, `fastweights-${BEST_BUILD}.wasm`]);
  expect(names).toContainEqual([BEST_BUILD, `fastweights-${BEST_BUILD}-threads.wasm`]);
});

test.each([true, false])(
  'a page without isolation runs one thread, whatever is asked for (worker: %s)',
  async (worker) => {
    const page = await open(plain);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    const before = asked(plain);
    const found = await write(page, { worker, threads: 4 });
    expect(found).toMatchObject({ threads: 1, known: 1, build: BEST_BUILD });
    expect(more(before, asked(plain))).toEqual({
      [`${BEST_BUILD}.wasm`]: 1,
      [`${BEST_BUILD}.mjs`]: 1,
    });
  },
);

test.each([true, false])(
  'where the script of the threads cannot be had one thread runs (worker: %s)',
  async (worker) => {
    const server = await serveFlawed(projectFolder, {
      refuses: ({ url, headers }) =>
        url.endsWith('-threads.mjs') && headers['sec-fetch-dest'] === 'worker',
    });
    try {
      const page = await open(server);
      expect(await write(page, { worker, threads: 3 })).toMatchObject({ threads: 1, known: 1 });
      // The browser says itself that a request failed.
      const { wrong } = shown.at(-1);
      expect(wrong.splice(0).filter((line) => !/404|MIME type/.test(line))).toEqual([]);
    } finally {
      await server.close();
    }
  },
);
