// SPDX-License-Identifier: MIT

// A saved memory: eight letters, version and length of the header (32 bits each, little-endian), the
// header as JSON, padded with spaces to a multiple of 4, float32 arrays in the order in which it
// has them, and a SHA-256 of all that.
import { ModelError } from './errors.js';
import type { Sha256 } from './sha256.js';

/** What a saved memory says of itself, and its arrays. */
export interface SavedMemory {
  rule: string;
  shape: { heads: number; keyHeads: number; keyDim: number; valueDim: number };
  /** Numbers, flags and choices; arrays are among `arrays`, under `settings.` and their name. */
  settings: Record<string, number | boolean | string>;
  /** Tokens that it has seen. */
  tokens: number;
  arrays: Map<string, Float32Array>;
}

const MAGIC = 'fwmemory';
const VERSION = 1;
const DIGEST_BYTES = 32;
const FIXED_BYTES = 16;

type Hash = new () => Sha256;

/** @param hash what makes the checksum */
export function encodeMemory({ arrays, ...facts }: SavedMemory, hash: Hash): Uint8Array {
  const lengths = Object.fromEntries([...arrays].map(([name, { length }]) => [name, length]));
  const json = JSON.stringify({ ...facts, arrays: lengths });
  const header = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
  const floats = [...arrays.values()].reduce((sum, { length }) => sum + length, 0);
  const body = FIXED_BYTES + header.length + 4 * floats;
  const bytes = new Uint8Array(body + DIGEST_BYTES);
  bytes.set(new TextEncoder().encode(MAGIC));
  const view = new DataView(bytes.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, header.length, true);
  bytes.set(header, FIXED_BYTES);
  let at = FIXED_BYTES + header.length;
  for (const array of arrays.values()) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  bytes.set(digest(bytes.subarray(0, body), hash), body);
  return bytes;
}

/** @throws ModelError for bytes that are no saved memory, of another version, cut short or damaged */
export function decodeMemory(bytes: Uint8Array, hash: Hash): SavedMemory {
  if (new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new ModelError('invalid_header', 'these bytes are not a saved memory');
  }
  const body = bytes.length - DIGEST_BYTES;
  if (body < FIXED_BYTES) throw new ModelError('truncated', 'the saved memory is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw new ModelError(
      'invalid_header',
      `the memory was saved in version ${version} of the format, this package reads ${VERSION}`,
    );
  }
  const found = digest(bytes.subarray(0, body), hash);
  if (!found.every((byte, i) => byte === bytes[body + i])) {
    throw new ModelError('integrity', 'the saved memory is damaged or cut short');
  }
  const start = FIXED_BYTES + view.getUint32(12, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(FIXED_BYTES, start)));
  const arrays = new Map<string, Float32Array>();
  let at = start;
  for (const [name, length] of Object.entries<number>(header.arrays)) {
    // Copied: the bytes may begin anywhere.
    arrays.set(name, new Float32Array(bytes.slice(at, at + 4 * length).buffer));
    at += 4 * length;
  }
  return { ...header, arrays };
}

function digest(bytes: Uint8Array, hash: Hash): Uint8Array {
  const sum = new hash();
  sum.add(bytes);
  return Uint8Array.from(sum.hex().match(/../g) as string[], (pair) => Number.parseInt(pair, 16));
}
