// SPDX-License-Identifier: MIT
import { decodeBFloat16, decodeFloat16, powerOfTwo } from './float-formats.mjs';
import { byteLength, fp4Levels, nonlinearLevels, tensorType } from './types.mjs';

/**
 * One function a type writes the weights of the block at byte `at` to `out` from index `to`. All arithmetic is
 * float64, where every product and difference below is exact or rounded once.
 * @typedef {(bytes: Uint8Array, at: number, out: Float64Array, to: number) => void} BlockReader
 */

/** @type {(bytes: Uint8Array, at: number) => number} */
const uint16 = (bytes, at) => bytes[at] | (bytes[at + 1] << 8);
/** @type {(bytes: Uint8Array, at: number) => number} */
const uint32 = (bytes, at) => (uint16(bytes, at) | (uint16(bytes, at + 2) << 16)) >>> 0;
/** @param {number} byte */
const int8 = (byte) => (byte << 24) >> 24;
/** @type {(bytes: Uint8Array, at: number) => number} */
const half = (bytes, at) => decodeFloat16(uint16(bytes, at));

const float32View = new DataView(new ArrayBuffer(4));

/** @type {BlockReader} */
function float32Block(bytes, at, out, to) {
  float32View.setUint32(0, uint32(bytes, at));
  out[to] = float32View.getFloat32(0);
}

/** @type {BlockReader} */
function float16Block(bytes, at, out, to) {
  out[to] = half(bytes, at);
}

/** @type {BlockReader} */
function bfloat16Block(bytes, at, out, to) {
  out[to] = decodeBFloat16(uint16(bytes, at));
}

// { f16 d; u8 qs[16] }
/** @type {BlockReader} */
function q4_0Block(bytes, at, out, to) {
  const d = half(bytes, at);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[at + 2 + j];
    out[to + j] = d * ((pair & 15) - 8);
    out[to + 16 + j] = d * ((pair >> 4) - 8);
  }
}

// { f16 d; f16 m; u8 qs[16] }
/** @type {BlockReader} */
function q4_1Block(bytes, at, out, to) {
  const d = half(bytes, at);
  const m = half(bytes, at + 2);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[at + 4 + j];
    out[to + j] = d * (pair & 15) + m;
    out[to + 16 + j] = d * (pair >> 4) + m;
  }
}

// { f16 d; u32 qh; u8 qs[16] }: bit j of qh is the fifth bit of weight j.
/** @type {BlockReader} */
function q5_0Block(bytes, at, out, to) {
  const d = half(bytes, at);
  const high = uint32(bytes, at + 2);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[at + 6 + j];
    out[to + j] = d * (((pair & 15) | (((high >>> j) & 1) << 4)) - 16);
    out[to + 16 + j] = d * (((pair >> 4) | (((high >>> (j + 16)) & 1) << 4)) - 16);
  }
}

// { f16 d; f16 m; u32 qh; u8 qs[16] }
/** @type {BlockReader} */
function q5_1Block(bytes, at, out, to) {
  const d = half(bytes, at);
  const m = half(bytes, at + 2);
  const high = uint32(bytes, at + 4);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[at + 8 + j];
    out[to + j] = d * ((pair & 15) | (((high >>> j) & 1) << 4)) + m;
    out[to + 16 + j] = d * ((pair >> 4) | (((high >>> (j + 16)) & 1) << 4)) + m;
  }
}

// { f16 d; i8 qs[32] }
/** @type {BlockReader} */
function q8_0Block(bytes, at, out, to) {
  const d = half(bytes, at);
  for (let j = 0; j < 32; j++) out[to + j] = d * int8(bytes[at + 2 + j]);
}

// { f16 d; u8 qs[16] }
/** @type {BlockReader} */
function iq4_nlBlock(bytes, at, out, to) {
  const d = half(bytes, at);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[at + 2 + j];
    out[to + j] = d * nonlinearLevels[pair & 15];
    out[to + 16 + j] = d * nonlinearLevels[pair >> 4];
  }
}

// { u8 e; u8 qs[16] }: e is the exponent of twice the scale.
/** @type {BlockReader} */
function mxfp4Block(bytes, at, out, to) {
  const d = powerOfTwo(bytes[at] - 128);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[at + 1 + j];
    out[to + j] = d * fp4Levels[pair & 15];
    out[to + 16 + j] = d * fp4Levels[pair >> 4];
  }
}

// { f16 d; u16 scales_h; u8 scales_l[4]; u8 qs[128] }: six-bit scales, 32 more than they are.
/** @type {BlockReader} */
function iq4_xsBlock(bytes, at, out, to) {
  const d = half(bytes, at);
  const upper = uint16(bytes, at + 2);
  for (let j = 0; j < 8; j++) {
    const lower = (bytes[at + 4 + (j >> 1)] >> (4 * (j & 1))) & 15;
    const scale = d * ((lower | (((upper >> (2 * j)) & 3) << 4)) - 32);
    for (let l = 0; l < 16; l++) {
      const pair = bytes[at + 8 + 16 * j + l];
      out[to + 32 * j + l] = scale * nonlinearLevels[pair & 15];
      out[to + 32 * j + 16 + l] = scale * nonlinearLevels[pair >> 4];
    }
  }
}

// { u8 scales[16]; u8 qs[64]; f16 d; f16 dmin }: a byte has codes of four weights, 32 apart.
/** @type {BlockReader} */
function q2_kBlock(bytes, at, out, to) {
  const d = half(bytes, at + 80);
  const dmin = half(bytes, at + 82);
  for (let l = 0; l < 256; l++) {
    const code = (bytes[at + 16 + 32 * (l >> 7) + (l & 31)] >> (2 * ((l >> 5) & 3))) & 3;
    const scales = bytes[at + (l >> 4)];
    out[to + l] = d * (scales & 15) * code - dmin * (scales >> 4);
  }
}

/**
 * @param {Uint8Array} bytes of which twelve at `at` hold sixteen 6-bit scales
 * @param {number} at
 * @param {number} j sub-block, 0 to 15
 * @returns {number} -32 to 31
 */
export function threeBitScale(bytes, at, j) {
  const lower = (bytes[at + (j & 7)] >> (4 * (j >> 3))) & 15;
  const upper = (bytes[at + 8 + (j & 3)] >> (2 * (j >> 2))) & 3;
  return (lower | (upper << 4)) - 32;
}

// { u8 hmask[32]; u8 qs[64]; u8 scales[12]; f16 d }: bit j of hmask[l] is the third bit of weight 32j + l.
/** @type {BlockReader} */
function q3_kBlock(bytes, at, out, to) {
  const d = half(bytes, at + 108);
  for (let l = 0; l < 256; l++) {
    const low = (bytes[at + 32 + 32 * (l >> 7) + (l & 31)] >> (2 * ((l >> 5) & 3))) & 3;
    const code = low | (((bytes[at + (l & 31)] >> (l >> 5)) & 1) << 2);
    out[to + l] = d * threeBitScale(bytes, at + 96, l >> 4) * (code - 4);
  }
}

/**
 * The twelve bytes at `at` hold eight 6-bit scales and eight 6-bit minima.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} j sub-block, 0 to 7
 * @returns {[scale: number, min: number]}
 */
export function scaleAndMin(bytes, at, j) {
  /** @param {number} i */
  const s = (i) => bytes[at + i];
  if (j < 4) return [s(j) & 63, s(j + 4) & 63];
  return [(s(j + 4) & 15) | ((s(j - 4) >> 6) << 4), (s(j + 4) >> 4) | ((s(j) >> 6) << 4)];
}

// { f16 d; f16 dmin; u8 scales[12]; u8 qs[128] }
/** @type {BlockReader} */
function q4_kBlock(bytes, at, out, to) {
  const d = half(bytes, at);
  const dmin = half(bytes, at + 2);
  for (let j = 0; j < 8; j++) {
    const [scale, min] = scaleAndMin(bytes, at + 4, j);
    const shift = (j & 1) * 4;
    for (let l = 0; l < 32; l++) {
      const code = (bytes[at + 16 + 32 * (j >> 1) + l] >> shift) & 15;
      out[to + 32 * j + l] = d * scale * code - dmin * min;
    }
  }
}

// { f16 d; f16 dmin; u8 scales[12]; u8 qh[32]; u8 qs[128] }: bit j of qh[l] is the fifth bit of weight 32j + l.
/** @type {BlockReader} */
function q5_kBlock(bytes, at, out, to) {
  const d = half(bytes, at);
  const dmin = half(bytes, at + 2);
  for (let j = 0; j < 8; j++) {
    const [scale, min] = scaleAndMin(bytes, at + 4, j);
    const shift = (j & 1) * 4;
    for (let l = 0; l < 32; l++) {
      const low = (bytes[at + 48 + 32 * (j >> 1) + l] >> shift) & 15;
      const code = low | (((bytes[at + 16 + l] >> j) & 1) << 4);
      out[to + 32 * j + l] = d * scale * code - dmin * min;
    }
  }
}

// { u8 ql[128]; u8 qh[64]; i8 scales[16]; f16 d }: two halves of four quarters of 32 weights.
/** @type {BlockReader} */
function q6_kBlock(bytes, at, out, to) {
  const d = half(bytes, at + 208);
  for (let n = 0; n < 2; n++) {
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let l = 0; l < 32; l++) {
        const low = (bytes[at + 64 * n + 32 * (quarter & 1) + l] >> (4 * (quarter >> 1))) & 15;
        const high = (bytes[at + 128 + 32 * n + l] >> (2 * quarter)) & 3;
        const scale = int8(bytes[at + 192 + 8 * n + 2 * quarter + (l >> 4)]);
        out[to + 128 * n + 32 * quarter + l] = d * scale * ((low | (high << 4)) - 32);
      }
    }
  }
}

/** @type {Record<string, BlockReader>} */
const blockDefinitions = {
  F32: float32Block,
  F16: float16Block,
  BF16: bfloat16Block,
  Q4_0: q4_0Block,
  Q4_1: q4_1Block,
  Q5_0: q5_0Block,
  Q5_1: q5_1Block,
  Q8_0: q8_0Block,
  Q2_K: q2_kBlock,
  Q3_K: q3_kBlock,
  Q4_K: q4_kBlock,
  Q5_K: q5_kBlock,
  Q6_K: q6_kBlock,
  IQ4_NL: iq4_nlBlock,
  IQ4_XS: iq4_xsBlock,
  MXFP4: mxfp4Block,
};

/**
 * The definition of what stored weights mean, in float64.
 * @param {string} type as in `Q4_K`
 * @param {Uint8Array} bytes
 * @param {number} count weights, a whole number of blocks
 * @returns {Float64Array}
 */
export function dequantise(type, bytes, count) {
  const { elements, bytes: blockBytes } = tensorType(type);
  if (bytes.length !== byteLength(type, count)) {
    throw new RangeError(
      `${count} ${type} weights take ${byteLength(type, count)} bytes, not ${bytes.length}`,
    );
  }
  const block = blockDefinitions[type];
  const out = new Float64Array(count);
  for (let at = 0, to = 0; to < count; at += blockBytes, to += elements) block(bytes, at, out, to);
  return out;
}
