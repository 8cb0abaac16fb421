// SPDX-License-Identifier: MIT
import { roundHalfToEven } from './float-formats.mjs';

/** @import { Weights } from './quantise-blocks.mjs' */

const { abs, fround, max, min, sqrt } = Math;

/** @type {(x: number, low: number, high: number) => number} */
export const clamp = (x, low, high) => min(max(x, low), high);

const weights = new Float64Array(32);

// Large weights matter more to a dot product than small ones, but not as much as their square.
/** @type {(values: Weights, from: number, count: number) => void} */
function weigh(values, from, count) {
  let squares = 0;
  for (let j = 0; j < count; j++) squares += values[from + j] * values[from + j];
  const rms = sqrt(squares / count);
  for (let j = 0; j < count; j++) weights[j] = rms + abs(values[from + j]);
}

/** Steps that are tried, of a tenth of a code each: from one code less than there are to almost one more. */
export const trials = 20;

const above = new Float32Array(32);

/**
 * scale * q - minimum that best fits the values of a sub-block, for the codes q in [0, top] that a trial step gives: a
 * weighted least squares fit a trial, the trial with the smallest error wins. `minimum` is >= 0, its field has no sign.
 *
 * All in single precision and one order: cpp/formats/fit_scales.cc finds the same to the bit.
 * @param {Weights} values
 * @param {number} from
 * @param {number} count 16 or 32
 * @param {number} top
 * @returns {{ scale: number, minimum: number }}
 */
export function fitScaleAndMinimum(values, from, count, top) {
  let low = 0;
  let high = -Infinity;
  let squares = 0;
  for (let j = 0; j < count; j++) {
    const x = fround(values[from + j]);
    low = min(low, x);
    high = max(high, x);
    squares = fround(squares + fround(x * x));
  }
  const span = fround(high - low);
  let best = { scale: 0, minimum: -low };
  if (!(span > 0)) return best;
  const rms = fround(sqrt(fround(squares / count)));
  let sw = 0;
  let sy = 0;
  let syy = 0;
  for (let j = 0; j < count; j++) {
    const x = fround(values[from + j]);
    // Sums over y = x - low, which is at least 0 and loses less than x where values are far from 0.
    const y = fround(x - low);
    const w = fround(rms + abs(x));
    const wy = fround(w * y);
    above[j] = y;
    weights[j] = w;
    sw = fround(sw + w);
    sy = fround(sy + wy);
    syy = fround(syy + fround(wy * y));
  }
  let bestError = Infinity;
  for (let trial = 0; trial < trials; trial++) {
    const inverse = fround(fround(top + (trial - 10) / 10) / span);
    let sq = 0;
    let sqq = 0;
    let sqy = 0;
    for (let j = 0; j < count; j++) {
      const y = above[j];
      const q = min(roundHalfToEven(fround(y * inverse)), top);
      const wq = fround(weights[j] * q);
      sq = fround(sq + wq);
      sqq = fround(sqq + fround(wq * q));
      sqy = fround(sqy + fround(wq * y));
    }
    const product = fround(sw * sqq);
    const determinant = fround(product - fround(sq * sq));
    // Positive values that lie close together may all get the top code, which leaves only a scale to fit.
    const isIndependent = determinant > fround(fround(1e-5) * product);
    const between = fround(fround(sqq * sy) - fround(sq * sqy));
    let offset = isIndependent ? fround(between / determinant) : 0;
    if (fround(offset + low) > 0) offset = -low;
    const scale = fround(fround(sqy - fround(offset * sq)) / sqq);
    const ofScale = fround(
      fround(fround(scale * sqq) + fround(2 * fround(offset * sq))) - fround(2 * sqy),
    );
    const ofOffset = fround(fround(offset * sw) - fround(2 * sy));
    const error = fround(fround(syy + fround(scale * ofScale)) + fround(offset * ofOffset));
    if (scale >= 0 && error < bestError) {
      bestError = error;
      best = { scale, minimum: -fround(offset + low) };
    }
  }
  return best;
}

/**
 * @param {number} x a scale or minimum, >= 0
 * @param {number} unit what the superblock multiplies whole numbers by
 * @param {number} most
 * @returns {number} the nearest whole number of units
 */
export function wholeParts(x, unit, most) {
  return unit === 0 ? 0 : clamp(roundHalfToEven(fround(x / unit)), 0, most);
}

/**
 * codes[to ..] = the nearest of scale * q - minimum to `count` values, q in [0, top]; in single precision.
 * @param {Weights} values
 * @param {number} from
 * @param {number} scale
 * @param {number} minimum
 * @param {number} top
 * @param {Uint8Array} codes
 * @param {number} to
 * @param {number} count
 */
export function affineCodes(values, from, scale, minimum, top, codes, to, count) {
  const inverse = scale === 0 ? 0 : fround(1 / scale);
  for (let l = 0; l < count; l++) {
    const x = fround(fround(values[from + l]) + minimum);
    codes[to + l] = roundHalfToEven(clamp(fround(x * inverse), 0, top));
  }
}

/**
 * scale * q that best fits a sub-block of 16, q in [-half, half - 1]. For fixed q the best scale is (q.x)/(q.q) and
 * takes (q.x)^2/(q.q) off the error; the value of largest magnitude is tried near -half, the longer end.
 * @param {Weights} values
 * @param {number} from
 * @param {number} half
 * @returns {number}
 */
export function fitScale(values, from, half) {
  weigh(values, from, 16);
  let largest = 0;
  for (let j = from; j < from + 16; j++) {
    if (abs(values[j]) > abs(largest)) largest = values[j];
  }
  if (largest === 0) return 0;
  let best = 0;
  let bestGain = -1;
  for (let trial = -12; trial <= 12; trial++) {
    const inverse = -(half + trial / 10) / largest;
    let qx = 0;
    let qq = 0;
    for (let j = 0; j < 16; j++) {
      const q = clamp(roundHalfToEven(values[from + j] * inverse), -half, half - 1);
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
