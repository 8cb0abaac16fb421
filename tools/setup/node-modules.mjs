// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCommand } from './command.mjs';
import { step } from './step.mjs';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Runs `npm ci` if node_modules is missing or older than package-lock.json. */
export async function ensureNodeModules() {
  const timeOf = async (file) => (await stat(join(projectFolder, file)).catch(() => null))?.mtimeMs;
  // npm writes this file last.
  const installed = await timeOf('node_modules/.package-lock.json');
  const wanted = await timeOf('package-lock.json');
  if (installed && wanted && installed >= wanted) return;
  await step('installing node modules', () =>
    runCommand('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: projectFolder,
      quiet: true,
    }),
  );
}
