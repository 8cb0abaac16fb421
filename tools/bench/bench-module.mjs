// SPDX-License-Identifier: MIT
//
// tests/bench, built and run in a process of its own.

import { join } from 'node:path';

import { makeWasm } from '../build/wasm.mjs';
import { runCommand } from '../setup/command.mjs';
import { engines, nodeVersion } from './command-line.mjs';

/**
 * What a script beside this one prints, given the module and its work.
 *
 * @param {string} script
 * @param {string} build the newest engine that runs it is taken
 * @param {object} work
 * @returns {Promise<any>} its JSON, and the version of the engine
 */
export async function runBenchModule(script, build, work) {
  const engine = (await engines()).findLast((candidate) => candidate.build === build);
  if (!engine) throw new Error(`--build must be simd128 or relaxed, not '${build}'`);
  const target = `fastweights_bench-${build}`;
  const module = join(await makeWasm(target), `${target}.mjs`);
  const args = [join(import.meta.dirname, script), module, JSON.stringify(work)];
  const { stdout } = await runCommand(engine.node, args, { capture: true });
  return { ...JSON.parse(stdout), engine: await nodeVersion(engine.node) };
}
