// SPDX-License-Identifier: MIT
import { affineCodes, clamp, fitScale, fitScaleAndMinimum, wholeParts } from './fit-scales.mjs';
import { roundHalfToEven, writeFloat16 } from './float-formats.mjs';
import { lowBitQuantisers } from './quantise-low-bits.mjs';

/**
 * One function a type stores values[from .. from + 255] in the superblock at byte `at`.
 * @import { BlockWriter, Weights } from './quantise-blocks.mjs'
 */

const { abs, fround, max } = Math;

// Inverse of the packing that model files use: eight 6-bit scales and eight 6-bit minima in twelve bytes.
/** @type {(scales: number[], mins: number[], bytes: Uint8Array, at: number) => void} */
function packScalesAndMins(scales, mins, bytes, at) {
  for (let j = 0; j < 4; j++) {
    bytes[at + j] = scales[j] | ((scales[j + 4] >> 4) << 6);
    bytes[at + 4 + j] = mins[j] | ((mins[j + 4] >> 4) << 6);
    bytes[at + 8 + j] = (scales[j + 4] & 15) | ((mins[j + 4] & 15) << 4);
  }
}

const codes = new Uint8Array(256);

// What Q4_K and Q5_K share: their first sixteen bytes, and the codes.
/** @type {(values: Weights, from: number, top: number, bytes: Uint8Array, at: number) => void} */
function affineSuperblock(values, from, top, bytes, at) {
  const fits = Array.from({ length: 8 }, (_, j) =>
    fitScaleAndMinimum(values, from + 32 * j, 32, top),
  );
  const d = writeFloat16(bytes, at, fround(max(...fits.map((fit) => fit.scale)) / 63));
  const dmin = writeFloat16(bytes, at + 2, fround(max(0, ...fits.map((fit) => fit.minimum)) / 63));
  const scales = fits.map((fit) => wholeParts(fit.scale, d, 63));
  const minima = fits.map((fit) => wholeParts(fit.minimum, dmin, 63));
  packScalesAndMins(scales, minima, bytes, at + 4);
  for (let j = 0; j < 8; j++) {
    affineCodes(values, from + 32 * j, d * scales[j], dmin * minima[j], top, codes, 32 * j, 32);
  }
}

/** @type {(bytes: Uint8Array, at: number) => void} */
function packNibblePairs(bytes, at) {
  for (let pair = 0; pair < 4; pair++) {
    for (let l = 0; l < 32; l++) {
      const low = codes[64 * pair + l] & 15;
      bytes[at + 32 * pair + l] = low | ((codes[64 * pair + 32 + l] & 15) << 4);
    }
  }
}

/** @type {BlockWriter} */
function q4_kBlock(values, from, bytes, at) {
  affineSuperblock(values, from, 15, bytes, at);
  packNibblePairs(bytes, at + 16);
}

/** @type {BlockWriter} */
function q5_kBlock(values, from, bytes, at) {
  affineSuperblock(values, from, 31, bytes, at);
  for (let l = 0; l < 32; l++) {
    let fifthBits = 0;
    for (let j = 0; j < 8; j++) fifthBits |= (codes[32 * j + l] >> 4) << j;
    bytes[at + 16 + l] = fifthBits;
  }
  packNibblePairs(bytes, at + 48);
}

/** @type {BlockWriter} */
function q6_kBlock(values, from, bytes, at) {
  const fits = Array.from({ length: 16 }, (_, j) => fitScale(values, from + 16 * j, 32));
  const largest = fits.reduce((a, b) => (abs(b) > abs(a) ? b : a), 0);
  const d = writeFloat16(bytes, at + 208, largest / -128);
  for (let j = 0; j < 16; j++) {
    const scale = d === 0 ? 0 : clamp(roundHalfToEven(fits[j] / d), -128, 127);
    bytes[at + 192 + j] = scale;
    const inverse = d * scale === 0 ? 0 : 1 / (d * scale);
    for (let l = 16 * j; l < 16 * j + 16; l++) {
      codes[l] = clamp(roundHalfToEven(values[from + l] * inverse), -32, 31) + 32;
    }
  }
  for (let n = 0; n < 2; n++) {
    for (let l = 0; l < 32; l++) {
      const [a, b, c, e] = [0, 32, 64, 96].map((quarter) => codes[128 * n + quarter + l]);
      bytes[at + 64 * n + l] = (a & 15) | ((c & 15) << 4);
      bytes[at + 64 * n + 32 + l] = (b & 15) | ((e & 15) << 4);
      bytes[at + 128 + 32 * n + l] = (a >> 4) | ((b >> 4) << 2) | ((c >> 4) << 4) | ((e >> 4) << 6);
    }
  }
}

/** @type {Record<string, BlockWriter>} */
export const superblockQuantisers = {
  Q4_K: q4_kBlock,
  Q5_K: q5_kBlock,
  Q6_K: q6_kBlock,
  ...lowBitQuantisers,
};
