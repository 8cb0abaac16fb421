// SPDX-License-Identifier: MIT

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';

/**
 * Runs Jest on some files and folders, one file at a time.
 *
 * @param {string[]} paths
 * @param {{ node?: string, except?: string, env?: Record<string, string> }} [options] the Node to run
 *     it with, a pattern of files that are left out, and additions to the environment
 * @returns {Promise<import('./suites.mjs').Counts>}
 */
export async function runJest(paths, { node = process.execPath, except, env } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'jest-report-'));
  const report = join(folder, 'report.json');
  try {
    await runCommand(
      node,
      [
        '--experimental-vm-modules',
        join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js'),
        ...paths,
        '--runInBand',
        // For machines that are busy with other things; what waits for more says so.
        '--testTimeout=60000',
        '--json',
        `--outputFile=${report}`,
        // The last one: it takes whatever words follow it for more patterns.
        ...(except ? [`--testPathIgnorePatterns=${except}`] : []),
      ],
      { cwd: projectFolder, env: { NODE_NO_WARNINGS: '1', ...env }, check: false },
    );
    return count(JSON.parse(await readFile(report, 'utf8')), paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What Jest's JSON says.
 * @typedef {object} JestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numFailedTestSuites
 * @property {{ status: string, assertionResults: unknown[] }[]} testResults
 */

/** @type {(report: JestReport, paths: string[]) => import('./suites.mjs').Counts} */
function count({ numPassedTests, numFailedTests, numFailedTestSuites, testResults }, paths) {
  if (testResults.length === 0) throw new Error(`no tests in ${paths.join(', ')}`);
  // A file that does not load fails no test, but fails.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, numFailedTestSuites && 1) + broken,
  };
}
