// SPDX-License-Identifier: MIT

// GPT-2's printable stand-ins: bytes that print stand for themselves, the other 68 for U+0100 on.
const CHARS: string[] = [];
const BYTES = new Map<number, number>();

for (let byte = 0, moved = 0; byte < 256; byte++) {
  const prints = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  const code = prints ? byte : 256 + moved++;
  CHARS.push(String.fromCharCode(code));
  BYTES.set(code, byte);
}

/** The character that stands for each byte in the text of a byte-level token. */
export const BYTE_CHARS: readonly string[] = CHARS;

const utf8 = new TextEncoder();

/**
 * The bytes a byte-level token stands for. A character outside the alphabet, which only a token
 * added by hand can have, gives its UTF-8 bytes.
 */
export function tokenBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of text) {
    const byte = BYTES.get(char.codePointAt(0) as number);
    if (byte === undefined) bytes.push(...utf8.encode(char));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
