// SPDX-License-Identifier: MIT
//
// What libFuzzer runs: a program of the core for each tests/fuzz/*.cc.

import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { runCommand } from '../setup/command.mjs';
import { ensureDebianPackages, isDebian } from '../setup/debian.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { ccacheVariables } from '../setup/toolchain.mjs';
import { ensureXnnpackSources } from '../setup/xnnpack-sources.mjs';

/** @import { Outcome } from './targets.mjs' */

const kPreset = 'native-fuzz';
// Of one input, and of what it may hold: sizes in files are no reason to take more.
const kMostSeconds = 30;
const kMostMegabytes = 1024;
const kMostBytes = 512;

/** @param {string[]} names */
export async function buildNative(names) {
  const sources = await ensureXnnpackSources();
  if (await isDebian()) {
    const packages = ['clang', 'libclang-rt-14-dev', 'cmake', 'ninja-build', 'ccache'];
    await ensureDebianPackages(packages);
  }
  const options = { cwd: projectFolder, env: ccacheVariables(), quiet: true };
  await runCommand('cmake', ['--preset', kPreset, `-DXNNPACK_SOURCE_DIR=${sources}`], options);
  const targets = names.flatMap((name) => ['--target', `fuzz-${name}`]);
  await runCommand('cmake', ['--build', '--preset', kPreset, ...targets], options);
}

/**
 * Mutates the inputs in tests/fuzz/corpus/NAME; what ends the program is left in build/fuzz/NAME,
 * what covers something new in its `corpus`.
 *
 * @param {string} name
 * @param {number} seconds
 * @param {number} seed
 * @returns {Promise<Outcome>}
 */
export async function fuzzNative(name, seconds, seed) {
  const found = join(projectFolder, 'build', 'fuzz', name);
  // libFuzzer adds what covers something new to the folder that it is given.
  const corpus = join(found, 'corpus');
  await rm(corpus, { recursive: true, force: true });
  await cp(join(projectFolder, 'tests', 'fuzz', 'corpus', name), corpus, { recursive: true });
  const { code, stderr } = await runCommand(
    join(projectFolder, 'build', kPreset, `fuzz-${name}`),
    [
      ...[
        `-max_total_time=${seconds}`,
        `-timeout=${kMostSeconds}`,
        `-rss_limit_mb=${kMostMegabytes}`,
      ],
      ...[`-max_len=${kMostBytes}`, '-len_control=0', `-artifact_prefix=${found}/`],
      ...[`-seed=${seed}`, '-print_final_stats=1', corpus],
    ],
    {
      cwd: projectFolder,
      // Memory that is not there is the core's to notice.
      env: {
        ASAN_OPTIONS: 'allocator_may_return_null=1',
        UBSAN_OPTIONS: 'print_stacktrace=1',
      },
      capture: true,
      check: false,
    },
  );
  const number = (/** @type {RegExp} */ pattern) =>
    [...stderr.matchAll(pattern)].map((match) => Number(match[1])).at(-1) ?? 0;
  const edges = number(/\((\d+) inline 8-bit counters\)/g);
  const covered = `${number(/ cov: (\d+) /g)} of ${edges} edges, ${number(/ ft: (\d+) /g)} features`;
  return {
    inputs: number(/^stat::number_of_executed_units: *(\d+)$/gm),
    covered,
    failure: code === 0 ? undefined : stderr.slice(-8000),
  };
}
