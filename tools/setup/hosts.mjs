// SPDX-License-Identifier: MIT
//
// What runs JavaScript without a page, for the tests of the package: programs from the package
// registry, in the cache folder.

import { join } from 'node:path';

import { ensureNodeRelease } from './node-release.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';

const { arch, platform } = process;
const kLibc = platform === 'linux' ? '-glibc' : '';
const kBunArch = arch === 'arm64' ? 'aarch64' : arch;
const kExtension = platform === 'win32' ? '.exe' : '';

/** @typedef {{ package: string, version: string, program: string }} Published */

/** @type {Record<string, Published>} */
const kHosts = {
  'Deno 2': {
    package: `@deno/${platform}-${arch}${kLibc}`,
    version: '2.9.6',
    program: 'deno',
  },
  'Bun 1': { package: `@oven/bun-${platform}-${kBunArch}`, version: '1.4.5', program: 'bin/bun' },
};

/**
 * @param {string} name of a host with the number of its release
 * @returns {Promise<string>} the program: of Node this one, where it is of that release
 */
export async function ensureHost(name) {
  const [, major] = /^Node (\d+)$/.exec(name) ?? [];
  if (major === process.versions.node.split('.')[0]) return process.execPath;
  if (major) return ensureNodeRelease(/** @type {import('./node-release.mjs').Major} */ (+major));
  const { package: published, version, program } = kHosts[name];
  const folder = name.toLowerCase().replace(' ', '');
  const modules = await ensureNpmPackages(folder, [`${published}@${version}`]);
  return join(modules, published, `${program}${kExtension}`);
}
