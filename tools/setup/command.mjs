// SPDX-License-Identifier: MIT
//
// Runs one program, without a shell.

import { spawn } from 'node:child_process';

const kKeptOnFailure = 4000;

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to the environment; undefined removes
 * @property {boolean} [capture] keep stdout and stderr instead of showing them
 * @property {boolean} [quiet] show neither; the end of both is part of the error if it fails
 * @property {string} [name] what an error calls the command, instead of all its words
 * @property {AbortSignal} [signal] ends the command; its reason is thrown
 * @property {boolean} [check] false: a failing exit code is returned instead of thrown
 *
 * @typedef {{ code: number, stdout: string, stderr: string }} CommandResult
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>} stdout and stderr are empty unless captured or quiet
 */
export function runCommand(command, args, options = {}) {
  const { cwd, env, capture = false, quiet = false, check = true, signal } = options;
  const { name = [command, ...args].join(' ') } = options;
  const kept = capture || quiet;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      signal,
      stdio: ['ignore', kept ? 'pipe' : 'inherit', kept ? 'pipe' : 'inherit'],
    });
    const output = { stdout: '', stderr: '' };
    for (const stream of /** @type {const} */ (['stdout', 'stderr'])) {
      child[stream]?.setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
      });
    }
    child.on('error', (error) => {
      reject(
        signal?.aborted ? signal.reason : new Error(`cannot run ${command}: ${error.message}`),
      );
    });
    child.on('close', (code, ended) => {
      if (check && code !== 0) {
        const tail = (output.stdout + output.stderr).slice(-kKeptOnFailure);
        const how = ended ? `was ended by ${ended}` : `failed with exit code ${code}`;
        reject(new Error(`${name} ${how}${tail && `\n${tail}`}`));
      } else {
        resolve({ code: code ?? 1, ...output });
      }
    });
  });
}

/**
 * The program's stdout, trimmed; '' if it fails or does not exist.
 * @type {(command: string, args: string[], options?: CommandOptions) => Promise<string>}
 */
export async function outputOf(command, args, options = {}) {
  try {
    return (await runCommand(command, args, { ...options, capture: true })).stdout.trim();
  } catch {
    return '';
  }
}
