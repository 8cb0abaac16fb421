// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * What a script was called with, as `parseArgs` gives it. Ends the process where that is --help, after the
 * script's first comment, which says how it is called; and with status 2 where it is not understood.
 *
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} script its path
 * @param {T} config of `parseArgs`
 * @returns {ReturnType<typeof parseArgs<T>>}
 */
export function optionsOf(script, config) {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usageOf(script));
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return endWith(script, /** @type {Error} */ (error).message);
  }
}

/**
 * Ends the process, whose words name nothing that there is.
 *
 * @type {(script: string, message: string) => never}
 */
export function endWith(script, message) {
  process.stderr.write(`${message}\n\n${usageOf(script)}`);
  process.exit(2);
}

/** @param {string} script */
function usageOf(script) {
  const [comment = ''] = readFileSync(script, 'utf8').split('\n\n');
  // Without the licence and the line after it.
  return `${comment
    .replaceAll(/^\/\/ ?/gm, '')
    .split('\n')
    .slice(2)
    .join('\n')}\n`;
}
