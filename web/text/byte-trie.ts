// SPDX-License-Identifier: MIT

// Looked up once: in a sandboxed realm every use of a global is slow.
const { imul } = Math;

/** Byte strings and a number for each: finds the longest one at a place. */
export class ByteTrie {
  // Node 0 is the empty string; the number of each, or -1.
  #values = new Int32Array(1024).fill(-1);
  #nodes = 1;
  // (node * 256 + byte) -> the next node: open addressing, two integers a slot, at most half full.
  #slots = new Int32Array(4096).fill(-1);
  #mask = 2047;
  // Unforeseeable, so that no file can be made whose bytes all collide.
  #seed = (Math.random() * 2 ** 32) | 0;
  /** How long the match was that `longest` found. */
  length = 0;

  /** Adds a string that is not empty; of equal ones the last counts. */
  add(bytes: Uint8Array, value: number): void {
    let node = 0;
    for (const byte of bytes) node = this.#next(node, byte) ?? this.#add(node, byte);
    this.#values[node] = value;
  }

  /** The number of the longest string that `bytes` has at `start`, or -1; see `length`. */
  longest(bytes: Uint8Array, start: number): number {
    let found = -1;
    let node: number | undefined = 0;
    for (let at = start; at < bytes.length; at++) {
      node = this.#next(node, bytes[at] as number);
      if (node === undefined) break;
      const value = this.#values[node] as number;
      if (value >= 0) {
        found = value;
        this.length = at + 1 - start;
      }
    }
    return found;
  }

  #next(node: number, byte: number): number | undefined {
    const next = this.#slots[this.#probe(node * 256 + byte) + 1] as number;
    return next < 0 ? undefined : next;
  }

  #add(node: number, byte: number): number {
    if (this.#nodes * 2 > this.#mask) this.#grow();
    if (this.#nodes === this.#values.length) {
      const values = new Int32Array(this.#nodes * 2).fill(-1);
      values.set(this.#values);
      this.#values = values;
    }
    const key = node * 256 + byte;
    const slot = this.#probe(key);
    this.#slots[slot] = key;
    this.#slots[slot + 1] = this.#nodes;
    return this.#nodes++;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2).fill(-1);
    this.#mask = this.#mask * 2 + 1;
    for (let i = 0; i < old.length; i += 2) {
      const key = old[i] as number;
      if (key < 0) continue;
      const slot = this.#probe(key);
      this.#slots[slot] = key;
      this.#slots[slot + 1] = old[i + 1] as number;
    }
  }

  #probe(key: number): number {
    let hash = imul(key ^ this.#seed, 0x9e3779b1);
    hash ^= hash >>> 15;
    for (let index = hash & this.#mask; ; index = (index + 1) & this.#mask) {
      const found = this.#slots[index * 2] as number;
      if (found < 0 || found === key) return index * 2;
    }
  }
}
