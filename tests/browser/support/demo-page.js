// SPDX-License-Identifier: MIT
// The demo page, used as its visitors do.
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
  await page.click('#start');
  await page.waitForSelector('#composer');
};
export const finished = (page, count) =>
  page.waitForSelector(`#texts:has(> article:nth-of-type(${count})):not(:has([aria-busy]))`);
export const newest = (page) => page.textContent('#texts .written');
export const note = (page) => page.textContent('#texts .note');

/** The text that it writes. */
export async function write(page, { tokens = 24, seed = '', count = 1 } = {}) {
  await page.fill('#max-tokens', String(tokens));
  await page.fill('#seed', seed);
  await page.click('#write');
  await finished(page, count);
  return newest(page);
}
