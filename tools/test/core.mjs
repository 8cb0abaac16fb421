// SPDX-License-Identifier: MIT
//
// The C++ tests, natively under sanitizers and as wasm.

import { join } from 'node:path';

import { makeWasm } from '../build/wasm.mjs';
import { runCommand } from '../setup/command.mjs';
import { ensureDebianPackages, isDebian } from '../setup/debian.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { ccacheVariables } from '../setup/toolchain.mjs';
import { ensureXnnpackSources } from '../setup/xnnpack-sources.mjs';

/**
 * @param {string} preset of CMakePresets.json
 * @param {string} [only] tests, as GoogleTest's filter names them
 * @returns {Promise<import('./suites.mjs').Counts>}
 */
export async function runNative(preset, only = '*') {
  const sources = await ensureXnnpackSources();
  if (await isDebian()) {
    await ensureDebianPackages(['g++', 'cmake', 'ninja-build', 'ccache', 'googletest']);
  }
  const options = { cwd: projectFolder, env: ccacheVariables(), quiet: true };
  await runCommand('cmake', ['--preset', preset, `-DXNNPACK_SOURCE_DIR=${sources}`], options);
  await runCommand('cmake', ['--build', '--preset', preset], options);
  const program = join(projectFolder, 'build', preset, 'fastweights_tests-native');
  return runProgram(program, [`--gtest_filter=${only}`]);
}

/**
 * @param {string} build one of kBuilds
 * @param {string | string[]} node a Node that has what the build needs; with what runs it, if that is
 *     not this machine
 * @param {string} [only] tests, as GoogleTest's filter names them
 * @returns {Promise<import('./suites.mjs').Counts>}
 */
export async function runWasm(build, node, only = '*') {
  const target = `fastweights_tests-${build}`;
  const folder = await makeWasm(target, { tests: true });
  const [program, ...args] = [node].flat();
  return runProgram(program, [...args, join(folder, `${target}.cjs`), `--gtest_filter=${only}`]);
}

// Counts by GoogleTest's own closing lines.
/** @type {(program: string, args?: string[]) => Promise<import('./suites.mjs').Counts>} */
async function runProgram(program, args = []) {
  const { code, stdout, stderr } = await runCommand(program, args, {
    cwd: projectFolder,
    capture: true,
    check: false,
  });
  /** @param {string} word */
  const count = (word) =>
    [...stdout.matchAll(new RegExp(`\\[  ${word}  \\] (\\d+) tests?`, 'g'))].reduce(
      (sum, [, number]) => sum + Number(number),
      0,
    );
  const passed = count('PASSED');
  const failed = count('FAILED');
  if (code !== 0) process.stderr.write(`${stdout.slice(-20000)}\n${stderr.slice(-20000)}\n`);
  // A sanitizer ends the program before it can count.
  return { passed, failed: code !== 0 ? Math.max(failed, 1) : failed };
}
