// SPDX-License-Identifier: MIT
//
// Packages of the registry in the cache folder, for what only some commands need.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { cacheFolder, ensureCachedFolder } from './cache-folder.mjs';
import { runCommand } from './command.mjs';
import { step } from './step.mjs';

/**
 * @param {string} folder of the cache, for these packages alone
 * @param {string[]} packages with versions, `name@1.2.3`; none of their scripts runs
 * @param {{ native?: boolean, foreign?: boolean }} [options] native: their optional packages come too,
 *     in which programs for this machine are; otherwise none does. foreign: they are for another
 *     processor
 * @returns {Promise<string>} the folder node_modules with them in it
 */
export async function ensureNpmPackages(
  folder,
  packages,
  { native = false, foreign = false } = {},
) {
  mkdirSync(dirname(join(cacheFolder(), folder)), { recursive: true });
  const made = await ensureCachedFolder(folder, packages.join(' '), async (partial) => {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    const only = ['--ignore-scripts', ...(native ? [] : ['--omit=optional'])];
    if (foreign) only.push('--force');
    await step(packages.join(', '), () =>
      runCommand('npm', ['install', '--prefix', partial, ...quiet, ...only, ...packages], {
        quiet: true,
      }),
    );
  });
  return join(made, 'node_modules');
}
