// SPDX-License-Identifier: MIT

// Looked up once: in a sandboxed realm every use of a global is slow.
const { imul } = Math;

/**
 * Texts by number and numbers by text, for lookups of parts of strings without making them: a merge
 * `left right` needs left, right and both joined found, and a Map of strings would have to slice,
 * join and hash each, which takes four times as long for 250,000 merges.
 */
export class TokenIndex {
  #texts: string[];
  #slots: Int32Array;
  #mask: number;
  // Unforeseeable, so that no file can be made whose texts all collide.
  #seed = (Math.random() * 2 ** 32) | 0;

  /** @param texts numbered by position; of equal ones the last counts */
  constructor(texts: readonly string[]) {
    this.#texts = texts.slice();
    this.#mask = (1 << Math.ceil(Math.log2(texts.length * 2 + 2))) - 1;
    this.#slots = new Int32Array(0);
    this.#rebuild();
  }

  /** How many texts there are. */
  get size(): number {
    return this.#texts.length;
  }

  /** The text of a number below {@link size}. */
  text(number: number): string {
    return this.#texts[number] as string;
  }

  /** The number of a text, or -1. */
  find(text: string): number {
    return this.#slots[this.#probe(text, 0, text.length, -1)] as number;
  }

  /** The number of `text` from `start` to `end` without the unit at `skip`, or -1. */
  findPart(text: string, start: number, end: number, skip = -1): number {
    return this.#slots[this.#probe(text, start, end, skip)] as number;
  }

  /** Adds a text that is not there yet, and gives its number. */
  add(text: string): number {
    const number = this.#texts.push(text) - 1;
    if (this.size * 2 > this.#mask) {
      this.#mask = this.#mask * 2 + 1;
      this.#rebuild();
    } else {
      this.#slots[this.#probe(text, 0, text.length, -1)] = number;
    }
    return number;
  }

  #rebuild(): void {
    this.#slots = new Int32Array(this.#mask + 1).fill(-1);
    for (let number = 0; number < this.size; number++) {
      const text = this.text(number);
      this.#slots[this.#probe(text, 0, text.length, -1)] = number;
    }
  }

  // The slot that holds the text, or the empty one where it belongs.
  #probe(text: string, start: number, end: number, skip: number): number {
    let hash = this.#seed;
    for (let i = start; i < end; i++) {
      if (i !== skip) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
    hash ^= hash >>> 15;
    const length = end - start - (skip < 0 ? 0 : 1);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = this.#slots[slot] as number;
      if (number < 0) return slot;
      const found = this.text(number);
      if (found.length === length && isPart(found, text, start, skip)) return slot;
    }
  }
}

function isPart(found: string, text: string, start: number, skip: number): boolean {
  for (let i = 0, at = start; i < found.length; i++, at++) {
    if (at === skip) at += 1;
    if (found.charCodeAt(i) !== text.charCodeAt(at)) return false;
  }
  return true;
}
