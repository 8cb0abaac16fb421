// SPDX-License-Identifier: MIT
import { ByteTrie } from './byte-trie.js';
import { TokenKind, type Vocabulary } from './vocabulary.js';
import type { WordEncoder } from './word-cache.js';

const utf8 = new TextEncoder();

/** RWKV's World tokenizer: from left to right the longest token, byte by byte. Time is linear. */
export class WorldEncoder implements WordEncoder {
  #trie = new ByteTrie();
  #unknown: number | undefined;

  /** @param vocabulary whose texts have Python's escapes; see {@link unescapeBytes} */
  constructor({ tokens, kinds, unknownToken }: Vocabulary) {
    this.#unknown = unknownToken;
    for (let id = 0; id < tokens.length; id++) {
      // A text of others must not end a document by writing what stands for that in the file.
      if (kinds[id] !== TokenKind.Normal && kinds[id] !== TokenKind.UserDefined) continue;
      this.#trie.add(unescapeBytes(tokens.at(id) as string), id);
    }
  }

  encode(text: string, out: number[]): void {
    const bytes = utf8.encode(text);
    for (let at = 0; at < bytes.length; ) {
      const id = this.#trie.longest(bytes, at);
      if (id >= 0) out.push(id);
      else if (this.#unknown !== undefined) out.push(this.#unknown);
      at += id >= 0 ? this.#trie.length : 1;
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

/** The bytes of a text like Python's `repr(bytes)`: `\t`, `\n`, `\r`, `\x0a`, `\\`, `\'`. */
export function unescapeBytes(text: string): Uint8Array {
  if (!text.includes('\\')) return utf8.encode(text);
  const bytes: number[] = [];
  for (const [part, hex, char] of text.matchAll(/\\x([0-9a-fA-F]{2})|\\([\s\S])|[^\\]+|\\$/gu)) {
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else append(bytes, utf8.encode(char === undefined ? part : (ESCAPES[char] ?? char)));
  }
  return Uint8Array.from(bytes);
}

/** Adds bytes, as many as there are: spread into a call, they overflow the stack. */
export function append(bytes: number[], more: Uint8Array): void {
  for (const byte of more) bytes.push(byte);
}

/** The opposite of {@link unescapeBytes}. */
export function escapeBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    const letter = Object.keys(ESCAPES).find((name) => ESCAPES[name] === char);
    if (letter) text += `\\${letter}`;
    else if (char === '\\') text += '\\\\';
    else if (byte >= 0x20 && byte < 0x7f) text += char;
    else text += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}
