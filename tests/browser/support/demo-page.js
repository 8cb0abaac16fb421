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
  // Its modules have run: a page that has come once more may not have got to that.
  await page.waitForFunction(() => document.getElementById('start-size')?.textContent);
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
