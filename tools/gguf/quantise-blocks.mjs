// SPDX-License-Identifier: MIT
import { decodeFloat16, encodeFloat16, powerOfTwo } from './float-formats.mjs';
import { fp4Levels, nonlinearLevels } from './types.mjs';

/**
 * @typedef {Float32Array | Float64Array} Weights
 *
 * One function a type stores values[from .. from + 31] in the block at byte `at`.
 * @typedef {(values: Weights, from: number, bytes: Uint8Array, at: number) => void} BlockWriter
 */

const { abs, floor, fround, log2, max, min, sign } = Math;

/** @type {(bytes: Uint8Array, at: number, code: number) => void} */
function writeUint16(bytes, at, code) {
  bytes[at] = code;
  bytes[at + 1] = code >> 8;
}

// The value of largest magnitude, with its sign.
/** @type {(values: Weights, from: number) => number} */
function extreme(values, from) {
  let largest = 0;
  for (let j = from; j < from + 32; j++) {
    if (abs(values[j]) > abs(largest)) largest = values[j];
  }
  return largest;
}

/** @param {number} d */
const reciprocal = (d) => (d === 0 ? 0 : 1 / d);

// In single precision; 0 where that has no such number.
/** @param {number} d */
function singleReciprocal(d) {
  const inverse = fround(reciprocal(d));
  return Number.isFinite(inverse) ? inverse : 0;
}

// Q8_0, Q4_0 and Q5_0 in single precision step by step, as ggml's reference does: the same weights give the same bytes,
// there, here and in cpp/formats.
/** @type {BlockWriter} */
function q8_0Block(values, from, bytes, at) {
  const d = fround(abs(fround(extreme(values, from))) / 127);
  const inverse = singleReciprocal(d);
  writeUint16(bytes, at, encodeFloat16(d));
  for (let j = 0; j < 32; j++) {
    const code = fround(fround(values[from + j]) * inverse);
    // Halves go away from zero.
    bytes[at + 2 + j] = sign(code) * floor(abs(code) + 0.5);
  }
}

// Codes are 0 to 2 * zero - 1. The extreme value gets code 0, which reaches one step further than the top code.
/** @type {(values: Weights, from: number, zero: number, codes: Uint8Array) => number} */
function symmetricCodes(values, from, zero, codes) {
  const d = fround(extreme(values, from)) / -zero;
  const inverse = singleReciprocal(d);
  for (let j = 0; j < 32; j++) {
    const code = fround(fround(values[from + j]) * inverse);
    codes[j] = min(2 * zero - 1, floor(fround(code + (zero + 0.5))));
  }
  return d;
}

// Codes are 0 to `top`, from the smallest value to the largest.
/** @type {(values: Weights, from: number, top: number, codes: Uint8Array) => { d: number, low: number }} */
function rangeCodes(values, from, top, codes) {
  let low = values[from];
  let high = low;
  for (let j = from + 1; j < from + 32; j++) {
    low = min(low, values[j]);
    high = max(high, values[j]);
  }
  const d = (high - low) / top;
  const inverse = reciprocal(d);
  for (let j = 0; j < 32; j++) {
    codes[j] = min(top, floor((values[from + j] - low) * inverse + 0.5));
  }
  return { d, low };
}

/** @type {(codes: Uint8Array, bytes: Uint8Array, at: number) => void} */
function packNibbles(codes, bytes, at) {
  for (let j = 0; j < 16; j++) bytes[at + j] = (codes[j] & 15) | ((codes[j + 16] & 15) << 4);
}

/** @type {(codes: Uint8Array, bytes: Uint8Array, at: number) => void} */
function packFifthBits(codes, bytes, at) {
  for (let j = 0; j < 4; j++) bytes[at + j] = 0;
  for (let j = 0; j < 32; j++) bytes[at + (j >> 3)] |= (codes[j] >> 4) << (j & 7);
}

const codes = new Uint8Array(32);

/** @type {BlockWriter} */
function q4_0Block(values, from, bytes, at) {
  writeUint16(bytes, at, encodeFloat16(symmetricCodes(values, from, 8, codes)));
  packNibbles(codes, bytes, at + 2);
}

/** @type {BlockWriter} */
function q5_0Block(values, from, bytes, at) {
  writeUint16(bytes, at, encodeFloat16(symmetricCodes(values, from, 16, codes)));
  packFifthBits(codes, bytes, at + 2);
  packNibbles(codes, bytes, at + 6);
}

/** @type {BlockWriter} */
function q4_1Block(values, from, bytes, at) {
  const { d, low } = rangeCodes(values, from, 15, codes);
  writeUint16(bytes, at, encodeFloat16(d));
  writeUint16(bytes, at + 2, encodeFloat16(low));
  packNibbles(codes, bytes, at + 4);
}

/** @type {BlockWriter} */
function q5_1Block(values, from, bytes, at) {
  const { d, low } = rangeCodes(values, from, 31, codes);
  writeUint16(bytes, at, encodeFloat16(d));
  writeUint16(bytes, at + 2, encodeFloat16(low));
  packFifthBits(codes, bytes, at + 4);
  packNibbles(codes, bytes, at + 8);
}

const levels = Float64Array.from(nonlinearLevels);
const boundaries = Float64Array.from({ length: 15 }, (_, i) => (levels[i] + levels[i + 1]) / 2);

/**
 * @param {number} x
 * @returns {number} the code of the nearest of the nonlinear levels
 */
export function nearestLevel(x) {
  let code = x > boundaries[7] ? 8 : 0;
  if (x > boundaries[code + 3]) code += 4;
  if (x > boundaries[code + 1]) code += 2;
  if (x > boundaries[code]) code += 1;
  return code;
}

/**
 * Of the nonlinear levels of 32 values. For fixed levels q the best scale is (q.x)/(q.q) and takes (q.x)^2/(q.q) off
 * the squared error, so the search over trial scales keeps the one with the largest gain.
 * @param {Weights} values
 * @param {number} from
 * @returns {number}
 */
export function bestNonlinearScale(values, from) {
  const largest = extreme(values, from);
  if (largest === 0) return 0;
  let best = 0;
  let bestGain = -1;
  for (const end of [levels[0], levels[15]]) {
    for (let shift = -8; shift <= 8; shift += 2) {
      const inverse = (end + shift) / largest;
      let qx = 0;
      let qq = 0;
      for (let j = from; j < from + 32; j++) {
        const q = levels[nearestLevel(values[j] * inverse)];
        qx += q * values[j];
        qq += q * q;
      }
      if ((qx * qx) / qq > bestGain) {
        bestGain = (qx * qx) / qq;
        best = qx / qq;
      }
    }
  }
  return best;
}

/** @type {BlockWriter} */
function iq4_nlBlock(values, from, bytes, at) {
  const code = encodeFloat16(bestNonlinearScale(values, from));
  writeUint16(bytes, at, code);
  const inverse = reciprocal(decodeFloat16(code));
  for (let j = 0; j < 32; j++) codes[j] = nearestLevel(values[from + j] * inverse);
  packNibbles(codes, bytes, at + 2);
}

// The code of the E2M1 number nearest to x, in halves.
/** @param {number} x */
function nearestFp4(x) {
  const magnitude = abs(x);
  let code = 0;
  while (code < 7 && magnitude > (fp4Levels[code] + fp4Levels[code + 1]) / 2) code++;
  return x < 0 && code > 0 ? code + 8 : code;
}

// The largest value is between 4 and 8 times the scale, or between 2 and 4 times where that is nearer: codes end at 6.
/** @type {BlockWriter} */
function mxfp4Block(values, from, bytes, at) {
  const largest = abs(extreme(values, from));
  const exponent = largest === 0 ? 0 : floor(log2(largest)) + 125;
  let best = Infinity;
  for (const e of [exponent, exponent + 1].map((e) => min(max(e, 0), 254))) {
    const d = powerOfTwo(e - 128);
    const trial = Array.from({ length: 32 }, (_, j) => nearestFp4(values[from + j] / d));
    const error = trial.reduce((sum, q, j) => sum + (values[from + j] - d * fp4Levels[q]) ** 2, 0);
    if (error >= best) continue;
    best = error;
    bytes[at] = e;
    codes.set(trial);
  }
  packNibbles(codes, bytes, at + 1);
}

/** @type {Record<string, BlockWriter>} */
export const blockQuantisers = {
  Q4_0: q4_0Block,
  Q4_1: q4_1Block,
  Q5_0: q5_0Block,
  Q5_1: q5_1Block,
  Q8_0: q8_0Block,
  IQ4_NL: iq4_nlBlock,
  MXFP4: mxfp4Block,
};
