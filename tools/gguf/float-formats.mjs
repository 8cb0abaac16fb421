// SPDX-License-Identifier: MIT

// powersOfTwo[e + 1100] is 2^e, built by exact steps: `**` is not specified to be exact.
const powersOfTwo = new Float64Array(2124);
powersOfTwo[1100] = 1;
for (let e = 1; e <= 1023; e++) powersOfTwo[1100 + e] = powersOfTwo[1099 + e] * 2;
for (let e = 1; e <= 1074; e++) powersOfTwo[1100 - e] = powersOfTwo[1101 - e] / 2;

/**
 * @param {number} exponent in [-1074, 1023]
 * @returns {number} 2^exponent, exactly
 */
export function powerOfTwo(exponent) {
  return powersOfTwo[exponent + 1100];
}

const bitsView = new DataView(new ArrayBuffer(8));

/**
 * floor(log2(x)) of a normal positive double.
 * @param {number} x
 */
function exponentOf(x) {
  bitsView.setFloat64(0, x);
  return (bitsView.getUint32(0) >>> 20) - 1023;
}

// Adding and taking away 1.5 * 2^52 leaves no fraction bits: the FPU rounds to nearest, ties to even.
const roundingConstant = 6755399441055744;

/**
 * @param {number} x with |x| < 2^51
 * @returns {number} nearest integer, ties to even
 */
export function roundHalfToEven(x) {
  return x + roundingConstant - roundingConstant;
}

// A format of one sign bit, `exponentBits` and `mantissaBits`, IEEE-style with subnormals and infinities.
/** @type {(exponentBits: number, mantissaBits: number) => (x: number) => number} */
function encoder(exponentBits, mantissaBits) {
  const bias = (1 << (exponentBits - 1)) - 1;
  const signBit = 1 << (exponentBits + mantissaBits);
  const infinity = ((1 << exponentBits) - 1) << mantissaBits;
  const quietNaN = infinity | (1 << (mantissaBits - 1));
  const smallestNormal = powerOfTwo(1 - bias);
  const subnormalScale = powerOfTwo(bias - 1 + mantissaBits);
  const overflow = powerOfTwo(bias) * (2 - powerOfTwo(-mantissaBits - 1));
  return function encode(x) {
    const sign = x < 0 || (x === 0 && 1 / x < 0) ? signBit : 0;
    const magnitude = sign ? -x : x;
    if (!(magnitude < overflow)) return magnitude >= overflow ? sign | infinity : quietNaN;
    if (magnitude < smallestNormal) return sign | roundHalfToEven(magnitude * subnormalScale);
    const exponent = exponentOf(magnitude);
    const mantissa = roundHalfToEven(magnitude * powerOfTwo(mantissaBits - exponent));
    // The leading one of the mantissa, and a carry out of rounding, add to the exponent field.
    return sign | (((exponent + bias - 1) << mantissaBits) + mantissa);
  };
}

/** @type {(x: number) => number} code of the nearest half, ties to even */
export const encodeFloat16 = encoder(5, 10);

/** @type {(x: number) => number} code of the nearest bfloat16, ties to even */
export const encodeBFloat16 = encoder(8, 7);

/**
 * @param {number} code 16 bits
 * @returns {number}
 */
export function decodeFloat16(code) {
  const sign = code & 0x8000 ? -1 : 1;
  const exponent = (code >> 10) & 31;
  const mantissa = code & 1023;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * mantissa * powerOfTwo(-24);
  return sign * (1024 + mantissa) * powerOfTwo(exponent - 25);
}

/**
 * Writes the nearest half, little-endian.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} value
 * @returns {number} what it stands for
 */
export function writeFloat16(bytes, at, value) {
  const code = encodeFloat16(value);
  bytes[at] = code;
  bytes[at + 1] = code >> 8;
  return decodeFloat16(code);
}

/**
 * @param {number} code 16 bits
 * @returns {number}
 */
export function decodeBFloat16(code) {
  bitsView.setUint32(0, code << 16);
  return bitsView.getFloat32(0);
}
