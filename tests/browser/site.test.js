// SPDX-License-Identifier: MIT
// What holds for each page of the site, in every engine.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kModelsPolicy, policyOf } from '../../tools/serve.mjs';
import { findings, LOOKS } from './support/accessibility.js';
import { buildFolder, withPage } from './support/demo-page.js';
import { engineName } from './support/engine.js';
import { openSite } from './support/site.js';

const folder = join(buildFolder, 'demo');
const site = openSite(folder);
const pages = ['index', 'held', 'device', 'models', 'how', 'memory'].map((name) => `${name}.html`);
// Other drivers have no say in these.
const looks = engineName === 'chromium' ? LOOKS : [{ colorScheme: 'light', viewport: {} }];

test('it has these pages', () => {
  expect(readdirSync(folder).filter((name) => name.endsWith('.html'))).toEqual(pages.toSorted());
});

describe.each(pages)('%s', (name) => {
  const html = readFileSync(join(folder, name), 'utf8');

  test('states the policy that the server sends', () => {
    expect(html).toContain(`content="${policyOf(`/${name}`)}"`);
    expect(html.includes(kModelsPolicy)).toBe(name === 'models.html');
  });

  test.each(looks)('axe finds nothing, in $colorScheme', (look) =>
    withPage(
      site,
      async (page) => {
        await page.waitForFunction(() => document.readyState === 'complete');
        expect(await findings(page)).toEqual([]);
      },
      `${site.server.url}${name}`,
      look,
    ),
  );
});
