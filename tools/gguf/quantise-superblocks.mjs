// SPDX-License-Identifier: MIT
import { roundHalfToEven, writeFloat16 } from './float-formats.mjs';

/**
 * One function a type stores values[from .. from + 255] in the superblock at byte `at`.
 * @import { BlockWriter, Weights } from './quantise-blocks.mjs'
 */

const { abs, max, min, sqrt } = Math;

/** @type {(x: number, low: number, high: number) => number} */
const clamp = (x, low, high) => min(max(x, low), high);

const weights = new Float64Array(32);

// Large weights matter more to a dot product than small ones, but not as much as their square.
/** @type {(values: Weights, from: number, count: number) => void} */
function weigh(values, from, count) {
  let squares = 0;
  for (let j = 0; j < count; j++) squares += values[from + j] * values[from + j];
  const rms = sqrt(squares / count);
  for (let j = 0; j < count; j++) weights[j] = rms + abs(values[from + j]);
}

// scale * q - minimum that best fits one sub-block of 32, for the codes q that a trial step gives: a weighted least
// squares fit per trial, the trial with the smallest error wins. `minimum` is kept >= 0, its field has no sign.
/** @type {(values: Weights, from: number, top: number) => { scale: number, minimum: number }} */
function fitScaleAndMin(values, from, top) {
  weigh(values, from, 32);
  let low = 0;
  let high = -Infinity;
  let sw = 0;
  let sx = 0;
  let sxx = 0;
  for (let j = 0; j < 32; j++) {
    const x = values[from + j];
    low = min(low, x);
    high = max(high, x);
    sw += weights[j];
    sx += weights[j] * x;
    sxx += weights[j] * x * x;
  }
  let best = { scale: 0, minimum: -low };
  if (high === low) return best;
  let bestError = Infinity;
  for (let trial = -10; trial <= 10; trial++) {
    const inverse = (top + trial / 10) / (high - low);
    let sq = 0;
    let sqq = 0;
    let sqx = 0;
    for (let j = 0; j < 32; j++) {
      const x = values[from + j];
      const q = clamp(roundHalfToEven((x - low) * inverse), 0, top);
      const wq = weights[j] * q;
      sq += wq;
      sqq += wq * q;
      sqx += wq * x;
    }
    const determinant = sw * sqq - sq * sq;
    // Positive values that lie close together may all get the top code, which leaves only a scale to fit.
    const independent = determinant > 1e-9 * sw * sqq;
    let offset = independent ? (sqq * sx - sq * sqx) / determinant : 0;
    if (offset > 0) offset = 0;
    const scale = (sqx - offset * sq) / sqq;
    const error =
      sxx + scale * (scale * sqq + 2 * offset * sq - 2 * sqx) + offset * (offset * sw - 2 * sx);
    if (scale >= 0 && error < bestError) {
      bestError = error;
      best = { scale, minimum: -offset };
    }
  }
  return best;
}

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
  const fits = Array.from({ length: 8 }, (_, j) => fitScaleAndMin(values, from + 32 * j, top));
  const d = writeFloat16(bytes, at, max(...fits.map((fit) => fit.scale)) / 63);
  const dmin = writeFloat16(bytes, at + 2, max(...fits.map((fit) => fit.minimum)) / 63);
  /** @type {(x: number, unit: number) => number} */
  const sixBits = (x, unit) => (unit === 0 ? 0 : clamp(roundHalfToEven(x / unit), 0, 63));
  const scales = fits.map((fit) => sixBits(fit.scale, d));
  const mins = fits.map((fit) => sixBits(fit.minimum, dmin));
  packScalesAndMins(scales, mins, bytes, at + 4);
  for (let j = 0; j < 8; j++) {
    const scale = d * scales[j];
    const minimum = dmin * mins[j];
    const inverse = scale === 0 ? 0 : 1 / scale;
    for (let l = 32 * j; l < 32 * j + 32; l++) {
      codes[l] = clamp(roundHalfToEven((values[from + l] + minimum) * inverse), 0, top);
    }
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

// scale * q that best fits one sub-block of 16, q in [-32, 31]. For fixed q the best scale is (q.x)/(q.q) and takes
// (q.x)^2/(q.q) off the error; the value of largest magnitude is tried near -32, the longer end.
/** @type {(values: Weights, from: number) => number} */
function fitScale(values, from) {
  weigh(values, from, 16);
  let largest = 0;
  for (let j = from; j < from + 16; j++) {
    if (abs(values[j]) > abs(largest)) largest = values[j];
  }
  if (largest === 0) return 0;
  let best = 0;
  let bestGain = -1;
  for (let trial = -12; trial <= 12; trial++) {
    const inverse = -(32 + trial / 10) / largest;
    let qx = 0;
    let qq = 0;
    for (let j = 0; j < 16; j++) {
      const q = clamp(roundHalfToEven(values[from + j] * inverse), -32, 31);
      qx += weights[j] * q * values[from + j];
      qq += weights[j] * q * q;
    }
    if (qx * qx > bestGain * qq) {
      bestGain = (qx * qx) / qq;
      best = qx / qq;
    }
  }
  return best;
}

/** @type {BlockWriter} */
function q6_kBlock(values, from, bytes, at) {
  const fits = Array.from({ length: 16 }, (_, j) => fitScale(values, from + 16 * j));
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
export const superblockQuantisers = { Q4_K: q4_kBlock, Q5_K: q5_kBlock, Q6_K: q6_kBlock };
