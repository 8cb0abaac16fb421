// SPDX-License-Identifier: MIT
//
// node kernels-run.mjs MODULE WORK: times kernels of tests/bench in this engine, prints one JSON
// object.

import { shortest } from './clock.mjs';

/**
 * @typedef {object} Ceilings
 * @property {number} gflops
 * @property {number} oneHeadGBps
 * @property {number} allHeadsGBps
 *
 * @typedef {object} KernelFound
 * @property {string} rule
 * @property {string} form
 * @property {number} operations a token
 * @property {number} bytes of state a token
 * @property {number[]} ns a token, by the tokens of a call
 *
 * @typedef {Ceilings & { tokens: number[], kernels: KernelFound[] }} KernelsFound
 */

const [path, given] = process.argv.slice(2);
/** @type {{ tokens: number[], repeat: number }} */
const { tokens, repeat } = JSON.parse(given);
const { default: create } = await import(path);
const module = await create();

// What one sample takes about.
const kSampleMs = 10;
const kStates = { one: 64 * 1024, all: 1024 * 1024 };

function peakGflops() {
  const memory = module._Allocate(64);
  // Near one and near nothing, so that no sum grows.
  new Float32Array(module.HEAPU8.buffer, memory, 8).fill(0.5);
  // Wasm functions are compiled well after many calls, not after one long one.
  for (let i = 0; i < 50; i++) module._FloatOperations(1000, memory);
  const rounds = 1e6;
  const ms = shortest(() => module._FloatOperations(rounds, memory), repeat);
  module._Free(memory);
  return (rounds * module._FloatOperationsOfARound()) / ms / 1e6;
}

// Reads and writes of so many bytes that stay in caches, both counted.
/** @param {number} bytes */
function cacheGBps(bytes) {
  const memory = module._Allocate(bytes);
  new Float32Array(module.HEAPU8.buffer, memory, bytes / 4).fill(0);
  for (let i = 0; i < 50; i++) module._ReadAndWriteBytes(memory, bytes, 1);
  const times = Math.round(3e8 / bytes);
  const ms = shortest(() => module._ReadAndWriteBytes(memory, bytes, times), repeat);
  module._Free(memory);
  return (2 * bytes * times) / ms / 1e6;
}

/** @param {number} address */
function text(address) {
  const end = module.HEAPU8.indexOf(0, address);
  return new TextDecoder().decode(module.HEAPU8.slice(address, end));
}

/** @type {(kernel: number, count: number) => number} */
function nanosecondsPerToken(kernel, count) {
  const run = module._MakeKernel(kernel, count);
  const once = () => {
    const start = performance.now();
    module._RunKernel(run, 1);
    return performance.now() - start;
  };
  let fastest = once();
  for (let i = 0, spent = 0; i < 50 && spent < 10 * kSampleMs; i++) {
    const ms = once();
    spent += ms;
    fastest = Math.min(fastest, ms);
  }
  // Eight tokens make a chunk, so that each of them is there equally often.
  const times = Math.ceil(Math.max(1, kSampleMs / Math.max(fastest, 0.001)) / 8) * 8;
  const calls = count % 8 === 0 ? Math.ceil(times / 8) : times;
  const ms = shortest(() => module._RunKernel(run, calls), repeat);
  module._FreeKernel(run);
  return (1e6 * ms) / calls / count;
}

// Before, between and after: clocks of shared machines vary.
/** @type {Ceilings[]} */
const ceilings = [];
const measureCeilings = () =>
  ceilings.push({
    gflops: peakGflops(),
    oneHeadGBps: cacheGBps(kStates.one),
    allHeadsGBps: cacheGBps(kStates.all),
  });
/** @type {KernelFound[]} */
const kernels = [];
measureCeilings();
const count = module._KernelCount();
for (let i = 0; i < count; i++) {
  if (i === count >> 1) measureCeilings();
  kernels.push({
    rule: text(module._KernelName(i)),
    form: text(module._KernelForm(i)),
    operations: module._KernelOperations(i),
    bytes: module._KernelBytes(i),
    ns: tokens.map((tokensOfACall) => nanosecondsPerToken(i, tokensOfACall)),
  });
}
measureCeilings();
/** @param {keyof Ceilings} name */
const most = (name) => Math.max(...ceilings.map((found) => found[name]));
process.stdout.write(
  JSON.stringify({
    tokens,
    gflops: most('gflops'),
    oneHeadGBps: most('oneHeadGBps'),
    allHeadsGBps: most('allHeadsGBps'),
    kernels,
  }),
);
