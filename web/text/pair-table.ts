// SPDX-License-Identifier: MIT

// Looked up once: in a sandboxed realm every use of a global is slow.
const { imul } = Math;

/** What a file's merges come to: numbers of symbols, by rank. */
export interface MergePairs {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly merged: Int32Array;
  /** The symbols of the 256 bytes. */
  readonly bytes: Int32Array;
}

/** (left, right) -> rank, symbols being 0 or more: open addressing, at most half full. */
export class PairTable {
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  #slots: Int32Array = new Int32Array(0);
  #mask = 0;
  // Unforeseeable, so that no file can be made whose pairs all collide.
  readonly #seed = (Math.random() * 2 ** 32) | 0;

  /** Of equal pairs the first counts. */
  constructor({ left, right }: Pick<MergePairs, 'left' | 'right'>) {
    this.#left = left;
    this.#right = right;
  }

  // When it is first asked: 15 ms for 250,000 pairs, which a model is not to be waited for.
  #build(): void {
    const [left, right] = [this.#left, this.#right];
    this.#mask = (1 << Math.ceil(Math.log2(left.length * 2 + 2))) - 1;
    this.#slots = new Int32Array(this.#mask + 1).fill(-1);
    for (let rank = 0; rank < left.length; rank++) {
      const slot = this.#probe(left[rank] as number, right[rank] as number);
      if ((this.#slots[slot] as number) < 0) this.#slots[slot] = rank;
    }
  }

  /** The rank of a pair, or -1. */
  find(left: number, right: number): number {
    if (this.#mask === 0) this.#build();
    return this.#slots[this.#probe(left, right)] as number;
  }

  #probe(left: number, right: number): number {
    let hash = imul(imul(left ^ this.#seed, 0x9e3779b1) ^ right, 0x85ebca77);
    hash ^= hash >>> 15;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const rank = this.#slots[slot] as number;
      if (rank < 0 || (this.#left[rank] === left && this.#right[rank] === right)) return slot;
    }
  }
}
