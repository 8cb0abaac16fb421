// SPDX-License-Identifier: MIT
//
// tests/bench, built and run in a process of its own.

import { join } from 'node:path';

import { configureWasm } from '../build/wasm.mjs';
import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { ensureToolchain } from '../setup/toolchain.mjs';
import { ensureXnnpackSources } from '../setup/xnnpack-sources.mjs';
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
  const toolchain = await ensureToolchain();
  await configureWasm(toolchain, await ensureXnnpackSources(), build);
  const folder = join('build', `wasm-${build}`);
  const target = ['--target', 'fastweights_bench'];
  await toolchain.run('cmake', ['--build', folder, ...target], { quiet: true });
  const module = join(projectFolder, folder, 'fastweights_bench.mjs');
  const args = [join(import.meta.dirname, script), module, JSON.stringify(work)];
  const { stdout } = await runCommand(engine.node, args, { capture: true });
  return { ...JSON.parse(stdout), engine: await nodeVersion(engine.node) };
}
