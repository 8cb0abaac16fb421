// SPDX-License-Identifier: MIT
//
// A Node with relaxed SIMD, for tests and benchmarks: this one if it is new enough, else one from
// the package registry in the cache folder.

import { join } from 'node:path';

import { ensureCachedFolder } from './cache-folder.mjs';
import { runCommand } from './command.mjs';
import { step } from './step.mjs';

const kVersion = '24.21.0';

/** @returns {Promise<string>} the program */
export async function ensureNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await ensureCachedFolder('node24', `${name}@${kVersion}`, async (made) => {
    const args = ['install', '--prefix', made, '--no-save', '--no-audit', '--no-fund'];
    await step(`Node ${kVersion}`, () =>
      runCommand('npm', [...args, `${name}@${kVersion}`], { quiet: true }),
    );
  });
  return join(folder, 'node_modules', name, 'bin', 'node');
}
