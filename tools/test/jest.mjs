// SPDX-License-Identifier: MIT

import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';

/**
 * Runs Jest on some folders.
 *
 * @param {string[]} folders
 * @param {string} [node] the Node to run it with
 * @returns {Promise<import('../test.mjs').Counts>}
 */
export async function runJest(folders, node = process.execPath) {
  const report = join(projectFolder, 'build', 'jest.json');
  await mkdir(join(projectFolder, 'build'), { recursive: true });
  await rm(report, { force: true });
  const jest = join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');
  // One file at a time: speed limits and memory figures must not meet other tests.
  const args = [
    '--experimental-vm-modules',
    jest,
    '--runInBand',
    '--json',
    `--outputFile=${report}`,
  ];
  await runCommand(node, [...args, ...folders], {
    cwd: projectFolder,
    env: { NODE_NO_WARNINGS: '1' },
    check: false,
  });
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
    await readFile(report, 'utf8'),
  );
  if (testResults.length === 0) throw new Error(`no tests in ${folders.join(', ')}`);
  // A file that does not load fails no test, but fails.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, numFailedTestSuites && 1) + broken,
  };
}
