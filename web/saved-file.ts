// SPDX-License-Identifier: MIT

// What is saved of a memory or a session: eight letters that say which, version and length of the
// header (32 bits each, little-endian), the header as JSON, padded with spaces to a multiple of 4,
// float32 arrays in the order in which its `arrays` has their lengths, and a SHA-256 of all that.
import { ModelError } from './errors.js';

/** Eight letters, the version that this package writes, and what it is for people. */
export interface SavedKind {
  magic: string;
  version: number;
  name: string;
}

const DIGEST_BYTES = 32;
const FIXED_BYTES = 16;

/**
 * @param facts plain values
 * @param arrays by name; views of a heap are copied once
 * @returns all but the checksum: `seal` it with that of its `bodyOf`
 */
export function encodeSaved(
  { magic, version }: SavedKind,
  facts: object,
  arrays: ReadonlyMap<string, Float32Array>,
): Uint8Array<ArrayBuffer> {
  const lengths = Object.fromEntries([...arrays].map(([name, { length }]) => [name, length]));
  const json = new TextEncoder().encode(JSON.stringify({ ...facts, arrays: lengths }));
  const headerBytes = Math.ceil(json.length / 4) * 4;
  const floats = [...arrays.values()].reduce((sum, { length }) => sum + length, 0);
  const body = FIXED_BYTES + headerBytes + 4 * floats;
  const bytes = new Uint8Array(body + DIGEST_BYTES);
  bytes.set(new TextEncoder().encode(magic));
  const view = new DataView(bytes.buffer);
  view.setUint32(8, version, true);
  view.setUint32(12, headerBytes, true);
  bytes.fill(0x20, FIXED_BYTES, FIXED_BYTES + headerBytes);
  bytes.set(json, FIXED_BYTES);
  let at = FIXED_BYTES + headerBytes;
  for (const array of arrays.values()) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return bytes;
}

/** What the checksum is of. */
export function bodyOf<Buffer extends ArrayBufferLike>(
  bytes: Uint8Array<Buffer>,
): Uint8Array<Buffer> {
  return bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES));
}

/** Adds the checksum. */
export function seal(bytes: Uint8Array, digest: Uint8Array): Uint8Array {
  bytes.set(digest, bytes.length - DIGEST_BYTES);
  return bytes;
}

/**
 * @param digest the SHA-256 of their `bodyOf`
 * @throws ModelError for bytes of another kind or version, cut short or damaged
 */
export function decodeSaved<Facts extends object>(
  { magic, version, name }: SavedKind,
  bytes: Uint8Array,
  digest: Uint8Array,
): Facts & { arrays: Map<string, Float32Array> } {
  if (new TextDecoder().decode(bytes.subarray(0, magic.length)) !== magic) {
    throw new ModelError('invalid_header', `these bytes are not a saved ${name}`);
  }
  const body = bytes.length - DIGEST_BYTES;
  if (body < FIXED_BYTES) throw new ModelError('truncated', `the saved ${name} is cut short`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = view.getUint32(8, true);
  if (found !== version) {
    throw new ModelError(
      'invalid_header',
      `the ${name} was saved in version ${found} of the format, this package reads ${version}`,
    );
  }
  if (!digest.every((byte, i) => byte === bytes[body + i])) {
    throw new ModelError('integrity', `the saved ${name} is damaged or cut short`);
  }
  let at = FIXED_BYTES + view.getUint32(12, true);
  const { arrays: lengths, ...facts } = JSON.parse(
    new TextDecoder().decode(bytes.subarray(FIXED_BYTES, at)),
  );
  const arrays = new Map<string, Float32Array>();
  for (const [array, length] of Object.entries<number>(lengths)) {
    // Copied: the bytes may begin anywhere.
    arrays.set(array, new Float32Array(bytes.slice(at, at + 4 * length).buffer));
    at += 4 * length;
  }
  return { ...facts, arrays };
}
