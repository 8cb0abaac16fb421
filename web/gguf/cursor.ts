// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { HeaderSource } from './types.js';

/** No real header comes near this: 250,000 tokens and merges make 11 MB. */
export const MAX_HEADER_BYTES = 256 << 20;

/**
 * A window over the head of a file that grows as a parser asks for more. The parser calls
 * {@link need} where bytes may be missing, and reads without waiting after that.
 */
export class HeaderCursor {
  /** The window; valid until the next {@link need}. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Next byte within the window. */
  at = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #base = 0;
  #source: HeaderSource;

  constructor(source: HeaderSource) {
    this.#source = source;
  }

  /** Offset in the file of the next byte. */
  get offset(): number {
    return this.#base + this.at;
  }

  /** Bytes that can be read without waiting. */
  get available(): number {
    return this.bytes.byteLength - this.at;
  }

  /** Bytes the header can still have, by the file's size if known and by the limit. */
  get room(): number {
    return Math.min(this.#source.size ?? MAX_HEADER_BYTES, MAX_HEADER_BYTES) - this.offset;
  }

  /** Name of the file, for messages. */
  get name(): string {
    return this.#source.name;
  }

  /**
   * Waits until `count` bytes are in the window. Nothing is allocated for bytes that the file
   * cannot have.
   *
   * @throws ModelError `truncated` when the file ends before, `invalid_header` past the limit
   */
  async need(count: number, what: string): Promise<void> {
    if (this.available >= count) return;
    if (count > this.room) {
      const { size } = this.#source;
      if (size !== undefined && this.offset + count > size) throw this.truncated(what);
      throw this.invalid(`${what}: the header is longer than ${MAX_HEADER_BYTES} bytes`);
    }
    const chunks = [this.bytes.subarray(this.at)];
    let total = this.available;
    while (total < count) {
      const chunk = await this.#source.read();
      if (!chunk) throw this.truncated(what);
      total += chunk.byteLength;
      // The next one may come in its place.
      chunks.push(total < count ? chunk.slice() : chunk);
    }
    this.#base += this.at;
    this.at = 0;
    this.bytes = new Uint8Array(total);
    let filled = 0;
    for (const chunk of chunks) {
      this.bytes.set(chunk, filled);
      filled += chunk.byteLength;
    }
    this.#view = new DataView(this.bytes.buffer);
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#advance(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#advance(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#advance(4), true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#advance(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#advance(8), true);
  }

  u64(): number | bigint {
    return narrow(this.#view.getBigUint64(this.#advance(8), true));
  }

  i64(): number | bigint {
    return narrow(this.#view.getBigInt64(this.#advance(8), true));
  }

  /** A u64 that counts or measures something; 2^53 and above cannot be meant. */
  count(what: string): number {
    const low = this.u32();
    const high = this.u32();
    if (high >= 1 << 21) throw this.invalid(`${what} is ${high * 2 ** 32 + low}`);
    return high * 2 ** 32 + low;
  }

  /** `invalid_header` at the present offset. */
  invalid(what: string, subject = this.name): ModelError {
    return new ModelError('invalid_header', `${this.name}: ${what} (byte ${this.offset})`, {
      subject,
    });
  }

  /** `truncated`: the file ends inside `what`. */
  truncated(what: string): ModelError {
    const { size, position } = this.#source;
    const message = `${this.name}: the file ends at byte ${size ?? position}, inside its header (${what})`;
    return new ModelError('truncated', message, { subject: this.name });
  }

  #advance(count: number): number {
    const at = this.at;
    this.at += count;
    return at;
  }
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
