// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './browser.js';

const axe = join(projectFolder, 'node_modules', 'axe-core', 'axe.min.js');

/** What axe-core finds wrong with a page as it is; in Chromium, whose driver runs what a policy forbids. */
export async function findings(page) {
  await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

/** How a page may be looked at: colours and widths. */
export const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
];

/** Letters of a page that stand beyond its right edge. */
export const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
