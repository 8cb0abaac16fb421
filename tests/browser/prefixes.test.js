// SPDX-License-Identifier: MIT
// A prefix that outlives its page, and a storage that several tabs have.
import { MODEL, untilReady } from './support/browser.js';
import { openApiSite } from './support/site.js';

const PREFIX =
  'Once upon a time, there was a brave fox named Lily. She lived near a river. '.repeat(4);
const REST = 'One day, Lily';
const site = openApiSite(beforeEach);
afterEach(async () => {
  expect(site.wrong).toEqual([]);
  await site.context.close();
});

/** Writes on from the prefix in a page, with what that took. */
const complete = (page, worker, keep) =>
  page.evaluate(
    async ([url, inWorker, prefix, rest, toKeep]) => {
      const model = await fastweights.loadModel(url, {
        worker: inWorker,
        prefixes: { storedBytes: 1e8 },
      });
      const kept = toKeep && (await model.keepPrefix(prefix));
      const options = { temperature: 0, maxTokens: 12, logprobs: 3 };
      const { text, logprobs, prefixTokens } = await model.complete(prefix + rest, options);
      const list = await model.prefixes();
      await model.dispose();
      return { kept, text, logprobs, prefixTokens, list };
    },
    [MODEL, worker, PREFIX, REST, keep],
  );

/** The names of the files that prefixes are in. */
const files = (page) => page.evaluate(() => stored.names('fastweights-prefixes-2'));

test.each([true, false])('is found after a reload (worker: %s)', async (worker) => {
  const { page } = site;
  const before = await complete(page, worker, false);
  expect(before).toMatchObject({ prefixTokens: 0, list: [] });
  const keeping = await complete(page, worker, true);
  expect(keeping.kept).toMatchObject({ inMemory: true, stored: true });
  expect(keeping.prefixTokens).toBe(keeping.kept.tokens);
  await page.reload();
  await untilReady(page);
  const after = await complete(page, worker, false);
  expect(after.prefixTokens).toBe(keeping.kept.tokens);
  expect([after.text, after.logprobs]).toEqual([before.text, before.logprobs]);
  expect(after.list).toEqual([{ ...keeping.kept, bytes: expect.any(Number) }]);
  // Its bytes, and a name that says that they are whole.
  expect((await files(page)).filter((name) => !name.includes('used'))).toHaveLength(2);
});

test('tabs that keep the same at once find it, and a file cut short is passed over', async () => {
  const { page, context } = site;
  const other = await context.newPage();
  await other.goto(`${site.server.url}tests/browser/pages/api.html`);
  await untilReady(other);
  const both = await Promise.all([complete(page, true, true), complete(other, true, true)]);
  for (const { kept, prefixTokens } of both) expect(prefixTokens).toBe(kept.tokens);
  await page.evaluate(async () => {
    const place = 'fastweights-prefixes-2';
    for (const name of await stored.names(place)) {
      await stored.write(place, name, (await stored.read(place, name)).slice(0, 1000));
    }
  });
  const read = await complete(other, true, false);
  expect(read.prefixTokens).toBe(0);
  expect(read.text).toBe(both[0].text);
  expect(await files(page)).toEqual([]);
});
