// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCommand } from './command.mjs';
import { step } from './step.mjs';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * Installs the versions of package-lock.json if node_modules is missing or older than it. Not by
 * `npm ci`: that refuses a lock file whose optional packages for other platforms the registry in use
 * does not have.
 */
export async function ensureNodeModules() {
  /** @param {string} file */
  const timeOf = async (file) => (await stat(join(projectFolder, file)).catch(() => null))?.mtimeMs;
  // npm writes this file last.
  const installed = await timeOf('node_modules/.package-lock.json');
  const wanted = await timeOf('package-lock.json');
  if (installed && wanted && installed >= wanted) return;
  await step('installing node modules', () =>
    runCommand('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: projectFolder,
      quiet: true,
    }),
  );
}
