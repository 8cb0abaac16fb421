// SPDX-License-Identifier: MIT
//
// Everything that `npm test` runs: one line a suite.
//
// A suite runs in a process of its own, beside one other suite, and in any order: it takes any free
// port, writes into folders of its own, and asks for what it needs to be installed. Long ones come
// first, so that none is left running by itself at the end.

import { engineNamed } from '../browsers/engines.mjs';
import { fuzz, kTargets } from '../fuzz/targets.mjs';
import { ensureChromium } from '../setup/chromium.mjs';
import { ensureNode24 } from '../setup/node24.mjs';
import { runArm64 } from './arm64.mjs';
import { runNative, runWasm } from './core.mjs';
import { runJest } from './jest.mjs';

/**
 * @typedef {{ passed: number, failed: number }} Counts
 *
 * @typedef {object} Variant
 * @property {boolean} slow whether to run what takes minutes, too (`npm test -- --slow`); Jest's tests
 *     see it as FASTWEIGHTS_SLOW=1
 *
 * @typedef {object} Needs
 * @property {boolean} [alone] it holds speed or memory against a limit: nothing else runs meanwhile
 * @property {boolean} [slow] left out but by `--slow`
 *
 * @typedef {[name: string, run: (variant: Variant) => Promise<Counts>, needs?: Needs]} Suite
 */

const kThreads = 'tests/browser/threads.test.js';
const kPageThread = 'tests/browser/chromium/main-thread.test.js';
// Tests that no other engine's driver can make, or whose result no engine changes.
const kChromiumAlone = 'tests/browser/chromium/';

const kFuzzSeconds = 20;
const kFuzzSeed = 1; // a target

/** @type {Suite[]} */
export const kSuites = [
  ['native', () => runNative('native-asan')],
  // Where there is one thread there is no race to be found, in ten times the time.
  ['native tsan', () => runNative('native-tsan', '*Thread*')],
  // The same inputs each time, as many as the time allows, those that failed once first: `npm run fuzz`
  // tries others.
  ['fuzz', () => fuzz(kTargets, kFuzzSeconds, kFuzzSeed)],
  ['wasm simd128', () => runWasm('simd128', process.execPath)],
  ['wasm simd128-threads', () => runWasm('simd128-threads', process.execPath)],
  ['wasm relaxed', async () => runWasm('relaxed', await ensureNode24())],
  ['wasm relaxed-threads', async () => runWasm('relaxed-threads', await ensureNode24())],
  ['arm64 relaxed', (variant) => runArm64('relaxed', variant)],
  ['arm64 simd128', (variant) => runArm64('simd128', variant)],
  ['arm64 generate', () => runJest(['tests/arm64'])],
  ['browser', () => runInChromium(['tests/browser'], { except: kPageThread })],
  ['browser firefox', () => runInEngine('firefox')],
  ['browser webkit', () => runInEngine('webkit', `|${kThreads}`)],
  // WebKitGTK has shared memory by a flag of its makers' only, and with it sometimes hangs.
  ['browser webkit threads', () => runInEngine('webkit', '', kThreads), { slow: true }],
  ['api', () => runJest(['tests/api'])],
  ['api on Node 24', async () => runJest(['tests/api'], { node: await ensureNode24() })],
  ['web', () => runJest(['tests/web'])],
  ['tools', () => runJest(['tests/tools'])],
  ['adapters', () => runJest(['tests/adapters'])],
  ['docs', () => runJest(['tests/docs'])],
  ['hosts', () => runJest(['tests/package/hosts'])],
  ['bundlers', () => runInChromium(['tests/package/bundlers'])],
  ['package', () => runJest(['tests/package/package.test.js'])],
  ['browser main-thread', () => runInChromium([kPageThread]), { alone: true }],
];

/** @type {(files: string[], options?: Parameters<typeof runJest>[1]) => Promise<Counts>} */
async function runInChromium(files, options) {
  await ensureChromium();
  return runJest(files, options);
}

/**
 * @param {string} name
 * @param {string} [more] beside what is Chromium's alone, for the pattern of what is left out
 * @param {string} [files]
 */
async function runInEngine(name, more = '', files = 'tests/browser') {
  await engineNamed(name).ensure();
  return runJest([files], { except: kChromiumAlone + more, env: { BROWSER_ENGINE: name } });
}
