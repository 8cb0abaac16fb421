// SPDX-License-Identifier: MIT
// The site as an app: it needs no network after the first visit, and comes in whole versions only.
// Other engines run it in page.test.js; only Chromium's driver takes the network away.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listSite } from '../../../tools/build/demo.mjs';
import { kEmbeddedName } from '../../../tools/setup/embedded-model.mjs';
import { openPage, projectFolder } from '../support/browser.js';
import { buildFolder, note, say, start } from '../support/demo-page.js';
import { openSite } from '../support/site.js';

const folder = await mkdtemp(join(tmpdir(), 'site-'));
await cp(join(buildFolder, 'demo'), folder, { recursive: true });
afterAll(() => rm(folder, { recursive: true }));

// No headers for isolation, as on a simple host.
const site = openSite(folder, { isolated: false });

/** The site as its next version, of which both a page and a module tell. */
async function publish(version) {
  const page = await readFile(join(projectFolder, 'demo/index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), page.replace('<title>', `<title>${version}: `));
  const words = await readFile(join(projectFolder, 'demo/talk/words.js'), 'utf8');
  await writeFile(
    join(folder, 'talk/words.js'),
    `${words}\ndocument.documentElement.dataset.version = '${version}';\n`,
  );
  await cp(join(projectFolder, 'demo/sw.js'), join(folder, 'sw.js'));
  await listSite(folder);
}

// Of the page and of a module, which runs after the title is there.
async function versions(page) {
  await page.waitForFunction(() => document.documentElement.dataset.version !== undefined);
  return page.evaluate(() => [
    document.title.split(':')[0],
    document.documentElement.dataset.version,
  ]);
}

const kept = (page) => page.getByText('Works without a network').waitFor();

test('writes with the network off, with threads although the host sends no headers', async () => {
  const { page, context, wrong } = await openPage(site.browser, site.server.url);
  await page.waitForFunction(() => globalThis.crossOriginIsolated);
  await kept(page);
  await page.close();
  await context.setOffline(true);
  const offline = await context.newPage();
  await offline.goto(site.server.url);
  expect(await offline.evaluate(() => crossOriginIsolated)).toBe(true);
  await start(offline);
  expect((await say(offline, 'Tell me a story.')).length).toBeGreaterThan(40);
  expect(await note(offline)).toMatch(/^0 tokens read again/);
  // The documentation's pages register nothing, and are there like the others.
  for (const name of ['docs/conversations.html', 'memory.html']) {
    expect((await offline.goto(`${site.server.url}${name}`)).status()).toBe(200);
  }
  // Not gone to: for a text Chromium asks the host for /favicon.ico, or not, as it comes.
  const text = () => fetch('models/README.md').then((response) => response.status);
  expect(await offline.evaluate(text)).toBe(200);
  await context.close();
  expect(wrong).toEqual([]);
  expect(site.server.violations).toEqual([]);
});

test('a new version is taken whole, when nothing else has begun with the old one', async () => {
  const weights = () => site.server.requestsOf(`/models/${kEmbeddedName}`).length;
  await publish('one');
  const { page, context } = await openPage(site.browser, site.server.url);
  await page.waitForFunction(() => globalThis.crossOriginIsolated);
  await kept(page);
  expect(await versions(page)).toEqual(['one', 'one']);
  const fetched = weights();

  // While the host is being updated, nothing of the new version is taken.
  await publish('two');
  const words = await readFile(join(folder, 'talk/words.js'));
  await writeFile(join(folder, 'talk/words.js'), 'throw new Error("half a version");');
  await page.reload();
  expect(await versions(page)).toEqual(['one', 'one']);
  const update = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update().catch(() => {});
      const { installing } = registration;
      await new Promise((resolve) => {
        if (!installing) return resolve();
        installing.addEventListener('statechange', resolve, { once: true });
      });
      return registration.waiting !== null;
    });
  expect(await update()).toBe(false);
  await writeFile(join(folder, 'talk/words.js'), words);

  expect(await update()).toBe(true);
  await page.reload();
  expect(await versions(page)).toEqual(['one', 'one']);
  const other = await context.newPage();
  await other.goto(site.server.url);
  expect(await versions(other)).toEqual(['one', 'one']);
  await page.getByText('Take it').click();
  await page.getByText('Close the other tabs').waitFor();
  await other.close();
  await page.waitForFunction(() => document.title.startsWith('two'));
  expect(await versions(page)).toEqual(['two', 'two']);
  await kept(page);
  // What has not changed was not asked for again.
  expect(weights()).toBe(fetched);
  await context.close();
});
