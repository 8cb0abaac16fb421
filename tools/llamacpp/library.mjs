// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureNpmPackages } from '../setup/npm-packages.mjs';

/** Of node-llama-cpp, which has llama.cpp as a native library. */
export const kVersion = '3.22.1';

/** @returns {Promise<string>} the address of its main module, installed into the cache folder */
export async function ensureLlamaCpp() {
  const { platform, arch } = process;
  if (platform !== 'linux') throw new Error(`llama.cpp: not set up for ${platform}`);
  const modules = await ensureNpmPackages('peers/native', [
    `node-llama-cpp@${kVersion}`,
    `@node-llama-cpp/linux-${arch}@${kVersion}`,
  ]);
  return pathToFileURL(join(modules, 'node-llama-cpp', 'dist', 'index.js')).href;
}
