// SPDX-License-Identifier: MIT
//
// npm test: everything, from nothing. Words after `--` pick suites by the start of their names
// (npm test -- api browser). The last line is 'N passed, N failed'.

import { build } from './build.mjs';
import { ensureChromium } from './setup/chromium.mjs';
import { ensureNode24 } from './setup/node24.mjs';
import { step } from './setup/step.mjs';
import { ensureXnnpackSources } from './setup/xnnpack-sources.mjs';
import { runNative, runWasm } from './test/core.mjs';
import { runJest } from './test/jest.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */

async function runBrowser() {
  await ensureChromium();
  return runJest(['tests/browser']);
}

/** @type {[name: string, run: () => Promise<Counts>][]} */
const kSuites = [
  ['native', async () => runNative('native-asan', await ensureXnnpackSources())],
  ['native tsan', async () => runNative('native-tsan', await ensureXnnpackSources())],
  ['wasm simd128', async () => runWasm(await ensureXnnpackSources(), 'simd128', process.execPath)],
  [
    'wasm simd128-threads',
    async () => runWasm(await ensureXnnpackSources(), 'simd128-threads', process.execPath),
  ],
  ...['relaxed', 'relaxed-threads'].map((build) => [
    `wasm ${build}`,
    async () => runWasm(await ensureXnnpackSources(), build, await ensureNode24()),
  ]),
  ['web', () => runJest(['tests/web'])],
  ['tools', () => runJest(['tests/tools'])],
  ['api', () => runJest(['tests/api'])],
  ['api on Node 24', async () => runJest(['tests/api'], await ensureNode24())],
  ['adapters', () => runJest(['tests/adapters'])],
  ['browser', runBrowser],
  ['package', () => runJest(['tests/package'])],
];

const wanted = process.argv.slice(2);
const suites = kSuites.filter(
  ([name]) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
);
if (suites.length === 0) throw new Error(`no suite is called ${wanted.join(', ')}`);

await build();
const total = { passed: 0, failed: 0 };
const lines = [];
for (const [name, run] of suites) {
  const counts = await step(name, run).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    return { passed: 0, failed: 1 };
  });
  total.passed += counts.passed;
  total.failed += counts.failed;
  lines.push(`${name}: ${counts.passed} passed, ${counts.failed} failed`);
}
process.stdout.write(`\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
