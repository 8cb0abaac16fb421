// SPDX-License-Identifier: MIT

const utf8 = new TextEncoder();
const texts = new TextDecoder('utf-8', { ignoreBOM: true });

// Texts that are decoded together: a call of a TextDecoder costs more than a token is long.
const PAGE = 256;

/**
 * Texts by number, kept as their UTF-8 bytes one after the other. Half a million of them take 5 MB and are
 * looked at in milliseconds, where as many JavaScript strings took 30 MB and 0.1 s to be made; those that
 * are asked for are decoded, with their neighbours.
 */
export class TextColumn implements Iterable<string> {
  /** The bytes of all. */
  readonly bytes: Uint8Array;
  /** Where each ends in {@link bytes}. */
  readonly ends: Uint32Array;
  #pages: string[][] = [];

  /** @param bytes whole UTF-8 sequences in each text */
  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.bytes = bytes;
    this.ends = ends;
  }

  static of(given: Iterable<string>): TextColumn {
    const column = new GrowingColumn();
    for (const text of given) {
      // Three bytes at most for each unit.
      const room = column.roomFor(3 * text.length);
      column.end(utf8.encodeInto(text, room).written);
    }
    return column.whole();
  }

  get length(): number {
    return this.ends.length;
  }

  /** Where text `index` starts in {@link bytes}. */
  start(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] as number);
  }

  /** Which texts begin with one of some bytes; nothing is decoded for it. */
  startingWith(firstBytes: Iterable<number>): number[] {
    const { bytes, ends, length } = this;
    const wanted = new Uint8Array(256);
    for (const byte of firstBytes) wanted[byte] = 1;
    const found: number[] = [];
    let start = 0;
    for (let index = 0; index < length; index++) {
      const end = ends[index] as number;
      if (start < end && wanted[bytes[start] as number]) found.push(index);
      start = end;
    }
    return found;
  }

  /** Undefined where there is no such text. */
  at(index: number): string | undefined {
    if (!(index >= 0 && index < this.length)) return undefined;
    const page = Math.floor(index / PAGE);
    this.#pages[page] ??= this.#decode(page * PAGE);
    return this.#pages[page]?.[index % PAGE];
  }

  /** The last text that is this one, or -1. */
  lastIndexOf(text: string): number {
    const wanted = utf8.encode(text);
    for (let index = this.length - 1; index >= 0; index--) {
      const start = this.start(index);
      if ((this.ends[index] as number) - start !== wanted.length) continue;
      if (wanted.every((byte, i) => this.bytes[start + i] === byte)) return index;
    }
    return -1;
  }

  /** With empty texts behind, as many as `length` in all. */
  padTo(length: number): TextColumn {
    const ends = new Uint32Array(length).fill(this.start(this.length));
    ends.set(this.ends);
    return new TextColumn(this.bytes, ends);
  }

  *[Symbol.iterator](): IterableIterator<string> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as string;
  }

  #decode(first: number): string[] {
    const end = Math.min(first + PAGE, this.length);
    const from = this.start(first);
    const bytes = this.bytes.subarray(from, this.ends[end - 1]);
    const text = texts.decode(bytes);
    const page: string[] = [];
    let start = 0;
    let at = 0;
    for (let index = first; index < end; index++) {
      // In UTF-16 units: one for each byte that is not a continuation, one more for a four-byte sequence.
      let units = start;
      for (const stop = (this.ends[index] as number) - from; at < stop; at++) {
        const byte = bytes[at] as number;
        if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
      }
      page.push(text.slice(start, units));
      start = units;
    }
    return page;
  }
}

/** A {@link TextColumn} that is being made. */
export class GrowingColumn {
  #bytes = new Uint8Array(1 << 12);
  #filled = 0;
  #ends = new Uint32Array(1 << 8);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Room for the next text, of `bytes` at most. */
  roomFor(bytes: number): Uint8Array {
    const end = this.#filled + bytes;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#filled));
      this.#bytes = grown;
    }
    return this.#bytes.subarray(this.#filled, end);
  }

  /** Adds the text whose `bytes` bytes stand in the room that was given last. */
  end(bytes: number): void {
    if (this.#length === this.#ends.length) {
      const grown = new Uint32Array(2 * this.#length);
      grown.set(this.#ends);
      this.#ends = grown;
    }
    this.#filled += bytes;
    this.#ends[this.#length++] = this.#filled;
  }

  whole(): TextColumn {
    return new TextColumn(this.#bytes.slice(0, this.#filled), this.#ends.slice(0, this.#length));
  }
}
