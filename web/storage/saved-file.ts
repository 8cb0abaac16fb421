// SPDX-License-Identifier: MIT

// What is saved of a memory or a session: eight letters that say which, version and length of the
// header (32 bits each, little-endian), the header as JSON, padded with spaces to a multiple of 4, the
// arrays in the order in which its `arrays` has them, and a SHA-256 of all that. There an array of
// float32 is its length; from version 2 on, one in fewer bytes is [type, length, bytes].
import { ModelError } from '../errors.js';
import { Sha256 } from './sha256.js';

/** Eight letters, the version that this package writes, and what it is for people. */
export interface SavedKind {
  magic: string;
  version: number;
  name: string;
}

/** Numbers in fewer bytes than as float32; compact.ts knows the types. */
export interface PackedArray {
  type: string;
  length: number;
  /** A multiple of 4. */
  bytes: Uint8Array<ArrayBuffer>;
}

export type SavedArray = Float32Array | PackedArray;

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
  arrays: ReadonlyMap<string, SavedArray>,
): Uint8Array<ArrayBuffer> {
  const listed = Object.fromEntries([...arrays].map(([name, array]) => [name, listing(array)]));
  const json = new TextEncoder().encode(JSON.stringify({ ...facts, arrays: listed }));
  const headerBytes = Math.ceil(json.length / 4) * 4;
  const parts = [...arrays.values()].map(bytesIn);
  const body = FIXED_BYTES + headerBytes + parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(body + DIGEST_BYTES);
  bytes.set(new TextEncoder().encode(magic));
  const view = new DataView(bytes.buffer);
  view.setUint32(8, version, true);
  view.setUint32(12, headerBytes, true);
  bytes.fill(0x20, FIXED_BYTES, FIXED_BYTES + headerBytes);
  bytes.set(json, FIXED_BYTES);
  let at = FIXED_BYTES + headerBytes;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

type Listing = number | [type: string, length: number, bytes: number];

function listing(array: SavedArray): Listing {
  return 'type' in array ? [array.type, array.length, array.bytes.length] : array.length;
}

function bytesIn(array: SavedArray): Uint8Array {
  if ('type' in array) return array.bytes;
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
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
 * @returns arrays of float32 only, where the version is 1
 * The facts are whatever the header says, their kinds for the caller to check: anybody can make a checksum.
 *
 * @throws ModelError for bytes of another kind or version, cut short or damaged
 */
export function decodeSaved<Facts extends object, Type extends SavedArray = Float32Array>(
  { magic, version, name }: SavedKind,
  bytes: Uint8Array,
  digest: Uint8Array,
): Facts & { arrays: Map<string, Type> } {
  if (new TextDecoder().decode(bytes.subarray(0, magic.length)) !== magic) {
    throw new ModelError('invalid_header', `these bytes are not a saved ${name}`);
  }
  const body = bytes.length - DIGEST_BYTES;
  if (body < FIXED_BYTES) throw new ModelError('truncated', `the saved ${name} is cut short`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = view.getUint32(8, true);
  if (found < 1 || found > version) {
    throw new ModelError(
      'invalid_header',
      `the ${name} was saved in version ${found} of the format, this package reads up to ${version}`,
    );
  }
  if (!digest.every((byte, i) => byte === bytes[body + i])) {
    throw new ModelError('integrity', `the saved ${name} is damaged or cut short`);
  }
  const wrong = (what: string) => new ModelError('invalid_header', `the saved ${name} ${what}`);
  let at = FIXED_BYTES + view.getUint32(12, true);
  if (at > body) throw wrong('has a header longer than itself');
  const { arrays: listed, ...facts } = headerOf(bytes.subarray(FIXED_BYTES, at), wrong);
  const arrays = new Map<string, SavedArray>();
  // Copied, as the bytes may begin anywhere; by this `slice`, as a Buffer's own does not copy.
  const copy = Uint8Array.prototype.slice;
  const next = (count: number) => {
    if (!isCount(count) || count > body - at) throw wrong('has arrays longer than itself');
    at += count;
    return copy.call(bytes, at - count, at) as Uint8Array<ArrayBuffer>;
  };
  for (const [array, entry] of Object.entries(listed)) {
    if (typeof entry === 'number') {
      arrays.set(array, new Float32Array(next(isCount(entry) ? 4 * entry : -1).buffer));
    } else {
      const [type, length, count] = Array.isArray(entry) ? entry : [];
      if (typeof type !== 'string' || !isCount(length)) throw wrong(`has no array in ${array}`);
      arrays.set(array, { type, length, bytes: next(count) });
    }
  }
  if (at !== body) throw wrong('has more in it than its header says');
  return { ...(facts as Facts), arrays: arrays as Map<string, Type> };
}

/** A whole number, 0 or more. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

function headerOf(
  json: Uint8Array,
  wrong: (what: string) => ModelError,
): Record<string, unknown> & { arrays: Record<string, unknown> } {
  let header: { arrays?: unknown } | null;
  try {
    header = JSON.parse(new TextDecoder().decode(json));
  } catch {
    throw wrong('has a header that is no JSON');
  }
  if (typeof header?.arrays !== 'object' || header.arrays === null) throw wrong('lists no arrays');
  return header as ReturnType<typeof headerOf>;
}

/**
 * Facts and arrays as bytes, with their checksum.
 *
 * @param arrays called when they are copied: they may be views of a heap that grows
 */
export async function sealed(
  kind: SavedKind,
  facts: object,
  arrays: () => ReadonlyMap<string, SavedArray>,
): Promise<Uint8Array> {
  const bytes = encodeSaved(kind, facts, arrays());
  return seal(bytes, await digest(bodyOf(bytes)));
}

/** And back. @throws ModelError `invalid_header`, `truncated`, `integrity` */
export async function opened<Facts extends object>(
  kind: SavedKind,
  bytes: Uint8Array,
): Promise<Facts & { arrays: ReadonlyMap<string, SavedArray> }> {
  const body = bodyOf(bytes) as Uint8Array<ArrayBuffer>;
  return decodeSaved<Facts, SavedArray>(kind, bytes, await digest(body));
}

// A state of 70 MB takes the engine's own 0.05 s where it has one, 0.35 s in JavaScript.
async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  const hash = new Sha256();
  hash.add(bytes);
  return hash.bytes();
}
