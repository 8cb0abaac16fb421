// SPDX-License-Identifier: MIT
//
// The browsers that tests and benchmarks run in, by the names of their engines.

import { ensureChromium, launchChromium } from '../setup/chromium.mjs';
import { ensureFirefox } from '../setup/firefox.mjs';
import { ensureWebKit } from '../setup/webkit.mjs';
import { launchFirefox } from './firefox.mjs';
import { launchWebKit } from './webkit.mjs';

/**
 * @typedef {object} Page what driven-page.mjs has, `goto`, `reload`, `url`, `click` and `setInputFiles`
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
 *
 * @typedef {{ ensure: () => Promise<unknown>, launch: (options?: object) => Promise<Browser> }} Engine
 */

/** @type {Record<string, Engine>} */
export const kEngines = {
  chromium: { ensure: ensureChromium, launch: launchChromium },
  firefox: { ensure: ensureFirefox, launch: launchFirefox },
  webkit: { ensure: ensureWebKit, launch: launchWebKit },
};

/** @param {string} name @returns {Engine} */
export function engineNamed(name) {
  if (Object.hasOwn(kEngines, name)) return kEngines[name];
  throw new RangeError(`no engine '${name}': ${Object.keys(kEngines).join(', ')}`);
}
