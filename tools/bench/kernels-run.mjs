// SPDX-License-Identifier: MIT
//
// node kernels-run.mjs MODULE WORK: times kernels of tests/bench in this engine, prints one JSON
// object.

const [path, given] = process.argv.slice(2);
const { tokens, repeat } = JSON.parse(given);
const { default: create } = await import(path);
const module = await create();

// What one sample takes about.
const kSampleMs = 10;
const kStates = { one: 64 * 1024, all: 1024 * 1024 };

// Best of many: what else the machine does only ever adds.
function milliseconds(run) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeat; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function peakGflops() {
  const memory = module._Allocate(64);
  // Near one and near nothing, so that no sum grows.
  new Float32Array(module.HEAPU8.buffer, memory, 8).fill(0.5);
  // Wasm functions are compiled well after many calls, not after one long one.
  for (let i = 0; i < 50; i++) module._FloatOperations(1000, memory);
  const rounds = 1e6;
  const ms = milliseconds(() => module._FloatOperations(rounds, memory));
  module._Free(memory);
  return (rounds * module._FloatOperationsOfARound()) / ms / 1e6;
}

// Reads and writes of so many bytes that stay in caches, both counted.
function cacheGBps(bytes) {
  const memory = module._Allocate(bytes);
  new Float32Array(module.HEAPU8.buffer, memory, bytes / 4).fill(0);
  for (let i = 0; i < 50; i++) module._ReadAndWriteBytes(memory, bytes, 1);
  const times = Math.round(3e8 / bytes);
  const ms = milliseconds(() => module._ReadAndWriteBytes(memory, bytes, times));
  module._Free(memory);
  return (2 * bytes * times) / ms / 1e6;
}

function text(address) {
  const end = module.HEAPU8.indexOf(0, address);
  return new TextDecoder().decode(module.HEAPU8.slice(address, end));
}

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
  const ms = milliseconds(() => module._RunKernel(run, calls));
  module._FreeKernel(run);
  return (1e6 * ms) / calls / count;
}

// Before, between and after: clocks of shared machines vary.
const ceilings = [];
const measureCeilings = () =>
  ceilings.push({
    gflops: peakGflops(),
    oneHeadGBps: cacheGBps(kStates.one),
    allHeadsGBps: cacheGBps(kStates.all),
  });
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
