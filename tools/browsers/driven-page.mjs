// SPDX-License-Identifier: MIT
//
// What tests and benchmarks ask of a page, the same in every engine: these of Playwright's calls.
// In Chromium a page is Playwright's own; here they are made of the few things that every driver has.

import { setTimeout as pause } from 'node:timers/promises';

// Of a machine that is busy with other things, as in tests/browser.
const kPatienceMs = 45_000;
const kPollMs = 20;

/** A page of a driver that runs a script, clicks, uploads and goes to an address. */
export class DrivenPage {
  /**
   * @param {string} script an expression, a promise of text
   * @returns {Promise<string>}
   */
  async run(script) {
    throw new Error(`a driver has to run ${script}`);
  }

  /**
   * Calls a function in the page. What goes in and comes out is JSON, and `undefined`, NaN and the
   * infinities, which JSON lacks.
   *
   * @param {(argument: any) => unknown} work with no variables but the page's own
   * @param {unknown} [argument]
   * @returns {Promise<any>}
   */
  async evaluate(work, argument) {
    const given = JSON.stringify(encode(argument));
    const text = await this.run(`(${callInPage})(${work}, ${given}, ${encode}, ${decode})`);
    const { value, error } = JSON.parse(text);
    if (!error) return decode(value);
    // Its place is where it was called, below that of the page.
    throw Object.assign(new Error(`${error.message}\n${error.stack}`), { name: error.name });
  }

  /**
   * Waits until a function in the page gives something true.
   *
   * @param {(argument: any) => unknown} work
   * @param {unknown} [argument]
   */
  async waitForFunction(work, argument) {
    const end = Date.now() + kPatienceMs;
    while (!(await this.evaluate(work, argument))) {
      if (Date.now() > end) throw new Error(`in ${kPatienceMs} ms it never became true: ${work}`);
      await pause(kPollMs);
    }
  }

  /** @param {string} selector */
  async waitForSelector(selector) {
    await this.waitForFunction(isShown, selector);
  }

  /** @param {string} selector */
  isVisible(selector) {
    return this.evaluate(isShown, selector);
  }

  /** @param {string} selector */
  textContent(selector) {
    return this.evaluate((wanted) => document.querySelector(wanted).textContent, selector);
  }

  /** @param {string} selector */
  inputValue(selector) {
    return this.evaluate((wanted) => document.querySelector(wanted).value, selector);
  }

  /**
   * @param {string} selector
   * @param {string} text
   */
  fill(selector, text) {
    return this.evaluate(
      ([wanted, value]) => {
        const field = document.querySelector(wanted);
        field.focus();
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
      },
      [selector, text],
    );
  }
}

// The functions below run in the page, each by its own text.

/** @param {string} selector */
function isShown(selector) {
  return document.querySelector(selector)?.checkVisibility() ?? false;
}

/**
 * @param {(argument: unknown) => unknown} work
 * @param {unknown} given
 * @param {(value: unknown) => unknown} encode
 * @param {(value: unknown) => unknown} decode
 */
async function callInPage(work, given, encode, decode) {
  try {
    return JSON.stringify({ value: encode(await work(decode(given))) });
  } catch (error) {
    const { name, message, stack } = /** @type {Error} */ (error ?? {});
    return JSON.stringify({ error: { name, message: message ?? String(error), stack } });
  }
}

/**
 * What JSON lacks is `{ $: 'NaN' }` and the like.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
function encode(value) {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
    return { $: String(value) };
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Array.from(value, (part) => encode(part));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, encode(part)]));
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function decode(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => decode(part));
  if ('$' in value) return value.$ === 'undefined' ? undefined : Number(value.$);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decode(part)]));
}
