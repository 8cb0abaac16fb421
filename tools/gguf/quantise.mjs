// SPDX-License-Identifier: MIT
import { encodeBFloat16, encodeFloat16 } from './float-formats.mjs';
import { blockQuantisers } from './quantise-blocks.mjs';
import { superblockQuantisers } from './quantise-superblocks.mjs';
import { byteLength, tensorType } from './types.mjs';

/** @import { Weights } from './quantise-blocks.mjs' */

/** @param {Weights} values */
function float32Values(values) {
  const out = new DataView(new ArrayBuffer(values.length * 4));
  for (let i = 0; i < values.length; i++) out.setFloat32(4 * i, values[i], true);
  return new Uint8Array(out.buffer);
}

/** @type {(values: Weights, encode: (x: number) => number) => Uint8Array} */
function sixteenBitValues(values, encode) {
  const out = new Uint8Array(values.length * 2);
  for (let i = 0; i < values.length; i++) {
    const code = encode(values[i]);
    out[2 * i] = code;
    out[2 * i + 1] = code >> 8;
  }
  return out;
}

/**
 * Store weights as `type`. Block types take finite values only; the floating types take any.
 * @param {string} type as in `Q4_K`
 * @param {Weights} values a whole number of blocks
 * @returns {Uint8Array}
 */
export function quantise(type, values) {
  const size = byteLength(type, values.length);
  if (type === 'F32') return float32Values(values);
  if (type === 'F16') return sixteenBitValues(values, encodeFloat16);
  if (type === 'BF16') return sixteenBitValues(values, encodeBFloat16);
  const { elements, bytes: blockBytes } = tensorType(type);
  const block = blockQuantisers[type] ?? superblockQuantisers[type];
  const out = new Uint8Array(size);
  for (let from = 0, at = 0; at < size; from += elements, at += blockBytes)
    block(values, from, out, at);
  return out;
}
