// SPDX-License-Identifier: MIT
//
// The C++ tests as wasm, in Node on ARM64, whose relaxed dot product takes the eighth bit as a sign.

import { ensureArm64Node } from '../setup/arm64.mjs';
import { runWasm } from './core.mjs';

// What takes most of the time under an emulator, and multiplies no weights or those that others do.
const kLong = [
  '*LinearRecurrenceForms*',
  '*LinearRecurrenceLongTexts*',
  '*TitansForms*',
  '*NormaliserForm*',
  '*Checkpoints*',
  '*CorpusTest*',
  '*Guesses*',
  '*NoMemory*',
  '*RandomOperations*',
  '*SeenStates*',
  '*SessionLaws*',
  'LeastSquaresGain.*',
  'Sampler.*',
  'SoftmaxAttentionStreaming.*',
  'TttLinear.*',
];

/**
 * In a Node on a processor without the int8 dot product and a newer one on a processor with it; where
 * no build needs to know, only in the latter. `slow` leaves nothing out.
 *
 * @param {string} build one of kBuilds
 * @param {import('./suites.mjs').Variant} variant
 * @returns {Promise<import('./suites.mjs').Counts>}
 */
export async function runArm64(build, { slow }) {
  const nodes = [await ensureArm64Node(26, 'dot')];
  if (slow || build.startsWith('relaxed')) nodes.unshift(await ensureArm64Node(24, 'no dot'));
  const total = { passed: 0, failed: 0 };
  for (const node of nodes) {
    const { passed, failed } = await runWasm(build, node, slow ? '*' : `-${kLong.join(':')}`);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}
