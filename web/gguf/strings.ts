// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { HeaderCursor } from './cursor.js';

// A byte-order mark is a token like any other, so it must survive.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const BATCH_STRINGS = 4096;
const BATCH_BYTES = 1 << 16;

/**
 * Reads one string: u64 length, bytes.
 *
 * @param maxBytes longest length to accept
 * @throws ModelError `invalid_header` for an impossible length, `invalid_metadata` for bad UTF-8
 */
export async function readString(
  cursor: HeaderCursor,
  what: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  await cursor.need(8, what);
  const length = cursor.count(`the length of ${what}`);
  if (length > maxBytes) throw cursor.invalid(`${what} has ${length} bytes, at most ${maxBytes}`);
  await cursor.need(length, what);
  const start = cursor.at;
  cursor.at += length;
  return decode(cursor, cursor.bytes.subarray(start, cursor.at), what);
}

/**
 * Reads `count` strings. They are decoded in batches, since one call of a TextDecoder costs more
 * than a token is long: 500,000 short strings take 0.1 s instead of 0.5 s.
 */
export async function readStrings(
  cursor: HeaderCursor,
  count: number,
  what: string,
): Promise<string[]> {
  const strings: string[] = [];
  const scratch = new Uint8Array(BATCH_BYTES);
  const ends = new Int32Array(BATCH_STRINGS);
  while (strings.length < count) {
    const batch = gather(cursor, Math.min(BATCH_STRINGS, count - strings.length), scratch, ends);
    if (batch.strings === 0) {
      // Longer than a batch, not yet here, or starting within a code point.
      strings.push(await readString(cursor, `${what}[${strings.length}]`));
      continue;
    }
    const where = `${what}[${strings.length}..${strings.length + batch.strings - 1}]`;
    const text = decode(cursor, scratch.subarray(0, batch.bytes), where);
    let start = 0;
    for (let i = 0; i < batch.strings; i++) {
      const end = ends[i] as number;
      strings.push(text.slice(start, end));
      start = end;
    }
  }
  return strings;
}

// Copies the bytes of whole strings in the window to `scratch` and notes where each ends, in UTF-16
// units: one for every byte that is not a continuation, one more for a four-byte sequence.
function gather(
  cursor: HeaderCursor,
  limit: number,
  scratch: Uint8Array,
  ends: Int32Array,
): { strings: number; bytes: number } {
  const { bytes } = cursor;
  const last = bytes.byteLength;
  let at = cursor.at;
  let filled = 0;
  let units = 0;
  let strings = 0;
  while (strings < limit && at + 8 <= last) {
    const length =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    const high =
      (bytes[at + 3] as number) |
      (bytes[at + 4] as number) |
      (bytes[at + 5] as number) |
      (bytes[at + 6] as number) |
      (bytes[at + 7] as number);
    const from = at + 8;
    const to = from + length;
    if (high !== 0 || to > last || filled + length > scratch.byteLength) break;
    // Joined text splits where it should only if no string starts inside a code point.
    if (length > 0 && ((bytes[from] as number) & 0xc0) === 0x80) break;
    for (let i = from; i < to; i++) {
      const byte = bytes[i] as number;
      scratch[filled++] = byte;
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    ends[strings++] = units;
    at = to;
  }
  cursor.at = at;
  return { strings, bytes: filled };
}

function decode(cursor: HeaderCursor, bytes: Uint8Array, what: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const message = `${cursor.name}: ${what} is not UTF-8 text`;
    throw new ModelError('invalid_metadata', message, { subject: what, cause });
  }
}
