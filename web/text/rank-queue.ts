// SPDX-License-Identifier: MIT

// Above any word length; ranks stay below 2^22, so both fit in the 53 bits of a number.
const POSITIONS = 2 ** 31;

/** A priority queue of (rank, position): lowest rank first, leftmost position among equals. */
export class RankQueue {
  #keys: number[] = [];

  /** Entries waiting. */
  get size(): number {
    return this.#keys.length;
  }

  /** Rank of the first entry; the queue must not be empty. */
  get minRank(): number {
    const first = this.#keys[0] as number;
    return (first - (first % POSITIONS)) / POSITIONS;
  }

  /** Adds an entry. */
  push(rank: number, position: number): void {
    const keys = this.#keys;
    const key = rank * POSITIONS + position;
    let at = keys.push(key) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((keys[parent] as number) <= key) break;
      keys[at] = keys[parent] as number;
      at = parent;
    }
    keys[at] = key;
  }

  /** Takes the first entry away and gives its position; the queue must not be empty. */
  popPosition(): number {
    const keys = this.#keys;
    const first = keys[0] as number;
    const key = keys.pop() as number;
    const count = keys.length;
    if (count > 0) {
      let at = 0;
      for (let child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && (keys[child + 1] as number) < (keys[child] as number)) child += 1;
        if ((keys[child] as number) >= key) break;
        keys[at] = keys[child] as number;
        at = child;
      }
      keys[at] = key;
    }
    return first % POSITIONS;
  }
}
