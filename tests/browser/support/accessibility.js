// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './browser.js';

const axe = readFileSync(join(projectFolder, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with a page as it is. */
export async function findings(page) {
  // An expression that the driver evaluates, which the page's policy does not forbid as it does eval.
  await (page.run
    ? page.run(`(async () => { ${axe}; return 'ready'; })()`)
    : page.evaluate(`${axe}; undefined`));
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
