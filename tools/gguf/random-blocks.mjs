// SPDX-License-Identifier: MIT
import { powerOfTwo, writeFloat16 } from './float-formats.mjs';
import { quantise } from './quantise.mjs';
import { byteLength, fp4Levels, nonlinearLevels, tensorType } from './types.mjs';

// Random codes need only scales to become weights of a wished deviation: a large model is written at the speed of
// the generator, where quantising real numbers would take minutes.

/**
 * Writes the scales of the block at byte `at`, for weights of deviation `step`.
 * @typedef {(bytes: Uint8Array, at: number, step: number) => void} ScaleWriter
 */

/** @param {number[]} levels */
function deviation(levels) {
  const mean = levels.reduce((a, b) => a + b, 0) / levels.length;
  return Math.sqrt(levels.reduce((a, b) => a + (b - mean) ** 2, 0) / levels.length);
}

/** @type {(low: number, high: number) => number[]} */
const range = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => low + i);
/** @param {readonly number[]} levels */
const rms = (levels) => Math.sqrt(levels.reduce((a, b) => a + b * b, 0) / levels.length);

// Scales are spread by a quarter around their centre; this factor keeps the deviation.
const spread = 0.25;
const spreadFactor = 1 / Math.sqrt(1 + spread ** 2 / 3);

// The sign of the scale is random, so codes that are not centred on zero still make weights of mean zero.
/** @type {(levels: readonly number[]) => ScaleWriter} */
function symmetric(levels) {
  const unit = rms(levels);
  return (bytes, at, step) => {
    writeFloat16(bytes, at, step / unit);
  };
}

/** @type {(top: number) => ScaleWriter} */
function affine(top) {
  const unit = deviation(range(0, top));
  return (bytes, at, step) => {
    const d = writeFloat16(bytes, at, step / unit);
    writeFloat16(bytes, at + 2, (-d * top) / 2);
  };
}

/** @returns {ScaleWriter} */
function signedBytes() {
  const unit = rms(range(-127, 127));
  return (bytes, at, step) => {
    // No quantiser makes the code -128, and kernels that negate codes may not expect it.
    for (let j = 2; j < 34; j++) if (bytes[at + j] === 0x80) bytes[at + j] = 0x81;
    writeFloat16(bytes, at, step / unit);
  };
}

// Sub-block scales in [32, 63]; the minimum is the same number, and dmin = d * top / 2 centres the weights on zero.
/** @type {(top: number) => ScaleWriter} */
function affineSuperblock(top) {
  const unit = deviation(range(0, top)) * rms(range(32, 63));
  return (bytes, at, step) => {
    const d = writeFloat16(bytes, at, Math.abs(step) / unit);
    writeFloat16(bytes, at + 2, (d * top) / 2);
    for (let j = 0; j < 4; j++) {
      const first = (bytes[at + 4 + j] & 31) | 32;
      const second = (bytes[at + 8 + j] & 31) | 32;
      bytes[at + 4 + j] = first | ((second >> 4) << 6);
      bytes[at + 8 + j] = first | ((second >> 4) << 6);
      bytes[at + 12 + j] = (second & 15) | ((second & 15) << 4);
    }
  };
}

// Sub-block scales in ±[64, 127].
/** @returns {ScaleWriter} */
function signedSuperblock() {
  const unit = rms(range(-32, 31)) * rms(range(64, 127));
  return (bytes, at, step) => {
    for (let j = at + 192; j < at + 208; j++) {
      const magnitude = 64 | (bytes[j] & 63);
      bytes[j] = bytes[j] & 0x80 ? -magnitude : magnitude;
    }
    writeFloat16(bytes, at + 208, step / unit);
  };
}

// Sub-block scales in [8, 15]; minima as above.
/** @returns {ScaleWriter} */
function twoBitSuperblock() {
  const unit = deviation(range(0, 3)) * rms(range(8, 15));
  return (bytes, at, step) => {
    for (let j = at; j < at + 16; j++) bytes[j] = ((bytes[j] & 7) | 8) * 17;
    const d = writeFloat16(bytes, at + 80, Math.abs(step) / unit);
    writeFloat16(bytes, at + 82, 1.5 * d);
  };
}

// Scales of six bits, 32 more than they are, of which the upper two are all ones or all zeros: -32 to -17, 16 to 31.
const sixBitScale = rms([...range(-32, -17), ...range(16, 31)]);

/** @param {number} byte two bits a scale */
const evenPairs = (byte) => (byte & 0x55) * 3;

/** @returns {ScaleWriter} */
function threeBitSuperblock() {
  const unit = rms(range(-4, 3)) * sixBitScale;
  return (bytes, at, step) => {
    for (let j = at + 104; j < at + 108; j++) bytes[j] = evenPairs(bytes[j]);
    writeFloat16(bytes, at + 108, step / unit);
  };
}

/** @returns {ScaleWriter} */
function nonlinearSuperblock() {
  const unit = rms(nonlinearLevels) * sixBitScale;
  return (bytes, at, step) => {
    for (let j = at + 2; j < at + 4; j++) bytes[j] = evenPairs(bytes[j]);
    writeFloat16(bytes, at, step / unit);
  };
}

// A power of two, of the two next to the wished scale: as often the larger one as keeps the deviation.
/** @returns {ScaleWriter} */
function exponent() {
  const unit = rms(fp4Levels);
  return (bytes, at, step) => {
    const scale = Math.abs(step) / unit;
    const e = Math.floor(Math.log2(scale));
    const larger = ((scale * powerOfTwo(-e)) ** 2 - 1) / 3;
    const drawn = bytes[at] ^ bytes[at + 1] ^ bytes[at + 2] ^ bytes[at + 3];
    bytes[at] = e + 128 + (drawn < 256 * larger ? 1 : 0);
  };
}

/** @type {Record<string, ScaleWriter>} */
const scaleWriters = {
  Q4_0: symmetric(range(-8, 7)),
  Q4_1: affine(15),
  Q5_0: symmetric(range(-16, 15)),
  Q5_1: affine(31),
  Q8_0: signedBytes(),
  Q2_K: twoBitSuperblock(),
  Q3_K: threeBitSuperblock(),
  Q4_K: affineSuperblock(15),
  Q5_K: affineSuperblock(31),
  Q6_K: signedSuperblock(),
  IQ4_NL: symmetric(nonlinearLevels),
  IQ4_XS: nonlinearSuperblock(),
  MXFP4: exponent(),
};

/**
 * Valid blocks of `type` with random codes, whose weights have mean 0 and the given deviation.
 * @param {string} type as in `Q4_K`
 * @param {import('./random.mjs').RandomStream} random
 * @param {number} count weights, a whole number of blocks
 * @param {number} std
 * @returns {Uint8Array}
 */
export function randomBlocks(type, random, count, std) {
  const writeScales = scaleWriters[type];
  const halfWidth = Math.sqrt(3) * std;
  if (!writeScales) return quantise(type, random.uniform(count, -halfWidth, halfWidth));
  const { bytes: blockBytes } = tensorType(type);
  const bytes = random.bytes(byteLength(type, count));
  const steps = random.uniform(bytes.length / blockBytes, -spread, spread);
  for (let block = 0; block < steps.length; block++) {
    // One bit of a random byte is as good a coin as any, and needs no further draw.
    const sign = bytes[(block + 1) * blockBytes - 3] & 1 ? -1 : 1;
    const step = sign * std * spreadFactor * (1 + steps[block]);
    writeScales(bytes, block * blockBytes, step);
  }
  return bytes;
}
