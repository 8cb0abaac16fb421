// SPDX-License-Identifier: MIT
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} moduleUrl a module's `import.meta.url`
 * @returns {boolean} whether Node was started with that module
 */
export function isMain(moduleUrl) {
  return (
    process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl)
  );
}

/**
 * Runs a command; a mistake in its arguments or files becomes one line and exit code 1.
 * @param {() => void} command
 */
export function runCommand(command) {
  try {
    command();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
