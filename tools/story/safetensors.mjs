// SPDX-License-Identifier: MIT
//
// Safetensors files, as Hugging Face's library writes them: the length of a JSON header in 8 bytes, the header, the tensors.

/** @typedef {{ shape: number[], dtype?: string, bytes: Uint8Array }} Stored dtype: F32 by default */

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
