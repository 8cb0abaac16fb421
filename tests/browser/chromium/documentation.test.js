// SPDX-License-Identifier: MIT
// The documentation as part of the site: guides and the API reference, by `npm run build -- --docs`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from '../support/accessibility.js';
import { openPage, projectFolder } from '../support/browser.js';
import { expectNothingWrong, openSite } from '../support/site.js';

const docs = join(projectFolder, 'build/demo/docs');
// Its address is a path of a host that has other things, too.
const site = openSite(join(projectFolder, 'build'));
const open = async (path, options) => ({
  ...(await openPage(site.browser, `${site.server.url}demo/docs/${path}`, options)),
  server: site.server,
});

test.each(['light', 'dark'])('a guide can be read by everybody, in the %s', async (colorScheme) => {
  // The longest tables and the most code.
  for (const path of ['index.html', 'constraints.html', 'checkpoints.html']) {
    const opened = await open(path, { colorScheme });
    expect(await findings(opened.page)).toEqual([]);
    expectNothingWrong(opened);
    await opened.context.close();
  }
});

test('fits a phone, and asks for nothing but itself, its style and its icon', async () => {
  const viewport = { width: 360, height: 740 };
  const { page, context, requests } = await open('constraints.html', { viewport });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const its = /\/demo\/(docs\/constraints\.html|docs\/docs\.css|site\.css|icon\.svg)$/;
  expect(requests.filter((url) => !its.test(url))).toEqual([]);
  await page.getByRole('link', { name: 'All guides' }).click();
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link').first().click();
  await page.waitForURL('**/docs/index.html');
  await context.close();
});

test('every link of a guide leads somewhere', () => {
  const names = readdirSync(docs).filter((name) => name.endsWith('.html'));
  const texts = new Map(names.map((name) => [name, readFileSync(join(docs, name), 'utf8')]));
  const built = new Set(readdirSync(join(projectFolder, 'build/demo'), { recursive: true }));
  const broken = [];
  for (const [name, text] of texts) {
    // The site's other pages have tests of their own.
    const body = text.replace(/<nav class="site"[\s\S]*?<\/nav>/, '');
    for (const [, address] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const { protocol, pathname, hash } = new URL(address, `file:///docs/${name}`);
      if (protocol !== 'file:') continue;
      const path = decodeURI(pathname.slice(1));
      const there = texts.get(path.replace('docs/', ''))?.includes(`id="${hash.slice(1)}"`) ?? true;
      if (!built.has(path) || (hash && !there)) broken.push(`${name}: ${address}`);
    }
  }
  expect(broken).toEqual([]);
});

test('the API reference runs within its policy, and finds what is looked for', async () => {
  const opened = await open('api/index.html');
  const { page, context } = opened;
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('AssociativeMemory');
  await page.getByRole('option').filter({ hasText: 'AssociativeMemory' }).first().click();
  await page.getByRole('heading', { name: 'Class AssociativeMemory' }).waitFor();
  // Its list of everything is made by a script.
  const list = page.locator('#tsd-nav-container');
  await list.getByRole('link', { name: 'fastweights/openai' }).waitFor();
  const nav = page.getByRole('navigation', { name: 'Site' });
  expect(await nav.getByRole('link', { name: 'Documentation' }).getAttribute('href')).toBe(
    '../../../docs/index.html',
  );
  await nav.getByRole('link', { name: 'Documentation' }).click();
  await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor();
  expectNothingWrong(opened);
  await context.close();
});
