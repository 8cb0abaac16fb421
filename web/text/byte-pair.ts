// SPDX-License-Identifier: MIT
// Own merging: @huggingface/tokenizers 0.2.0 merges correctly, but takes 1 s and 75 MB to build for
// Qwen3.5, and 16 us for every word once its 10,000-word cache is full.

import { ModelError } from '../errors.js';
import { BYTE_CHARS } from './byte-alphabet.js';
import { RankQueue } from './rank-queue.js';
import { TokenIndex } from './token-index.js';

// Looked up once: in a sandboxed realm every use of a global is slow.
const { imul } = Math;

const CACHED_WORDS = 16384;
const CACHED_WORD_UNITS = 64;

/**
 * Byte-pair encoding of one word: its bytes are symbols, and the neighbouring pair of the lowest
 * rank (leftmost first) becomes one symbol until no pair has a rank. Time grows with n log n.
 */
export class BytePairEncoder {
  #symbols: TokenIndex;
  #vocabSize: number;
  #byteSymbols: number[];
  #pairs: PairTable;
  #ignoreMerges: boolean;
  #cache = new Map<string, readonly number[]>();
  #utf8 = new TextEncoder();
  #scratch = new Uint8Array(256);

  /**
   * @param tokens text of every token in the byte alphabet, by id; of equal ones the last counts
   * @param merges `left right`, best first; split at the first space that is not the first character
   * @param ignoreMerges take a word that is a token as it is
   * @throws ModelError `invalid_metadata` for a merge that is not two texts
   */
  constructor(tokens: readonly string[], merges: readonly string[], ignoreMerges: boolean) {
    this.#vocabSize = tokens.length;
    this.#ignoreMerges = ignoreMerges;
    this.#symbols = new TokenIndex(tokens);
    this.#byteSymbols = BYTE_CHARS.map((char) => this.#intern(char));
    this.#pairs = new PairTable(merges.length);
    for (let rank = 0; rank < merges.length; rank++) {
      const merge = merges[rank] as string;
      const space = merge.indexOf(' ', 1);
      if (space < 0 || space === merge.length - 1) {
        const message = `tokenizer.ggml.merges[${rank}] is "${merge}", not two texts`;
        throw new ModelError('invalid_metadata', message, { subject: 'tokenizer.ggml.merges' });
      }
      const end = merge.length;
      this.#pairs.add(
        this.#internPart(merge, 0, space, -1),
        this.#internPart(merge, space + 1, end, -1),
        rank,
        this.#internPart(merge, 0, end, space),
      );
    }
  }

  /** The id of the token with this text. */
  idOf(text: string): number | undefined {
    const id = this.#symbols.find(text);
    return id >= 0 && id < this.#vocabSize ? id : undefined;
  }

  /** Appends the ids of one word (plain text, not in the byte alphabet) to `out`. */
  encode(word: string, out: number[]): void {
    let ids = this.#cache.get(word);
    if (!ids) {
      ids = this.#encodeNew(word);
      if (word.length <= CACHED_WORD_UNITS) {
        if (this.#cache.size >= CACHED_WORDS) this.#cache.clear();
        this.#cache.set(word, ids);
      }
    }
    for (const id of ids) out.push(id);
  }

  #encodeNew(word: string): number[] {
    if (this.#scratch.byteLength < word.length * 3) {
      this.#scratch = new Uint8Array(word.length * 3);
    }
    const count = this.#utf8.encodeInto(word, this.#scratch).written;
    const bytes = this.#scratch.subarray(0, count);
    if (this.#ignoreMerges) {
      let text = '';
      for (const byte of bytes) text += BYTE_CHARS[byte];
      const whole = this.idOf(text);
      if (whole !== undefined) return [whole];
    }
    const symbols = new Int32Array(count);
    for (let i = 0; i < count; i++) symbols[i] = this.#byteSymbols[bytes[i] as number] as number;
    return this.#toIds(this.#merge(symbols));
  }

  // `symbols[i]` is the symbol that starts at byte i, or -1 inside one; `next` and `before` link them.
  #merge(symbols: Int32Array): Int32Array {
    const count = symbols.length;
    const next = new Int32Array(count);
    const before = new Int32Array(count);
    const queue = new RankQueue();
    const pairs = this.#pairs;
    const offer = (at: number): void => {
      const right = next[at] as number;
      if (right >= count) return;
      const pair = pairs.find(symbols[at] as number, symbols[right] as number);
      if (pair >= 0) queue.push(pairs.rank(pair), at);
    };
    for (let i = 0; i < count; i++) {
      next[i] = i + 1;
      before[i] = i - 1;
    }
    for (let i = 0; i < count; i++) offer(i);
    while (queue.size > 0) {
      const rank = queue.minRank;
      const at = queue.popPosition();
      const right = next[at] as number;
      if ((symbols[at] as number) < 0 || right >= count) continue;
      // The entry is stale when its pair has changed since; then another entry stands for the new one.
      const pair = pairs.find(symbols[at] as number, symbols[right] as number);
      if (pair < 0 || pairs.rank(pair) !== rank) continue;
      symbols[at] = pairs.merged(pair);
      symbols[right] = -1;
      const after = next[right] as number;
      next[at] = after;
      if (after < count) before[after] = at;
      offer(at);
      const left = before[at] as number;
      if (left >= 0) offer(left);
    }
    return symbols;
  }

  // A symbol that merges made but the vocabulary lacks falls apart into its bytes; a byte that the
  // vocabulary lacks gives nothing. Both as in llama.cpp.
  #toIds(symbols: Int32Array): number[] {
    const ids: number[] = [];
    for (const symbol of symbols) {
      if (symbol >= 0 && symbol < this.#vocabSize) ids.push(symbol);
      else if (symbol >= 0) {
        for (const char of this.#symbols.text(symbol)) {
          const id = this.idOf(char);
          if (id !== undefined) ids.push(id);
        }
      }
    }
    return ids;
  }

  // Texts outside the vocabulary get numbers behind it.
  #intern(text: string): number {
    return this.#internPart(text, 0, text.length, -1);
  }

  #internPart(text: string, start: number, end: number, skip: number): number {
    const known = this.#symbols.findPart(text, start, end, skip);
    if (known >= 0) return known;
    const part =
      skip < 0 ? text.slice(start, end) : text.slice(start, skip) + text.slice(skip + 1, end);
    return this.#symbols.add(part);
  }
}

// (left, right) -> rank and merged symbol: open addressing, four integers a slot, at most half full.
class PairTable {
  #slots: Int32Array;
  #mask: number;
  // Unforeseeable, so that no file can be made whose pairs all collide.
  #seed = (Math.random() * 2 ** 32) | 0;

  constructor(pairs: number) {
    const capacity = 1 << Math.ceil(Math.log2(pairs * 2 + 2));
    this.#mask = capacity - 1;
    this.#slots = new Int32Array(capacity * 4).fill(-1);
  }

  /** Adds a pair; of equal ones the first counts. */
  add(left: number, right: number, rank: number, merged: number): void {
    const slot = this.#probe(left, right);
    if ((this.#slots[slot] as number) < 0) this.#slots.set([left, right, rank, merged], slot);
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
