// SPDX-License-Identifier: MIT

import { join } from 'node:path';

import { ensureNpmPackages } from '../../setup/npm-packages.mjs';
import { measureInPage } from './page.mjs';

const kVersion = '3.8.1';
/** @type {Record<string, string>} */
let mounts;

/**
 * llama.cpp in WebAssembly. Its key-value cache and flash attention are as it sets them.
 *
 * @type {import('../peers.mjs').Peer}
 */
export const wllama = {
  name: 'wllama',
  version: kVersion,
  async setup() {
    const packages = ['wllama', 'wllama-compat'].map((name) => `@wllama/${name}@${kVersion}`);
    const modules = await ensureNpmPackages('peers/wllama', packages);
    const folder = (/** @type {string} */ name) => join(modules, '@wllama', name);
    mounts = { wllama: folder('wllama'), compat: folder('wllama-compat') };
  },
  measure: (work, signal, engine) => measureInPage('wllama', work, signal, mounts, { engine }),
  retry: (work, signal) => measureInPage('wllama-retry', work, signal, mounts),
};

/** Where pages find it, once it is set up. */
export const wllamaMounts = () => mounts;
