// SPDX-License-Identifier: MIT
// Fetched only where a file is cached or verified. Not crypto.subtle: that wants a file whole.
import { sha256 } from '@noble/hashes/sha2.js';

/** The SHA-256 of bytes that come in pieces. */
export class Sha256 {
  #hash = sha256.create();

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The digest, 32 bytes; nothing can be added after it. */
  bytes(): Uint8Array {
    return this.#hash.digest();
  }

  /** The same as 64 hex digits. */
  hex(): string {
    return Array.from(this.bytes(), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
