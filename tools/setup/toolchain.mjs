// SPDX-License-Identifier: MIT
//
// Where emcc, cmake and ninja come from: emsdk where it is installed, else an isolated Debian 13.

import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { cacheFolder } from './cache-folder.mjs';
import { outputOf, runCommand } from './command.mjs';
import { isDebian, isRoot } from './debian.mjs';
import { projectFolder } from './node-modules.mjs';
import { ensureTrixieRoot, runInRoot } from './trixie-root.mjs';

// The oldest that has been asked for: relaxed SIMD as engines ship it, and embind without RTTI.
const kOldestEmcc = [3, 1, 60];

/**
 * @typedef {object} Toolchain
 * @property {string} description for a person, for example 'emcc 3.1.69 of an isolated Debian 13'
 * @property {string} version emcc's
 * @property {(command: string, args: string[], options?: import('./command.mjs').CommandOptions)
 *     => Promise<import('./command.mjs').CommandResult>} run where emcc, emcmake, cmake, ctest,
 *     ninja and ccache are on PATH, in the project's folder unless options.cwd says otherwise
 */

/** @returns {Promise<Toolchain>} */
export async function ensureToolchain() {
  await mkdir(join(cacheFolder(), 'ccache'), { recursive: true });
  const installed = await installedEmcc();
  if (installed) return installed;
  if ((await isDebian()) && isRoot() && process.platform === 'linux') return emccOfTrixie();
  throw new Error(
    `no emcc of version ${kOldestEmcc.join('.')} or newer on PATH or in $EMSDK: install emsdk and ` +
      'set EMSDK to its folder (as root on Debian one is set up by itself)',
  );
}

async function installedEmcc() {
  const { EMSDK, PATH } = process.env;
  const folders = EMSDK ? [join(EMSDK, 'upstream', 'emscripten')] : [];
  for (const path of [PATH, [...folders, PATH].join(delimiter)]) {
    const env = { ...ccacheVariables(), PATH: path };
    // spawn looks a program up on this process's own PATH, hence env(1).
    /** @type {Toolchain['run']} */
    const run = (command, args, options = {}) =>
      runCommand('env', [command, ...args], {
        cwd: projectFolder,
        ...options,
        env: { ...env, ...options.env },
      });
    const version = parseVersion(await outputOf('env', ['emcc', '--version'], { env }));
    if (version && isNewEnough(version)) return { description: `emcc ${version}`, version, run };
  }
  return null;
}

/** @returns {Promise<Toolchain>} */
async function emccOfTrixie() {
  const root = await ensureTrixieRoot();
  const sources = process.env.XNNPACK_SOURCE_DIR;
  /** @type {Toolchain['run']} */
  const run = (command, args, options = {}) =>
    runInRoot(root, command, args, {
      ...options,
      folders: sources ? [sources] : [],
      env: {
        ...ccacheVariables(),
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        XNNPACK_SOURCE_DIR: sources,
        // The package forbids building the system libraries that it does not bring; the root is ours.
        EM_FROZEN_CACHE: '0',
        EM_CACHE: '/usr/share/emscripten/cache',
        ...options.env,
      },
    });
  const { stdout } = await run('cat', ['/usr/share/emscripten/emscripten-version.txt'], {
    capture: true,
  });
  const version = parseVersion(stdout) ?? '';
  return { description: `emcc ${version} of an isolated Debian 13`, version, run };
}

/** Objects are shared by all checkouts: paths under the project are hashed as relative ones. */
export function ccacheVariables() {
  return {
    CCACHE_DIR: join(cacheFolder(), 'ccache'),
    CCACHE_BASEDIR: projectFolder,
    CCACHE_NOHASHDIR: '1',
    CCACHE_MAXSIZE: '2G',
    // What was included, by the compiler's own account: without it every source is preprocessed first.
    CCACHE_DEPEND: '1',
    // cmake/headers.cmake: what is precompiled is known by its file of checksums, and holds no times.
    CCACHE_PCH_EXTSUM: '1',
    CCACHE_SLOPPINESS: 'pch_defines,time_macros',
  };
}

/** @param {string} text */
const parseVersion = (text) => text.match(/\d+\.\d+\.\d+/)?.[0];

/** @param {string} version */
function isNewEnough(version) {
  const parts = version.split('.').map(Number);
  for (let i = 0; i < kOldestEmcc.length; ++i) {
    if (parts[i] !== kOldestEmcc[i]) return parts[i] > kOldestEmcc[i];
  }
  return true;
}
