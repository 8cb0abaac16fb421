// SPDX-License-Identifier: MIT

// Looked up once: in a sandboxed realm every use of a global is slow.
const { imul } = Math;

/**
 * (left, right) -> rank and merged symbol, symbols being 0 or more: open addressing, four integers a
 * slot, at most half full.
 */
export class PairTable {
  #slots: Int32Array;
  #mask: number;
  // Unforeseeable, so that no file can be made whose pairs all collide.
  #seed = (Math.random() * 2 ** 32) | 0;

  /** @param pairs most that will be added */
  constructor(pairs: number) {
    const capacity = 1 << Math.ceil(Math.log2(pairs * 2 + 2));
    this.#mask = capacity - 1;
    this.#slots = new Int32Array(capacity * 4).fill(-1);
  }

  /** Adds a pair; of equal ones the first counts. */
  add(left: number, right: number, rank: number, merged: number): void {
    const slot = this.#probe(left, right);
    const slots = this.#slots;
    if ((slots[slot] as number) >= 0) return;
    slots[slot] = left;
    slots[slot + 1] = right;
    slots[slot + 2] = rank;
    slots[slot + 3] = merged;
  }

  /** A number for {@link rank} and {@link merged}, or -1. */
  find(left: number, right: number): number {
    const slot = this.#probe(left, right);
    return (this.#slots[slot] as number) < 0 ? -1 : slot;
  }

  rank(slot: number): number {
    return this.#slots[slot + 2] as number;
  }

  merged(slot: number): number {
    return this.#slots[slot + 3] as number;
  }

  #probe(left: number, right: number): number {
    const slots = this.#slots;
    let hash = imul(imul(left ^ this.#seed, 0x9e3779b1) ^ right, 0x85ebca77);
    hash ^= hash >>> 15;
    for (let index = hash & this.#mask; ; index = (index + 1) & this.#mask) {
      const slot = index * 4;
      const found = slots[slot] as number;
      if (found < 0 || (found === left && slots[slot + 1] === right)) return slot;
    }
  }
}
