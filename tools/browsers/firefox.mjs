// SPDX-License-Identifier: MIT
//
// Firefox, over WebDriver BiDi.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureFirefox } from '../setup/firefox.mjs';
import { DrivenPage } from './driven-page.mjs';

/**
 * @param {{ patienceMs?: number }} [options] of one call
 * @returns {Promise<import('./engines.mjs').Browser>}
 */
export async function launchFirefox({ patienceMs = 60_000 } = {}) {
  const { program, modules } = await ensureFirefox();
  const library = join(modules, 'puppeteer-core', 'lib', 'esm', 'puppeteer', 'puppeteer-core.js');
  const { launch } = await import(pathToFileURL(library).href);
  // It refuses a home that belongs to somebody else, as root's may.
  const home = await mkdtemp(join(tmpdir(), 'firefox-'));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await launch({
      browser: 'firefox',
      protocol: 'webDriverBiDi',
      executablePath: program,
      headless: true,
      env: { ...process.env, HOME: home },
      protocolTimeout: patienceMs,
    });
    return {
      version: async () => (await browser.version()).replace(/^firefox\//i, ''),
      async newContext() {
        return new FirefoxContext(await browser.createBrowserContext());
      },
      async close() {
        await browser.close();
        await removeHome();
      },
    };
  } catch (error) {
    await removeHome();
    throw error;
  }
}

/** Pages that share a storage. */
class FirefoxContext {
  #context;
  /** @type {string[]} */
  wrong = [];
  /** @type {string[]} */
  requests = [];

  /** @param {any} context of Puppeteer */
  constructor(context) {
    this.#context = context;
  }

  async newPage() {
    const page = await this.#context.newPage();
    page.on('console', (/** @type {any} */ message) => {
      if (['error', 'warn'].includes(message.type())) this.wrong.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (/** @type {Error} */ error) => this.wrong.push(`uncaught: ${error}`));
    page.on('request', (/** @type {any} */ request) => this.requests.push(request.url()));
    return new FirefoxPage(page);
  }

  close() {
    return this.#context.close();
  }
}

class FirefoxPage extends DrivenPage {
  #page;

  /** @param {any} page of Puppeteer */
  constructor(page) {
    super();
    this.#page = page;
  }

  /** @override @param {string} script */
  run(script) {
    return this.#page.evaluate(script);
  }

  url() {
    return this.#page.url();
  }

  /** @param {string} url */
  goto(url) {
    return this.#page.goto(url);
  }

  reload() {
    return this.#page.reload();
  }

  /**
   * Once it stands still: the driver clicks where things were a moment ago.
   *
   * @param {string} selector
   */
  async click(selector) {
    await this.waitForFunction(isStill, selector);
    await this.#page.click(selector);
  }

  /**
   * @param {string} selector
   * @param {string} path
   */
  async setInputFiles(selector, path) {
    const input = await this.#page.$(selector);
    await input.uploadFile(path);
  }
}

/**
 * Runs in the page: whether an element is in view, on top, and where it was two frames ago.
 *
 * @param {string} selector
 */
async function isStill(selector) {
  const element = document.querySelector(selector);
  if (!element) return false;
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const before = element.getBoundingClientRect();
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const { x, y, width, height } = element.getBoundingClientRect();
  const isThere = x === before.x && y === before.y;
  return isThere && element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}
