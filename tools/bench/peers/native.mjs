// SPDX-License-Identifier: MIT

import { join } from 'node:path';

import { ensureLlamaCpp, kVersion } from '../../llamacpp/library.mjs';
import { runCommand } from '../../setup/command.mjs';

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
    library = await ensureLlamaCpp();
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
