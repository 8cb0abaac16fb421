// SPDX-License-Identifier: MIT
//
// Both sides in one engine, in turns.

import { median } from '../clock.mjs';
import { kRules, sharedInputs } from './rules.js';
import { ours, theirs } from './sides.js';

/** @import { Side } from './sides.js' */

// Calls of one sample take about this long, so that clocks of 0.1 ms will do.
const kSampleMs = 20;
const kMostDifference = 1e-4;

/**
 * @typedef {object} Compared
 * @property {string} rule
 * @property {number} tokens of a call
 * @property {number} oursMs a call
 * @property {number} theirsMs a call
 * @property {number} difference of results and states, relative to their size
 */

/**
 * @param {typeof import('fastweights').AssociativeMemory} AssociativeMemory
 * @param {any} ort onnxruntime-web
 * @param {{ tokens: number[], repeat: number }} work
 * @returns {Promise<Compared[]>} medians of `repeat` samples each
 * @throws when the two do not compute the same
 */
export async function compare(AssociativeMemory, ort, { tokens, repeat }) {
  const found = [];
  for (const rule of kRules) {
    for (const count of tokens) {
      const inputs = sharedInputs(rule, count);
      const sides = [
        await ours(AssociativeMemory, rule, count, inputs),
        await theirs(ort, rule, count, inputs),
      ];
      const difference = await check(sides, `${rule.name}, ${count} tokens`);
      const [oursMs, theirsMs] = await time(sides, repeat);
      for (const side of sides) await side.end();
      found.push({ rule: rule.name, tokens: count, oursMs, theirsMs, difference });
    }
  }
  return found;
}

/**
 * Three calls one after another, so that the state matters.
 * @type {(sides: Side[], what: string) => Promise<number>}
 */
async function check(sides, what) {
  let worst = 0;
  for (let i = 0; i < 3; i++) {
    const [a, b] = [await sides[0].run(), await sides[1].run()];
    worst = Math.max(worst, differenceOf(a, b));
  }
  worst = Math.max(worst, differenceOf(sides[0].state(), sides[1].state()));
  if (worst < kMostDifference) return worst;
  throw new Error(`${what}: the results differ by ${worst.toExponential(1)} of their size`);
}

/** @type {(a: Float32Array, b: Float32Array) => number} */
function differenceOf(a, b) {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let [apart, size] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    apart += (a[i] - b[i]) ** 2;
    size += b[i] ** 2;
  }
  return Math.sqrt(apart / size);
}

/**
 * Medians of milliseconds a call.
 * @type {(sides: Side[], repeat: number) => Promise<number[]>}
 */
async function time(sides, repeat) {
  // Compilers of engines are done by then; and how many calls a sample has.
  const calls = [];
  for (const side of sides) {
    const start = performance.now();
    let count = 0;
    while (count < 3 || performance.now() - start < 10 * kSampleMs) {
      await side.run();
      count++;
    }
    calls.push(Math.max(1, Math.round(count / 10)));
  }
  /** @type {number[][]} */
  const samples = sides.map(() => []);
  for (let turn = 0; turn < repeat; turn++) {
    for (const [i, side] of sides.entries()) {
      const start = performance.now();
      for (let call = 0; call < calls[i]; call++) await side.run();
      samples[i].push((performance.now() - start) / calls[i]);
    }
  }
  return samples.map(median);
}
