// SPDX-License-Identifier: MIT
// Own merging: @huggingface/tokenizers 0.2.0 merges correctly, but takes 1 s and 75 MB to build for
// Qwen3.5, and 16 us for every word once its 10,000-word cache is full.

import { ModelError, shown } from '../errors.js';
import type { TextColumn } from '../gguf/text-column.js';
import { BYTE_CHARS } from './byte-alphabet.js';
import type { ByteFallback } from './byte-fallback.js';
import { type MergePairs, PairTable } from './pair-table.js';
import { RankQueue } from './rank-queue.js';
import type { TokenIndex } from './token-index.js';
import { WordCache, type WordEncoder } from './word-cache.js';

/** What is merged, and how. */
export interface BytePairOptions {
  /** Texts by id; what merges make beside them is added. */
  symbols: TokenIndex;
  /** `left right`, best first; split at the first space that is not the first character. */
  merges: TextColumn;
  /** Take a word that is a token as it is. */
  ignoreMerges: boolean;
  /**
   * Words are plain text whose bytes are the first symbols, tokens being in the byte alphabet; unless
   * this says what else becomes of characters, which are the first symbols then.
   */
  characters?: (tokens: TokenIndex) => ByteFallback;
  /** What the merges came to before, in their place. */
  pairs?: MergePairs | undefined;
}

const SPACE = 0x20;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

// A character that is no symbol; -1 is the inside of one.
const UNKNOWN = -2;

/**
 * Byte-pair encoding of one word: the neighbouring pair of symbols of the lowest rank (leftmost
 * first) becomes one symbol until no pair has a rank. Time grows with n log n.
 */
export class BytePairEncoder implements WordEncoder {
  /** What the merges come to. */
  readonly pairs: MergePairs;
  #symbols: TokenIndex;
  #vocabSize: number;
  #byteSymbols: Int32Array;
  #merged: Int32Array;
  #pairs: PairTable;
  #ignoreMerges: boolean;
  #fallback: ByteFallback | undefined;
  #cache: WordCache;
  #utf8 = new TextEncoder();
  #scratch = new Uint8Array(256);

  /** @throws ModelError `invalid_metadata` for a merge that is not two texts */
  constructor({ symbols, merges, ignoreMerges, characters, pairs }: BytePairOptions) {
    this.#vocabSize = symbols.size;
    this.#ignoreMerges = ignoreMerges;
    this.#symbols = symbols;
    this.#fallback = characters?.(this.#symbols);
    this.#cache = new WordCache((word) =>
      this.#fallback ? this.#ofCharacters(word, this.#fallback) : this.#ofBytes(word),
    );
    this.pairs = pairs ?? this.#pairsOf(merges, characters ? [] : BYTE_CHARS);
    this.#byteSymbols = this.pairs.bytes;
    this.#merged = this.pairs.merged;
    this.#pairs = new PairTable(this.pairs);
  }

  /** Whether all symbols are tokens: {@link pairs} can be given to another one of the same tokens. */
  get hasOnlyTokens(): boolean {
    return this.#symbols.size === this.#vocabSize;
  }

  #pairsOf(merges: TextColumn, chars: readonly string[]): MergePairs {
    const symbolOf = Int32Array.from(chars, (char) => this.#intern(char));
    const count = merges.length;
    const [left, right, made] = [0, 1, 2].map(() => new Int32Array(count)) as [
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    const { bytes, ends } = merges;
    let start = 0;
    let merged = -1;
    for (let rank = 0; rank < count; rank++) {
      const end = ends[rank] as number;
      let space = start + 1;
      while (space < end && bytes[space] !== SPACE) space += 1;
      if (space >= end - 1) {
        const message = `tokenizer.ggml.merges[${rank}] is ${shown(merges.at(rank))}, not two texts`;
        throw new ModelError('invalid_metadata', message, { subject: 'tokenizer.ggml.merges' });
      }
      // What merges make is mostly numbered as they are.
      merged = this.#internBytes(bytes, start, end, space, merged + 1);
      made[rank] = merged;
      left[rank] = this.#internBytes(bytes, start, space);
      right[rank] = this.#internBytes(bytes, space + 1, end);
      start = end;
    }
    return { left, right, merged: made, bytes: symbolOf };
  }

  encode(word: string, out: number[]): void {
    this.#cache.encode(word, out);
  }

  #ofBytes(word: string): number[] {
    if (this.#scratch.byteLength < word.length * 3) {
      this.#scratch = new Uint8Array(word.length * 3);
    }
    const count = this.#utf8.encodeInto(word, this.#scratch).written;
    const bytes = this.#scratch.subarray(0, count);
    if (this.#ignoreMerges) {
      let text = '';
      for (const byte of bytes) text += BYTE_CHARS[byte];
      const whole = this.#idOf(text);
      if (whole !== undefined) return [whole];
    }
    const symbols = new Int32Array(count);
    for (let i = 0; i < count; i++) symbols[i] = this.#byteSymbols[bytes[i] as number] as number;
    return this.#toIds(this.#merge(symbols));
  }

  #ofCharacters(word: string, fallback: ByteFallback): number[] {
    const whole = this.#ignoreMerges ? this.#idOf(word) : undefined;
    if (whole !== undefined) return [whole];
    const chars = Array.from(word);
    const symbols = Int32Array.from(chars, (char) => {
      const symbol = this.#symbols.find(char);
      return symbol < 0 ? UNKNOWN : symbol;
    });
    const ids: number[] = [];
    let follows = false;
    for (const [i, symbol] of this.#merge(symbols).entries()) {
      if (symbol === -1) continue;
      const known = symbol >= 0 && symbol < this.#vocabSize;
      if (known) ids.push(symbol);
      else {
        const text = symbol === UNKNOWN ? (chars[i] as string) : this.#symbols.text(symbol);
        fallback.add(text, ids, follows);
      }
      follows = !known;
    }
    return ids;
  }

  // `symbols[i]` is the symbol that starts at byte or character i, or -1 inside one; `next` and `before` link them.
  #merge(symbols: Int32Array): Int32Array {
    const count = symbols.length;
    const next = new Int32Array(count);
    const before = new Int32Array(count);
    const queue = new RankQueue();
    const pairs = this.#pairs;
    const offer = (at: number): void => {
      const right = next[at] as number;
      if (right >= count) return;
      const rank = pairs.find(symbols[at] as number, symbols[right] as number);
      if (rank >= 0) queue.push(rank, at);
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
      if (pairs.find(symbols[at] as number, symbols[right] as number) !== rank) continue;
      symbols[at] = this.#merged[rank] as number;
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
          const id = this.#idOf(char);
          if (id !== undefined) ids.push(id);
        }
      }
    }
    return ids;
  }

  #idOf(text: string): number | undefined {
    const id = this.#symbols.find(text);
    return id >= 0 && id < this.#vocabSize ? id : undefined;
  }

  // Texts outside the vocabulary get numbers behind it.
  #intern(text: string): number {
    const known = this.#symbols.find(text);
    return known >= 0 ? known : this.#symbols.add(text);
  }

  #internBytes(bytes: Uint8Array, start: number, end: number, skip = -1, guess = -1): number {
    const known = this.#symbols.findBytes(bytes, start, end, skip, guess);
    if (known >= 0) return known;
    const part = bytes.slice(start, skip < 0 ? end : end - 1);
    if (skip >= 0) part.set(bytes.subarray(skip + 1, end), skip - start);
    return this.#symbols.add(utf8.decode(part));
  }
}
