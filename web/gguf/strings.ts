// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { HeaderCursor } from './cursor.js';
import { GrowingColumn, type TextColumn } from './text-column.js';

// A byte-order mark is a token like any other, so it must survive.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const LENGTH_BYTES = 8;
// Strings that are checked together: one call of a TextDecoder costs more than a token is long.
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
  await cursor.need(LENGTH_BYTES, what);
  const length = cursor.count(`the length of ${what}`);
  if (length > maxBytes) throw cursor.invalid(`${what} has ${length} bytes, at most ${maxBytes}`);
  await cursor.need(length, what);
  const start = cursor.at;
  cursor.at += length;
  return decode(cursor, cursor.bytes.subarray(start, cursor.at), what);
}

/** Reads `count` strings, each checked as {@link readString} does. */
export async function readStrings(
  cursor: HeaderCursor,
  count: number,
  what: string,
): Promise<TextColumn> {
  const column = new GrowingColumn();
  while (column.length < count) {
    await cursor.need(LENGTH_BYTES, `${what}[${column.length}]`);
    const first = column.length;
    const room = column.roomFor(Math.min(BATCH_BYTES, cursor.available));
    const filled = gather(cursor, count, room, column);
    if (column.length > first) {
      decode(cursor, room.subarray(0, filled), `${what}[${first}..${column.length - 1}]`);
      continue;
    }
    // Longer than a batch, not yet here, or not UTF-8.
    const name = `${what}[${first}]`;
    const length = cursor.count(`the length of ${name}`);
    await cursor.need(length, name);
    const bytes = cursor.bytes.subarray(cursor.at, cursor.at + length);
    cursor.at += length;
    decode(cursor, bytes, name);
    column.roomFor(length).set(bytes);
    column.end(length);
  }
  return column.whole();
}

// Copies the bytes of whole strings in the window to `room`; returns how many.
function gather(
  cursor: HeaderCursor,
  count: number,
  room: Uint8Array,
  column: GrowingColumn,
): number {
  const { bytes } = cursor;
  const last = bytes.byteLength;
  let at = cursor.at;
  let filled = 0;
  while (column.length < count && at + LENGTH_BYTES <= last) {
    const length =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    const high =
      (bytes[at + 3] as number) |
      (bytes[at + 4] as number) |
      (bytes[at + 5] as number) |
      (bytes[at + 6] as number) |
      (bytes[at + 7] as number);
    const from = at + LENGTH_BYTES;
    const to = from + length;
    if (high !== 0 || to > last || filled + length > room.byteLength) break;
    // What is right when joined is right in parts only if none starts inside a code point.
    if (length > 0 && ((bytes[from] as number) & 0xc0) === 0x80) break;
    for (let i = from; i < to; i++) room[filled++] = bytes[i] as number;
    column.end(length);
    at = to;
  }
  cursor.at = at;
  return filled;
}

function decode(cursor: HeaderCursor, bytes: Uint8Array, what: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const message = `${cursor.name}: ${what} is not UTF-8 text`;
    throw new ModelError('invalid_metadata', message, { subject: what, cause });
  }
}
