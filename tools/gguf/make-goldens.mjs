#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain, runCommand } from './command-line.mjs';
import { dequantise } from './dequantise.mjs';
import { encodeFloat16 } from './float-formats.mjs';
import { quantise } from './quantise.mjs';
import { RandomStream } from './random.mjs';
import { tensorTypes } from './types.mjs';

/** Where the goldens live in this repository. */
export const goldenFolder = fileURLToPath(new URL('../../tests/golden/formats', import.meta.url));

// Enough blocks to show every code value, and that blocks follow one another without a gap.
/** @type {Record<string, number>} */
const blockCounts = { F32: 32, F16: 64, BF16: 64, Q8_0: 16 };
/** @type {Record<number, number>} */
const defaultBlockCounts = { 32: 6, 256: 2 };

// Where a block keeps half-precision scales. All other bytes of a block type may have any value.
/** @type {Record<string, number[]>} */
const scaleOffsets = {
  Q4_0: [0],
  Q4_1: [0, 2],
  Q5_0: [0],
  Q5_1: [0, 2],
  Q8_0: [0],
  Q2_K: [80, 82],
  Q3_K: [108],
  Q4_K: [0, 2],
  Q5_K: [0, 2],
  Q6_K: [208],
  IQ4_NL: [0],
  IQ4_XS: [0],
};

// The exponents of MXFP4's blocks: the least two are subnormal as single precision.
const exponents = [0, 1, 60, 120, 127, 250];

// Exponents whose all-ones pattern is not a number: clearing one bit makes any code finite.
/** @type {Record<string, [offset: number, bit: number]>} */
const exponentBits = { F32: [3, 0x40], F16: [1, 0x40], BF16: [1, 0x40] };

/** @type {(type: import('./types.mjs').TensorType, count: number) => Uint8Array} */
function goldenBlocks({ name, bytes: blockBytes }, count) {
  const random = new RandomStream('goldens', name);
  const bytes = random.bytes(count * blockBytes);
  // The first scale is the smallest subnormal, the others are small, of either sign.
  const scales = random.uniform(count * 2, -0.01, 0.01);
  scales[0] = 2 ** -24;
  for (let block = 0; block < count; block++) {
    const at = block * blockBytes;
    (scaleOffsets[name] ?? []).forEach((offset, i) => {
      const code = encodeFloat16(scales[2 * block + i]);
      bytes[at + offset] = code;
      bytes[at + offset + 1] = code >> 8;
    });
    if (name === 'MXFP4') bytes[at] = exponents[block];
    if (exponentBits[name]) {
      const [offset, bit] = exponentBits[name];
      bytes[at + offset] &= ~bit;
    }
  }
  return bytes;
}

/** @param {Float64Array} values */
function littleEndianDoubles(values) {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (const [i, value] of values.entries()) view.setFloat64(8 * i, value, true);
  return new Uint8Array(view.buffer);
}

/**
 * For every type, blocks and the weights they mean: a file with the bytes of the blocks and then the weights as
 * little-endian float64, and a manifest that tells the places.
 * @returns {Map<string, Uint8Array>} contents by file name
 */
export function makeGoldens() {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  const manifest = [];
  for (const type of Object.values(tensorTypes)) {
    const blocks = blockCounts[type.name] ?? defaultBlockCounts[type.elements];
    const count = blocks * type.elements;
    const bytes = goldenBlocks(type, blocks);
    const values = littleEndianDoubles(dequantise(type.name, bytes, count));
    const file = `${type.name.toLowerCase()}.bin`;
    files.set(file, new Uint8Array([...bytes, ...values]));
    manifest.push({
      type: type.name,
      id: type.id,
      count,
      file,
      bytesOffset: 0,
      bytes: bytes.length,
      valuesOffset: bytes.length,
      values: 'float64',
    });
  }
  const lines = manifest.map((entry) => `  ${JSON.stringify(entry)}`);
  files.set('manifest.json', new TextEncoder().encode(`[\n${lines.join(',\n')}\n]\n`));
  return files;
}

/** Where those of the quantisers live. */
export const quantisedFolder = fileURLToPath(
  new URL('../../tests/golden/quantised', import.meta.url),
);

/** Types that matrices are quantised to as they load. */
const quantisedTypes = ['Q8_0', 'Q4_0', 'Q5_0', 'Q4_K'];

// Superblocks of all that a quantiser may meet.
function quantisedValues() {
  const random = new RandomStream('goldens', 'quantised');
  /** @type {(weight: (i: number) => number) => Float32Array} */
  const superblock = (weight) => Float32Array.from({ length: 256 }, (_, i) => weight(i));
  const normal = random.normal(256 * 4, 0.03);
  return [
    Float32Array.from(normal),
    superblock(() => 0),
    superblock(() => 0.75),
    superblock(() => -0.75),
    superblock((i) => (i % 64 === 3 ? 1.5 : 0)),
    superblock((i) => (i % 64 === 3 ? -1.5 : 0)),
    // Far from zero, beside how far from each other.
    superblock((i) => normal[i] - 1),
    superblock((i) => normal[i] + 1),
    // Halves of codes.
    superblock((i) => (i % 32 === 0 ? 127 : (i % 32) - 15.5)),
    // Both ends as far from zero.
    superblock((i) => (i % 16) - 7.5),
    // Scales that are subnormal as halves, that are none, and whose inverse is none.
    superblock((i) => normal[i] * 1e-5),
    superblock((i) => normal[i] * 1e-9),
    superblock((i) => normal[i] * 1e-38),
    // Scales that no half holds.
    superblock((i) => normal[i] * 1e9),
  ].flatMap((values) => [...values]);
}

/**
 * Values as little-endian float32, and for each type its name in lower case and their blocks.
 * @returns {Map<string, Uint8Array>} contents by file name
 */
export function makeQuantised() {
  const values = Float32Array.from(quantisedValues());
  return new Map([
    ['values.bin', quantise('F32', values)],
    ...quantisedTypes.map(
      (type) => /** @type {const} */ ([`${type.toLowerCase()}.bin`, quantise(type, values)]),
    ),
  ]);
}

function main() {
  for (const [folder, files] of /** @type {const} */ ([
    [goldenFolder, makeGoldens()],
    [quantisedFolder, makeQuantised()],
  ])) {
    mkdirSync(folder, { recursive: true });
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  }
}

if (isMain(import.meta.url)) runCommand(main);
