// SPDX-License-Identifier: MIT
import type { TokenIndex } from './token-index.js';

const utf8 = new TextEncoder();

/** What becomes of characters that are no tokens. */
export interface FallbackOptions {
  /** Their UTF-8 bytes, as tokens `<0x00>` to `<0xFF>`, where all of those are there. */
  bytes: boolean;
  /** Else this token, if there is one; else nothing. */
  unknown: number | undefined;
  /** Whether neighbours among them become one unknown token. */
  fuse: boolean;
}

/** Characters to the tokens of their bytes, or to the unknown token. */
export class ByteFallback {
  #ids: Int32Array;
  #unknown: number | undefined;
  #fuse: boolean;

  constructor(tokens: TokenIndex, { bytes, unknown, fuse }: FallbackOptions) {
    const name = (byte: number) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
    const id = (_: number, byte: number) => (bytes ? tokens.find(name(byte)) : -1);
    this.#ids = Int32Array.from({ length: 256 }, id);
    this.#unknown = unknown;
    this.#fuse = fuse;
  }

  /**
   * Appends the ids of `text`.
   *
   * @param follows whether the last id stands for such characters, too
   */
  add(text: string, ids: number[], follows: boolean): void {
    const found = Array.from(utf8.encode(text), (byte) => this.#ids[byte] as number);
    if (found.every((id) => id >= 0)) ids.push(...found);
    else if (this.#unknown !== undefined) {
      if (!(this.#fuse && follows && ids.at(-1) === this.#unknown)) ids.push(this.#unknown);
    }
  }
}

const BYTE_TOKEN = /^<0x([0-9A-Fa-f]{2})>$/;

/** The byte that a token `<0x0A>` stands for. */
export function byteOf(token: string): number | undefined {
  const hex = BYTE_TOKEN.exec(token)?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}
