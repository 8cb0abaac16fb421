// SPDX-License-Identifier: MIT
//
// node products-run.mjs MODULE WORK: times tests/bench in this engine, prints one JSON object.

import { shortest, wallMs } from './clock.mjs';

/**
 * @typedef {{ tokens: number, megabytes: number, ms: number, gbps: number, gops: number, fewGbps: number,
 *   manyGbps: number }} FromMemory fewGbps, manyGbps: by the places that it read from
 *     (cpp/formats/tile_streams.h); the others are of the faster way, which a model's passes find
 *
 * @typedef {object} ProductsFound
 * @property {number} int8Gops of weights of seven bits or fewer
 * @property {number} eightBitGops of weights of eight
 * @property {Record<number, number>} groupGops of the former, by the columns that share a scale
 * @property {Record<number, number>} unpackedGops of one token, by the bits that weights are taken apart from
 * @property {number} readGBps
 * @property {{ type: string, shape: string, gops: number }[]} many
 * @property {({ type: string } & FromMemory)[]} one
 * @property {{ type: string, by: FromMemory[] }[]} few
 * @property {{ type: string, tokens: number, ours: number, theirs: number }[]} dense
 * @property {{ type: string, form: string, mbps: number }[]} loads
 */

/** @type {Record<string, number>} */
const kTypes = {
  f32: 0,
  f16: 1,
  q4_0: 2,
  q4_1: 3,
  q5_0: 6,
  q5_1: 7,
  q8_0: 8,
  q2_k: 10,
  q3_k: 11,
  q4_k: 12,
  q5_k: 13,
  q6_k: 14,
  iq4_nl: 20,
  iq4_xs: 23,
  bf16: 30,
  mxfp4: 39,
};
// MatrixForm's, in order.
const kForms = ['stored', 'q8_0', 'q4_0', 'q4_k', 'qc8'];
const kShapes = [
  [64, 1024, 1024],
  [64, 4096, 1024],
  [64, 1024, 4096],
  [512, 2048, 1024],
];
// More than a processor's caches hold.
const kReadBytes = 768 * 2 ** 20;

const [path, given] = process.argv.slice(2);
/** @type {{ types: string[], repeat: number, bytes: number }} bytes: of the weights that a few tokens meet */
const { types, repeat, bytes: fewBytes } = JSON.parse(given);
const { default: create } = await import(path);
const module = await create();

/**
 * @param {number} bytes of memory that it takes
 * @param {number} rounds
 * @param {number} operations of a round
 * @param {(rounds: number, memory: number) => void} run
 */
function ceiling(bytes, rounds, operations, run) {
  const memory = module._Allocate(bytes);
  // Wasm functions are compiled well after many calls, not after one long one.
  for (let i = 0; i < 50; i++) run(1000, memory);
  const ms = shortest(() => run(rounds, memory), repeat);
  module._Free(memory);
  return (rounds * operations) / ms / 1e6;
}

/** @type {(bits: number) => number} */
const int8Gops = (bits) =>
  ceiling(256, 1e6, module._Int8OperationsOfARound(), (rounds, memory) =>
    module._Int8Operations(rounds, bits, memory, memory + 192),
  );

/** @param {number} columns that share a scale */
const groupGops = (columns) =>
  ceiling(256, 2e5, module._GroupOperationsOfARound(columns), (rounds, memory) =>
    module._GroupOperations(rounds, columns, memory, memory + 128, memory + 160),
  );

/** @param {number} bits that weights are taken apart from */
const unpackedGops = (bits) =>
  ceiling(384, 1e6, module._UnpackedOperationsOfARound(), (rounds, memory) =>
    module._UnpackedOperations(rounds, bits, memory, memory + 256),
  );

function readGBps() {
  const memory = module._Allocate(kReadBytes);
  for (let i = 0; i < 50; i++) module._ReadBytes(memory, 65536, 1);
  const best = Math.min(
    ...[1, 2, 4, 8].map((streams) =>
      shortest(() => module._ReadBytes(memory, kReadBytes, streams), 3),
    ),
  );
  module._Free(memory);
  return kReadBytes / best / 1e6;
}

/** @type {(type: string, rows: number, columns: number, tokens: number) => number} */
function make(type, rows, columns, tokens) {
  return type === 'qc8'
    ? module._MakeQc8Product(rows, columns, tokens)
    : module._MakeProduct(kTypes[type], rows, columns, tokens);
}

/** @type {<T>(product: number, use: (product: number) => T) => T} */
function withProduct(product, use) {
  try {
    for (let i = 0; i < 3; i++) module._RunProduct(product, 1);
    return use(product);
  } finally {
    module._FreeProduct(product);
  }
}

// `work` operations a run; many short runs find a moment when nothing else ran.
/** @type {(product: number, shape: number[], work?: number, runs?: number) => number} */
function gops(product, [tokens, rows, columns], work = 3e9, runs = repeat) {
  const operations = 2 * tokens * rows * columns;
  const times = Math.max(1, Math.round(work / operations));
  return withProduct(product, () => {
    const ms = shortest(() => module._RunProduct(product, times), runs) / times;
    return operations / ms / 1e6;
  });
}

/** @type {(product: number, reading: number) => number} */
function readOnce(product, reading) {
  module._SetReading(product, reading);
  return wallMs(() => module._RunProduct(product, 1));
}

// Rows for so many bytes that no cache holds them.
/** @type {(type: string, tokens: number, size: number) => FromMemory} */
function fromMemory(type, tokens, size) {
  const columns = 1024;
  const rowBytes = withProduct(make(type, 1024, columns, 1), module._ProductBytes) / 1024;
  const rows = Math.round(size / rowBytes / 64) * 64;
  return withProduct(make(type, rows, columns, tokens), (product) => {
    const bytes = module._ProductBytes(product);
    // In turns, so that whatever else the machine does meets both.
    const turns = Array.from({ length: repeat }, () => [0, 1].map((of) => readOnce(product, of)));
    const [few, many] = [0, 1].map((of) => Math.min(...turns.map((turn) => turn[of])));
    const ms = Math.min(few, many);
    const operations = 2 * tokens * rows * columns;
    return {
      tokens,
      megabytes: bytes / 1e6,
      ms,
      gbps: bytes / ms / 1e6,
      gops: operations / ms / 1e6,
      fewGbps: bytes / few / 1e6,
      manyGbps: bytes / many / 1e6,
    };
  });
}

const many = types.flatMap((type) =>
  kShapes.map(([tokens, rows, columns]) => {
    const shape = [tokens, rows, columns];
    return {
      type,
      shape: shape.join(' x '),
      gops: gops(make(type, rows, columns, tokens), shape),
    };
  }),
);
const one = types.map((type) => ({ type, ...fromMemory(type, 1, 500e6) }));
// Texts that are written together.
const few = types.map((type) => ({
  type,
  by: [1, 2, 3, 4, 6, 8, 12, 16].map((tokens) => fromMemory(type, tokens, fewBytes)),
}));
// What cpp/formats/kernel_choice.h is made from.
const dense = types
  .filter((type) => ['f32', 'f16', 'bf16'].includes(type))
  .flatMap((type) =>
    [1, 2, 3, 4, 6, 8, 12, 16, 64].map((tokens) => {
      const [rows, columns] = [4096, 1024];
      const [theirs, ours] = [false, true].map((isOurs) => {
        const product = module._MakeDenseProduct(kTypes[type], isOurs, rows, columns, tokens);
        return gops(product, [tokens, rows, columns], 1e8, 10 * repeat);
      });
      return { type, tokens, ours, theirs };
    }),
  );
// From what a file has to what products take.
const loads = types
  .filter((type) => type !== 'qc8')
  .flatMap((type) =>
    (['f32', 'f16', 'bf16'].includes(type) ? kForms : ['stored']).map((form) => {
      const load = () => module._LoadMatrix(kTypes[type], kForms.indexOf(form), 1024, 4096);
      const bytes = load();
      return { type, form, mbps: bytes / shortest(load, repeat) / 1e3 };
    }),
  );
const ceilings = {
  int8Gops: int8Gops(7),
  eightBitGops: int8Gops(8),
  groupGops: Object.fromEntries([256, 128, 32, 16].map((columns) => [columns, groupGops(columns)])),
  unpackedGops: Object.fromEntries([2, 3, 4, 5, 6].map((bits) => [bits, unpackedGops(bits)])),
  readGBps: readGBps(),
};
process.stdout.write(`${JSON.stringify({ ...ceilings, many, one, few, dense, loads })}\n`);
