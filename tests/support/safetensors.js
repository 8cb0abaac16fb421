// SPDX-License-Identifier: MIT
// Safetensors files for tests.

/** @typedef {{ shape: number[], dtype?: string, bytes: Uint8Array }} Stored */

/**
 * A file of these tensors, in this order.
 *
 * @param {Record<string, Stored>} tensors
 * @param {(header: Record<string, any>) => void} [change] of the header before it is written
 */
export function safetensors(tensors, change = () => {}) {
  const header = { __metadata__: { format: 'pt' } };
  let at = 0;
  for (const [name, { shape, dtype = 'F32', bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.byteLength] };
    at += bytes.byteLength;
  }
  change(header);
  const data = Object.values(tensors).map(({ bytes }) => bytes);
  return withHeader(JSON.stringify(header), Buffer.concat(data));
}

/** A file with this text for a header. */
export function withHeader(text, data = Buffer.alloc(0)) {
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, data]);
}

/** A tensor of values, as F32 or in their upper halves as BF16. */
export function tensorOf(shape, values, dtype = 'F32') {
  const wide = Float32Array.from(values);
  if (dtype === 'F32') return { shape, dtype, bytes: new Uint8Array(wide.buffer) };
  const halves = Uint16Array.from(new Uint32Array(wide.buffer), (bits) => bits >>> 16);
  return { shape, dtype, bytes: new Uint8Array(halves.buffer) };
}
