// SPDX-License-Identifier: MIT
// What JavaScript a page downloads, by what it does, as the server sees it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { serve } from '../../../tools/serve.mjs';
import { launch, MODEL, openApiPage, PATIENCE_MS, projectFolder } from '../support/browser.js';

jest.setTimeout(PATIENCE_MS);
const JS_LIMIT = 53_000;
let browser;
let server;
let log;

beforeAll(async () => {
  browser = await launch();
  server = await serve(projectFolder, {
    port: 0,
    onRequest(request, response) {
      log.push({ url: request.url, response });
    },
  });
});
beforeEach(() => {
  log = [];
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Scripts of the package that were sent, since the last time it was asked. */
function scripts() {
  return log
    .splice(0)
    .filter(({ url, response }) => /^\/dist\/.*\.m?js$/.test(url) && response.statusCode === 200)
    .map(({ url }) => url);
}

// What several of them share is in files called chunk.
const named = (urls) =>
  urls
    .map((url) => url.match(/\/([\w-]+)-\w+\.js$/)[1])
    .filter((name) => name !== 'chunk')
    .sort();

async function packed(urls) {
  const files = await Promise.all(urls.map((url) => readFile(join(projectFolder, url))));
  return files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0);
}

test.each([true, false])('a page downloads what it uses, once (worker: %s)', async (worker) => {
  const { page, context } = await openApiPage(browser, server);
  await page.evaluate(
    async ([url, options]) => {
      globalThis.model = await fastweights.loadModel(url, options);
      await model.complete('Once upon a time', { maxTokens: 2 });
    },
    [MODEL, { worker }],
  );
  const completing = scripts();
  expect(completing).toContain('/dist/index.js');
  expect(completing.includes('/dist/worker.js')).toBe(worker);
  expect(new Set(completing).size).toBe(completing.length);
  expect(
    completing.filter((url) =>
      /\/(chat-template|conversation|sha256|kept-part|open-files|models|prefixes|constrain|regex|context-room|alternatives|score)-/.test(
        url,
      ),
    ),
  ).toEqual([]);
  expect(completing.filter((url) => url.endsWith('.mjs'))).toHaveLength(1);
  const size = await packed(completing);
  expect(size).toBeGreaterThan(JS_LIMIT / 2);
  expect(size).toBeLessThan(JS_LIMIT);

  const constrained = (source) =>
    page.evaluate(
      async ([text, given]) =>
        (await model.complete('It is', { constraint: given ? new RegExp(given) : text })).text,
      [{ type: 'json_schema', schema: { enum: ['{"a"}'] } }, source],
    );
  expect(await constrained()).toBe('"{\\"a\\"}"');
  expect(named(scripts())).toEqual(['constrain', 'schema']);
  expect(await constrained('\\d{4}')).toMatch(/^\d{4}$/);
  expect(named(scripts())).toEqual(['regex']);

  await page.evaluate(async () => {
    const session = await model.createSession();
    await session.prompt('Hi', { maxTokens: 2 });
    await model.dispose();
  });
  expect(named(scripts())).toEqual(['chat-template', 'conversation']);

  const options = { worker, cache: true };
  await page.evaluate(
    async ([url, given]) => (await fastweights.loadModel(url, given)).dispose(),
    [MODEL, options],
  );
  expect(named(scripts())).toEqual(['kept-part', 'models', 'open-files', 'sha256']);

  const keeping = { worker, prefixes: { storedBytes: 1e8, precision: 'int8' } };
  await page.evaluate(
    async ([url, given]) => {
      const keeper = await fastweights.loadModel(url, given);
      await keeper.keepPrefix('Once upon a time');
      await keeper.dispose();
    },
    [MODEL, keeping],
  );
  expect(named(scripts())).toEqual(['prefixes']);
  await context.close();
});
