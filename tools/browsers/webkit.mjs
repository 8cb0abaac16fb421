// SPDX-License-Identifier: MIT
//
// WebKitGTK, over WebDriver. Its sessions keep what they store until they end.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureWebKit } from '../setup/webkit.mjs';
import { DrivenPage } from './driven-page.mjs';
import { startDisplay, startDriver } from './webkit-programs.mjs';

// Of some hundred sessions one never opens: the driver waits for a browser that waits for it, before any
// page is loaded. Others take two seconds.
const kOpeningMs = 25_000;
const kAttempts = 3;
// After it a page that has not answered is asked again, so that others get their turns.
const kTurnMs = 1000;
// Once in some thousand the driver loses an answer: it says that it could not parse it, or nothing.
const kLostMs = 30_000;
const kLost = /could not parse script result|time(d |)out|took over/i;
const kMostLost = 2;
// What a page answers that has never heard of a script which it ran.
const kGone = JSON.stringify({ error: { name: 'Error', message: 'the page went elsewhere' } });

/**
 * @param {object} [options]
 * @param {number} [options.patienceMs] of one call; the driver itself waits for ever
 * @param {Record<string, string>} [options.env] for the browser, features of its engine for example
 * @returns {Promise<import('./engines.mjs').Browser>}
 */
export async function launchWebKit({ patienceMs = 60_000, env = {} } = {}) {
  const programs = await ensureWebKit();
  const library = join(programs.modules, 'selenium-webdriver', 'index.js');
  const { default: selenium } = await import(pathToFileURL(library).href);
  const display = await startDisplay(programs.display);
  /** @type {Set<WebKitContext>} */
  const contexts = new Set();
  let version = '';
  return {
    version: async () => version,
    async newContext() {
      for (let attempt = 1; ; attempt++) {
        // A driver has one session.
        const driver = await startDriver(programs.driver, { ...env, DISPLAY: display.name });
        const context = new WebKitContext(driver, patienceMs, () => contexts.delete(context));
        contexts.add(context);
        try {
          await context.open(selenium, programs.browser);
          version = context.version;
          return context;
        } catch (error) {
          await context.close();
          if (attempt === kAttempts) throw error;
        }
      }
    },
    async close() {
      for (const context of contexts) await context.close();
      await display.end();
    },
  };
}

/** Pages that share a storage: a session. One call runs at a time, in whichever page it is for. */
class WebKitContext {
  #program;
  /** @type {any} */
  #session;
  patienceMs;
  #onClose;
  #windows = 0;
  /** @type {string | undefined} */
  #current;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  version = '';
  /** @type {string[]} */
  wrong = [];
  /** @type {string[]} */
  requests = [];

  /**
   * @param {{ url: string, end(): Promise<void> }} program the driver
   * @param {number} patienceMs
   * @param {() => void} onClose
   */
  constructor(program, patienceMs, onClose) {
    this.#program = program;
    this.patienceMs = patienceMs;
    this.#onClose = onClose;
  }

  /**
   * @param {any} selenium
   * @param {string} binary the browser
   */
  async open({ Builder, Capabilities }, binary) {
    const wanted = new Capabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    });
    const builder = new Builder().disableEnvironmentOverrides().usingServer(this.#program.url);
    this.#session = await within(
      Math.min(kOpeningMs, this.patienceMs),
      () => builder.withCapabilities(wanted).build(),
      'a session',
    );
    const found = await within(
      this.patienceMs,
      () => this.#session.getCapabilities(),
      'what it is',
    );
    this.version = found.get('browserVersion');
    await this.#session.manage().setTimeouts({ script: kLostMs, pageLoad: this.patienceMs });
  }

  async newPage() {
    const handle = await this.call(undefined, async (session) => {
      if (this.#windows++ > 0) await session.switchTo().newWindow('tab');
      this.#current = await session.getWindowHandle();
      return this.#current;
    });
    return new WebKitPage(this, handle);
  }

  /**
   * One call after the other.
   *
   * @param {string | undefined} handle of the window that it is for
   * @param {(session: any) => Promise<any>} work
   * @param {number} [ms] that it may take
   */
  call(handle, work, ms = this.patienceMs) {
    const result = this.#turn.then(() =>
      within(
        ms,
        async () => {
          if (handle && handle !== this.#current) await this.#session.switchTo().window(handle);
          if (handle) this.#current = handle;
          return work(this.#session);
        },
        work,
      ),
    );
    this.#turn = result.catch(() => {});
    return result;
  }

  async close() {
    this.#onClose();
    await within(this.patienceMs, async () => this.#session?.quit(), 'its end').catch(() => {});
    await this.#program.end();
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {() => Promise<T>} work
 * @param {unknown} what it is, for an error
 * @returns {Promise<T>}
 */
async function within(ms, work, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`WebKit: ${what} took over ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

class WebKitPage extends DrivenPage {
  #context;
  #handle;
  #runs = 0;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();

  /**
   * @param {WebKitContext} context
   * @param {string} handle
   */
  constructor(context, handle) {
    super();
    this.#context = context;
    this.#handle = handle;
  }

  /**
   * One thing after the other.
   *
   * @template T
   * @param {() => Promise<T>} work
   */
  #inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** @param {(session: any) => Promise<any>} work */
  #call(work) {
    return this.#inTurn(() => this.#context.call(this.#handle, work));
  }

  /**
   * @override
   * @param {string} script
   */
  async run(script) {
    const [text, wrong] = await this.#inTurn(() => this.#answer(script));
    this.#context.wrong.push(...wrong);
    return text;
  }

  /**
   * The driver has no events: a page keeps what goes wrong in it, and each answer brings it along. It
   * keeps its last answer, too, for when the driver has lost it.
   *
   * @param {string} script
   */
  async #answer(script) {
    const number = ++this.#runs;
    let end = Date.now() + this.#context.patienceMs;
    let begins = script;
    for (let lost = 0; ; ) {
      const asked = Date.now();
      try {
        const answer = await this.#ask(number, begins);
        if (answer) return answer;
        begins = `Promise.resolve(${JSON.stringify(kGone)})`;
      } catch (error) {
        if (!kLost.test(/** @type {Error} */ (error).message) || ++lost > kMostLost) throw error;
        // The page may have had its answer all the while.
        end += Date.now() - asked;
      }
      if (Date.now() > end) {
        throw new Error(`WebKit: in ${this.#context.patienceMs} ms there was no answer: ${script}`);
      }
    }
  }

  /**
   * What became of a script, or null if it is still running.
   *
   * @param {number} number
   * @param {string} script run where the page does not know the number
   */
  #ask(number, script) {
    const source = `const done = arguments[arguments.length - 1];
      const wrong = (${recordWrong})();
      if (globalThis.lastRun?.number !== ${number}) {
        const answer = ${script}.then((text) => [text, wrong.splice(0)]);
        globalThis.lastRun = { number: ${number}, answer };
      }
      const turn = new Promise((resolve) => setTimeout(resolve, ${kTurnMs}, null));
      Promise.race([globalThis.lastRun.answer, turn]).then(done);`;
    const ask = (/** @type {any} */ session) => session.executeAsyncScript(source);
    // The driver says first that it has lost one.
    return this.#context.call(this.#handle, ask, kLostMs + 5000);
  }

  url() {
    return this.#call((session) => session.getCurrentUrl());
  }

  /** @param {string} url */
  async goto(url) {
    await this.#call((session) => session.get(url));
    // The driver may say so before the page's modules have run.
    await this.waitForFunction(() => document.readyState === 'complete');
  }

  reload() {
    return this.#call((session) => session.navigate().refresh());
  }

  /**
   * By the page itself: the driver clicks where things were a moment ago.
   *
   * @param {string} selector
   */
  click(selector) {
    return this.evaluate((wanted) => document.querySelector(wanted).click(), selector);
  }

  /**
   * @param {string} selector
   * @param {string} path
   */
  setInputFiles(selector, path) {
    return this.#call(async (session) =>
      (await session.findElement({ css: selector })).sendKeys(path),
    );
  }
}

/** Runs in the page. */
function recordWrong() {
  const place = /** @type {{ wrongSoFar?: string[] }} */ (globalThis);
  if (place.wrongSoFar) return place.wrongSoFar;
  /** @type {string[]} */
  const wrong = [];
  place.wrongSoFar = wrong;
  addEventListener('error', ({ message }) => wrong.push(`uncaught: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => wrong.push(`uncaught: ${reason}`));
  for (const kind of /** @type {const} */ (['error', 'warn'])) {
    const say = console[kind];
    console[kind] = (...words) => {
      wrong.push(`console: ${words.join(' ')}`);
      say.apply(console, words);
    };
  }
  return wrong;
}
