// SPDX-License-Identifier: MIT

const CACHED_WORDS = 16384;
const CACHED_WORD_UNITS = 64;

/** Turns words into ids. */
export interface WordEncoder {
  /** Appends the ids of one word to `out`. */
  encode(word: string, out: number[]): void;
}

/** Keeps what short words became, as most of a text is words that it had before. */
export class WordCache implements WordEncoder {
  #encode: (word: string) => readonly number[];
  #known = new Map<string, readonly number[]>();

  constructor(encode: (word: string) => readonly number[]) {
    this.#encode = encode;
  }

  encode(word: string, out: number[]): void {
    let ids = this.#known.get(word);
    if (!ids) {
      ids = this.#encode(word);
      if (word.length <= CACHED_WORD_UNITS) {
        if (this.#known.size >= CACHED_WORDS) this.#known.clear();
        this.#known.set(word, ids);
      }
    }
    for (const id of ids) out.push(id);
  }
}
