// SPDX-License-Identifier: MIT
// The page that holds answers to a form: its main path, in every engine.
import { join } from 'node:path';
import * as demo from './support/demo-page.js';
import { choose, write } from './support/held-page.js';
import { openSite } from './support/site.js';

const site = openSite(join(demo.buildFolder, 'demo'));

test('an answer is held to a choice, token by token', () =>
  demo.withPage(
    site,
    async (page) => {
      await page.waitForSelector('#form');
      await choose(page, 'choice');
      const answer = await write(page, 'yes\nno');
      expect(['yes', 'no']).toContain(answer.replace(/<\|.*\|>$/, ''));
      expect(await page.textContent('#step-words')).toMatch(/\d+ of [\d,]+ token/);
      expect(await page.textContent('#form-check')).toBe('An answer can be held to this.');
      await page.fill('#form', '');
      await page.waitForFunction(() =>
        document.getElementById('form-check').classList.contains('bad'),
      );
      expect(await page.textContent('#form-check')).toMatch(/options must be a list of texts/);
    },
    `${site.server.url}held.html`,
  ));
