// SPDX-License-Identifier: MIT
//
// The browsers that tests and benchmarks run in, by the names of their engines.

import { ensureChromium, launchChromium } from '../setup/chromium.mjs';
import { ensureFirefox } from '../setup/firefox.mjs';
import { ensureWebKit } from '../setup/webkit.mjs';
import { launchFirefox } from './firefox.mjs';
import { launchWebKit } from './webkit.mjs';

/**
 * @typedef {Pick<import('./driven-page.mjs').DrivenPage, 'evaluate' | 'waitForFunction' |
 *     'waitForSelector' | 'isVisible' | 'textContent' | 'inputValue' | 'fill'>} Asked
 *
 * @typedef {object} Driven
 * @property {(url: string) => Promise<unknown>} goto until it has loaded
 * @property {() => Promise<unknown>} reload
 * @property {() => string | Promise<string>} url
 * @property {(selector: string) => Promise<void>} click
 * @property {(selector: string, path: string) => Promise<void>} setInputFiles
 * @property {(event: 'crash', listener: () => void) => unknown} [on] in Chromium
 *
 * @typedef {Asked & Driven} Page
 *
 * @typedef {object} Context pages that share a storage
 * @property {() => Promise<Page>} newPage
 * @property {() => Promise<void>} close
 * @property {string[]} [wrong] errors of its pages, as far as the driver tells (not in Chromium)
 * @property {string[]} [requests] of its pages, as far as the driver tells (not in Chromium)
 *
 * @typedef {object} Browser
 * @property {() => string | Promise<string>} version
 * @property {() => Promise<Context>} newContext
 * @property {() => Promise<void>} close
 * @property {(event: 'disconnected', listener: () => void) => unknown} [on] in Chromium
 *
 * @typedef {{ ensure: () => Promise<unknown>, launch: (options?: Launch) => Promise<Browser> }} Engine
 *
 * @typedef {object} Launch
 * @property {number} [patienceMs] how long a call may take, where the driver has no limit of its own
 * @property {Record<string, string>} [env] what WebKit finds in its environment
 * @property {string[]} [flags] of Chromium, besides its usual ones
 */

/** @type {Record<string, Engine>} */
export const kEngines = {
  chromium: { ensure: ensureChromium, launch: (options) => launchChromium(options?.flags) },
  firefox: { ensure: ensureFirefox, launch: launchFirefox },
  webkit: { ensure: ensureWebKit, launch: launchWebKit },
};

/** @param {string} name @returns {Engine} */
export function engineNamed(name) {
  if (Object.hasOwn(kEngines, name)) return kEngines[name];
  throw new RangeError(`no engine '${name}': ${Object.keys(kEngines).join(', ')}`);
}
