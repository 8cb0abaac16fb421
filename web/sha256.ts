// SPDX-License-Identifier: MIT
// Fetched only where a file is cached or verified. Not crypto.subtle: that wants a file whole.
import { sha256 } from '@noble/hashes/sha2.js';

/** The SHA-256 of bytes that come in pieces. */
export class Sha256 {
  #hash = sha256.create();

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The digest as 64 hex digits; nothing can be added after it. */
  hex(): string {
    return Array.from(this.#hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
