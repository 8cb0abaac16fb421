// SPDX-License-Identifier: MIT
import { Sha256 } from './sha256.js';

/** What files are called after a text, whatever is in it and however long it is. */
export function keyOf(text: string): string {
  const hash = new Sha256();
  hash.add(new TextEncoder().encode(text));
  return hash.hex();
}
