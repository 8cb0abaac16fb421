// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { runCommand } from '../../setup/command.mjs';
import { ensureNpmPackages } from '../../setup/npm-packages.mjs';

const kVersion = '3.22.1';
const kProgram = join(import.meta.dirname, 'native-run.mjs');
/** @type {string} */
let library;

/**
 * llama.cpp as a native library, the one that ships with node-llama-cpp: what the same machine does
 * without a browser, with its widest vector instructions. It maps the file, so it has no load time.
 *
 * @type {import('../peers.mjs').Peer}
 */
export const native = {
  name: 'native',
  version: `node-llama-cpp ${kVersion}`,
  async setup() {
    const { platform, arch } = process;
    if (platform !== 'linux') throw new Error(`native: not set up for ${platform}`);
    const modules = await ensureNpmPackages('peers/native', [
      `node-llama-cpp@${kVersion}`,
      `@node-llama-cpp/linux-${arch}@${kVersion}`,
    ]);
    library = pathToFileURL(join(modules, 'node-llama-cpp', 'dist', 'index.js')).href;
  },
  async measure(work, signal) {
    const args = [kProgram, library, JSON.stringify(work)];
    const { stdout } = await runCommand(process.execPath, args, {
      capture: true,
      name: 'llama.cpp',
      signal,
    });
    return JSON.parse(stdout);
  },
};
