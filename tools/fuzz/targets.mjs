// SPDX-License-Identifier: MIT
//
// Every target by name, and how it is run.

import { step } from '../setup/step.mjs';
import { buildNative, fuzzNative } from './native.mjs';
import { fuzzWeb } from './web.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} inputs that were run
 * @property {string} [covered] where that is known
 * @property {string} [failure] what the first input that fails says
 */

// tests/fuzz/NAME.cc
const kNative = ['model', 'sampler', 'session', 'tiles'];
// tests/fuzz/web/NAME.js
const kWeb = ['gguf', 'http', 'regex', 'safetensors', 'saved', 'schema', 'template', 'tokenizer'];

export const kTargets = [...kNative, ...kWeb];

/**
 * Gives each target so many seconds. TypeScript is compiled by then: other suites may be reading it.
 *
 * @param {string[]} names of kTargets
 * @param {number} seconds
 * @param {number} [seed] makes the same inputs again, in the same order; any by default
 * @returns {Promise<{ passed: number, failed: number }>} targets
 */
export async function fuzz(names, seconds, seed = 1 + Math.floor(Math.random() * (2 ** 31 - 1))) {
  const native = names.filter((name) => kNative.includes(name));
  if (native.length > 0) await step('building the fuzzers', () => buildNative(native));
  const counts = { passed: 0, failed: 0 };
  for (const name of names) {
    const run = kNative.includes(name) ? fuzzNative : fuzzWeb;
    const { inputs, covered, failure } = await run(name, seconds, seed);
    const rate = Math.round(inputs / seconds);
    const what = [`${inputs} inputs`, `${rate} a second`, ...(covered ? [covered] : [])].join(', ');
    process.stdout.write(`${failure === undefined ? 'ok   ' : 'FAIL '} ${name}: ${what}\n`);
    if (failure !== undefined) {
      process.stdout.write(`${failure}\nThe input is in build/fuzz/${name}; --seed ${seed}\n`);
    }
    counts[failure === undefined ? 'passed' : 'failed'] += 1;
  }
  return counts;
}
