// SPDX-License-Identifier: MIT
//
// Safetensors files, as Hugging Face's library writes them: the length of a JSON header in 8 bytes, the header, the tensors.

import { readFileSync } from 'node:fs';
import { decodeBFloat16, decodeFloat16 } from '../gguf/float-formats.mjs';

/**
 * @typedef {{ shape: number[], dtype?: string, bytes: Uint8Array }} Stored dtype: F32 by default
 * @typedef {{ shape: number[], values: Float32Array }} Weights
 */

/**
 * A file of these tensors, in this order.
 *
 * @param {Iterable<[name: string, tensor: Stored]>} tensors
 * @param {(header: Record<string, any>) => void} [change] of the header before it is written
 */
export function safetensors(tensors, change = () => {}) {
  /** @type {Record<string, any>} */
  const header = { __metadata__: { format: 'pt' } };
  const data = [];
  let at = 0;
  for (const [name, { shape, dtype = 'F32', bytes }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.byteLength] };
    at += bytes.byteLength;
    data.push(bytes);
  }
  change(header);
  return withHeader(JSON.stringify(header), Buffer.concat(data));
}

/** A file with this text for a header. @param {string} text */
export function withHeader(text, data = Buffer.alloc(0)) {
  const utf8 = Buffer.from(text);
  const json = Buffer.concat([utf8, Buffer.alloc(-utf8.length & 7, ' ')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, data]);
}

/** What model.py writes. @type {Record<string, { width: number, read: (part: Buffer, at: number) => number }>} */
const numberTypes = {
  F32: { width: 4, read: (part, at) => part.readFloatLE(at) },
  F16: { width: 2, read: (part, at) => decodeFloat16(part.readUInt16LE(at)) },
  BF16: { width: 2, read: (part, at) => decodeBFloat16(part.readUInt16LE(at)) },
  I8: { width: 1, read: (part, at) => part.readInt8(at) },
};
// Codes are of a whole number of 32 columns a row, so that 32 codes in a row share a scale.
const scalesSuffix = '.scales';

/** All tensors of some files. @type {(paths: string[]) => Map<string, Weights>} */
export function readTensors(paths) {
  /** @type {Map<string, Weights>} */
  const found = new Map();
  for (const path of paths) {
    const bytes = readFileSync(path);
    const length = Number(bytes.readBigUInt64LE(0));
    const head = JSON.parse(bytes.toString('utf8', 8, 8 + length));
    delete head.__metadata__;
    for (const [key, { dtype, shape, data_offsets: at }] of Object.entries(head)) {
      const part = bytes.subarray(8 + length + at[0], 8 + length + at[1]);
      const { width, read } = numberTypes[dtype];
      const values = Float32Array.from({ length: part.length / width }, (_, i) =>
        read(part, width * i),
      );
      found.set(key, { shape, values });
    }
  }
  for (const [key, { values: scales }] of [...found]) {
    if (!key.endsWith(scalesSuffix)) continue;
    const codes = found.get(key.slice(0, -scalesSuffix.length))?.values ?? [];
    for (let i = 0; i < codes.length; i++) codes[i] *= scales[i >> 5];
    found.delete(key);
  }
  return found;
}
