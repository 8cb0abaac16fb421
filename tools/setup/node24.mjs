// SPDX-License-Identifier: MIT
//
// A Node with relaxed SIMD, for tests and benchmarks: this one if it is new enough, else one from
// the package registry in the cache folder.

import { join } from 'node:path';

import { ensureNpmPackages } from './npm-packages.mjs';

const kVersion = '24.21.0';

/** @returns {Promise<string>} the program */
export async function ensureNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const modules = await ensureNpmPackages('node24', [`${name}@${kVersion}`]);
  return join(modules, name, 'bin', 'node');
}
