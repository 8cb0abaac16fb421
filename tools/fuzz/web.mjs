// SPDX-License-Identifier: MIT
//
// What fast-check runs: a property of TypeScript for each tests/fuzz/web/NAME.js that is a target.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeTypes } from '../build/bundle.mjs';
import { runCommand } from '../setup/command.mjs';
import { ensureNodeModules, projectFolder } from '../setup/node-modules.mjs';

/** @import { Outcome } from './targets.mjs' */

// To start, to make a failing input smaller, and to end.
const kMoreSeconds = 60;

export async function buildWeb() {
  await ensureNodeModules();
  await writeTypes();
}

/**
 * @param {string} name
 * @param {number} seconds
 * @param {number} seed
 * @returns {Promise<Outcome>}
 */
export async function fuzzWeb(name, seconds, seed) {
  const script = join(projectFolder, 'tests', 'fuzz', 'web', 'run.mjs');
  const limit = AbortSignal.timeout((seconds + kMoreSeconds) * 1000);
  /** @type {{ inputs: number, report: string, input: string }} */
  let found;
  try {
    const { stdout } = await runCommand(
      process.execPath,
      [script, name, String(seconds), String(seed)],
      { cwd: projectFolder, capture: true, signal: limit },
    );
    found = JSON.parse(stdout);
  } catch (error) {
    const why = limit.aborted ? 'an input takes for ever' : String(error);
    found = { inputs: 0, report: `${why}: seed ${seed}`, input: String(seed) };
  }
  if (!found.report) return { inputs: found.inputs, failure: undefined };
  const folder = join(projectFolder, 'build', 'fuzz', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `failure-${seed}.txt`), `${found.input}\n\n${found.report}\n`);
  return { inputs: found.inputs, failure: found.report };
}
