// SPDX-License-Identifier: MIT

import { join } from 'node:path';

import { ensureNpmPackages } from '../../setup/npm-packages.mjs';
import { measureInPage } from './page.mjs';

const kVersion = '3.8.1';
/** @type {string} */
let folder;

/**
 * llama.cpp in WebAssembly. Its key-value cache and flash attention are as it sets them.
 *
 * @type {import('../peers.mjs').Peer}
 */
export const wllama = {
  name: 'wllama',
  version: kVersion,
  async setup() {
    const modules = await ensureNpmPackages('peers/wllama', [`@wllama/wllama@${kVersion}`]);
    folder = join(modules, '@wllama', 'wllama');
  },
  measure: (work, signal) => measureInPage('wllama', work, signal, { wllama: folder }),
  retry: (work, signal) => measureInPage('wllama-retry', work, signal, { wllama: folder }),
};
