// SPDX-License-Identifier: MIT

import type { TextColumn } from '../gguf/text-column.js';

// Looked up once: in a sandboxed realm every use of a global is slow.
const { imul } = Math;

const utf8 = new TextEncoder();

/**
 * Texts by number and numbers by text, by their bytes: a merge `left right` needs left, right and both
 * joined found, and a Map of strings would have to slice, join and hash each, which takes ten times as
 * long for 250,000 merges.
 */
export class TokenIndex {
  readonly #given: TextColumn;
  /** Those that were added, numbered behind the given ones. */
  readonly #added: { text: string; bytes: Uint8Array }[] = [];
  // Of the given ones, those that count.
  #isFound: Uint8Array = new Uint8Array(0);
  readonly #isHidden: (number: number) => boolean;
  #slots: Int32Array = new Int32Array(0);
  #mask = 0;
  // Unforeseeable, so that no file can be made whose texts all collide.
  #seed = (Math.random() * 2 ** 32) | 0;
  #scratch = new Uint8Array(256);

  /**
   * @param texts numbered by position; of equal ones the last counts
   * @param isHidden numbers that are never found
   */
  constructor(texts: TextColumn, isHidden: (number: number) => boolean = () => false) {
    this.#given = texts;
    this.#isHidden = isHidden;
  }

  // When it is first asked: a tokenizer whose merges are known may never do it.
  #build(): void {
    const { bytes, ends, length } = this.#given;
    this.#mask = (1 << Math.ceil(Math.log2(length * 2 + 2))) - 1;
    this.#slots = new Int32Array(this.#mask + 1).fill(-1);
    this.#isFound = new Uint8Array(length);
    let start = 0;
    for (let number = 0; number < length; number++) {
      const end = ends[number] as number;
      if (!this.#isHidden(number)) {
        const slot = this.#probe(bytes, start, end, -1);
        const equal = this.#slots[slot] as number;
        if (equal >= 0) this.#isFound[equal] = 0;
        this.#isFound[number] = 1;
        this.#slots[slot] = number;
      }
      start = end;
    }
  }

  /** How many texts there are. */
  get size(): number {
    return this.#given.length + this.#added.length;
  }

  /** The text of a number below {@link size}. */
  text(number: number): string {
    return (this.#given.at(number) ?? this.#added[number - this.#given.length]?.text) as string;
  }

  /** The number of a text, or -1. */
  find(text: string): number {
    return this.findPart(text, 0, text.length);
  }

  /** The number of `text` from `start` to `end`, or -1. */
  findPart(text: string, start: number, end: number): number {
    if (this.#scratch.length < 3 * (end - start)) this.#scratch = new Uint8Array(4 * (end - start));
    const { written } = utf8.encodeInto(text.slice(start, end), this.#scratch);
    return this.findBytes(this.#scratch, 0, written);
  }

  /**
   * The number of the text whose bytes are `bytes` from `start` to `end` without that at `skip`, or -1.
   *
   * @param guess a number that it may have: if so, nothing else is looked at
   */
  findBytes(bytes: Uint8Array, start: number, end: number, skip = -1, guess = -1): number {
    if (this.#mask === 0) this.#build();
    if (this.#isFound[guess] && this.#is(guess, bytes, start, end, skip)) return guess;
    return this.#slots[this.#probe(bytes, start, end, skip)] as number;
  }

  /** Adds a text that is not there yet, and gives its number. */
  add(text: string): number {
    if (this.#mask === 0) this.#build();
    const number = this.size;
    const bytes = utf8.encode(text);
    this.#added.push({ text, bytes });
    if (this.size * 2 > this.#mask) this.#grow();
    this.#slots[this.#probe(bytes, 0, bytes.length, -1)] = number;
    return number;
  }

  #grow(): void {
    const known = this.#slots.filter((number) => number >= 0);
    this.#mask = this.#mask * 2 + 1;
    this.#slots = new Int32Array(this.#mask + 1).fill(-1);
    for (const number of known) {
      const { bytes, start, end } = this.#place(number);
      this.#slots[this.#probe(bytes, start, end, -1)] = number;
    }
  }

  #place(number: number): { bytes: Uint8Array; start: number; end: number } {
    const given = this.#given;
    const added = this.#added[number - given.length];
    if (added) return { bytes: added.bytes, start: 0, end: added.bytes.length };
    return { bytes: given.bytes, start: given.start(number), end: given.ends[number] as number };
  }

  // The slot that holds the text, or the empty one where it belongs.
  #probe(bytes: Uint8Array, start: number, end: number, skip: number): number {
    let hash = this.#seed;
    for (let i = start; i < end; i++) {
      if (i !== skip) hash = imul(hash ^ (bytes[i] as number), 0x01000193);
    }
    hash ^= hash >>> 15;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = this.#slots[slot] as number;
      if (number < 0 || this.#is(number, bytes, start, end, skip)) return slot;
    }
  }

  #is(number: number, bytes: Uint8Array, start: number, end: number, skip: number): boolean {
    const length = end - start - (skip < 0 ? 0 : 1);
    const isGiven = number < this.#given.length;
    const found = isGiven
      ? this.#given.bytes
      : (this.#added[number - this.#given.length]?.bytes as Uint8Array);
    const from = isGiven ? this.#given.start(number) : 0;
    const to = isGiven ? (this.#given.ends[number] as number) : found.length;
    if (to - from !== length) return false;
    for (let i = from, at = start; i < to; i++, at++) {
      if (at === skip) at += 1;
      if (found[i] !== bytes[at]) return false;
    }
    return true;
  }
}
