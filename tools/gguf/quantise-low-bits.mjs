// SPDX-License-Identifier: MIT
import { affineCodes, clamp, fitScale, fitScaleAndMinimum, wholeParts } from './fit-scales.mjs';
import { roundHalfToEven, writeFloat16 } from './float-formats.mjs';
import { bestNonlinearScale, nearestLevel } from './quantise-blocks.mjs';

/** @import { BlockWriter } from './quantise-blocks.mjs' */

const { abs, fround, max } = Math;

const codes = new Uint8Array(256);

// Two bits of four codes, 32 apart, in a byte.
/** @type {(bytes: Uint8Array, at: number) => void} */
function packPairs(bytes, at) {
  for (let n = 0; n < 2; n++) {
    for (let l = 0; l < 32; l++) {
      const [a, b, c, e] = [0, 32, 64, 96].map((quarter) => codes[128 * n + quarter + l] & 3);
      bytes[at + 32 * n + l] = a | (b << 2) | (c << 4) | (e << 6);
    }
  }
}

/** @type {BlockWriter} */
function q2_kBlock(values, from, bytes, at) {
  const fits = Array.from({ length: 16 }, (_, j) =>
    fitScaleAndMinimum(values, from + 16 * j, 16, 3),
  );
  const d = writeFloat16(bytes, at + 80, fround(max(...fits.map((fit) => fit.scale)) / 15));
  const dmin = writeFloat16(bytes, at + 82, fround(max(0, ...fits.map((fit) => fit.minimum)) / 15));
  for (const [j, fit] of fits.entries()) {
    const scale = wholeParts(fit.scale, d, 15);
    const minimum = wholeParts(fit.minimum, dmin, 15);
    bytes[at + j] = scale | (minimum << 4);
    affineCodes(values, from + 16 * j, d * scale, dmin * minimum, 3, codes, 16 * j, 16);
  }
  packPairs(bytes, at + 16);
}

// Six-bit scales, 32 more than they are, and what multiplies them.
/** @type {(fits: number[], bytes: Uint8Array, at: number) => { d: number, scales: number[] }} */
function sixBitScales(fits, bytes, at) {
  const largest = fits.reduce((a, b) => (abs(b) > abs(a) ? b : a), 0);
  const d = writeFloat16(bytes, at, largest / -32);
  const scales = fits.map((fit) => (d === 0 ? 0 : clamp(roundHalfToEven(fit / d), -32, 31)) + 32);
  return { d, scales };
}

/** @type {BlockWriter} */
function q3_kBlock(values, from, bytes, at) {
  const fits = Array.from({ length: 16 }, (_, j) => fitScale(values, from + 16 * j, 4));
  const { d, scales } = sixBitScales(fits, bytes, at + 108);
  for (let j = 0; j < 8; j++) bytes[at + 96 + j] = (scales[j] & 15) | ((scales[j + 8] & 15) << 4);
  for (let j = 0; j < 4; j++) {
    const [a, b, c, e] = [0, 4, 8, 12].map((k) => scales[j + k] >> 4);
    bytes[at + 104 + j] = a | (b << 2) | (c << 4) | (e << 6);
  }
  for (let l = 0; l < 256; l++) {
    const scale = d * (scales[l >> 4] - 32);
    const inverse = scale === 0 ? 0 : 1 / scale;
    codes[l] = clamp(roundHalfToEven(values[from + l] * inverse), -4, 3) + 4;
  }
  for (let l = 0; l < 32; l++) {
    let thirdBits = 0;
    for (let j = 0; j < 8; j++) thirdBits |= (codes[32 * j + l] >> 2) << j;
    bytes[at + l] = thirdBits;
  }
  packPairs(bytes, at + 32);
}

/** @type {BlockWriter} */
function iq4_xsBlock(values, from, bytes, at) {
  const fits = Array.from({ length: 8 }, (_, j) => bestNonlinearScale(values, from + 32 * j));
  const { d, scales } = sixBitScales(fits, bytes, at);
  let upper = 0;
  for (let j = 0; j < 8; j++) upper |= (scales[j] >> 4) << (2 * j);
  bytes[at + 2] = upper;
  bytes[at + 3] = upper >> 8;
  for (let j = 0; j < 4; j++) {
    bytes[at + 4 + j] = (scales[2 * j] & 15) | ((scales[2 * j + 1] & 15) << 4);
  }
  for (let j = 0; j < 8; j++) {
    const scale = d * (scales[j] - 32);
    const inverse = scale === 0 ? 0 : 1 / scale;
    /** @param {number} l */
    const code = (l) => nearestLevel(values[from + 32 * j + l] * inverse);
    for (let l = 0; l < 16; l++) bytes[at + 8 + 16 * j + l] = code(l) | (code(l + 16) << 4);
  }
}

/** @type {Record<string, BlockWriter>} */
export const lowBitQuantisers = { Q2_K: q2_kBlock, Q3_K: q3_kBlock, IQ4_XS: iq4_xsBlock };
