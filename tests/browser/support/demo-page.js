// SPDX-License-Identifier: MIT
// The demo page, used as its visitors do.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openPage, projectFolder } from './browser.js';
import { expectNothingWrong } from './site.js';

export const buildFolder = join(projectFolder, 'build');

/** Runs a test on the page and fails it for anything that went wrong behind the scenes. */
export async function withPage(site, test, url = site.server.url, options = {}) {
  const opened = await openPage(site.browser, url, options);
  try {
    await test(opened.page, opened);
    expectNothingWrong({ ...opened, server: site.server });
  } finally {
    await opened.context.close();
  }
}

export const start = async (page) => {
  // Its modules have run: a page that has come once more may not have got to that.
  await page.waitForFunction(() => document.getElementById('start-size').textContent !== '');
  await page.click('#start');
  await page.waitForSelector('#composer');
};

/** Waits until nothing is written. */
export const finished = (page) =>
  page.waitForFunction(
    () => !document.querySelector('[aria-busy]') && document.getElementById('stop').disabled,
  );

/** The last answer, and what is said of it. */
export const newest = (page) => page.textContent('#texts > .answer:last-of-type .body');
export const note = (page) => page.textContent('#texts > .answer:last-of-type .note');

/** How the next answer is to be written. */
export async function set(page, { tokens = 24, seed = '' } = {}) {
  await page.evaluate(() => document.getElementById('how').setAttribute('open', ''));
  await page.fill('#max-tokens', String(tokens));
  await page.fill('#seed', seed);
}

/** The answer to a message. */
export async function say(page, text, options = {}) {
  await set(page, options);
  await page.fill('#prompt', text);
  await page.click('#write');
  await finished(page);
  return newest(page);
}

/** What is said in each row of the tree. */
export const rows = (page) =>
  page.evaluate(() => [...document.querySelectorAll('#branches li')].map((row) => row.textContent));

let axe;

/** What axe-core has to say against the page as it is. */
export async function findings(page) {
  const { resolve } = createRequire(import.meta.url);
  axe ??= await readFile(resolve('axe-core/axe.min.js'), 'utf8');
  // An expression that the driver evaluates, which the page's policy does not forbid as it does eval.
  await (page.run ? page.run(`(async () => { ${axe}; return 'ready'; })()`) : page.evaluate(axe));
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
