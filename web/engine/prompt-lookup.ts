// SPDX-License-Identifier: MIT

/** Tokens that must be the same for what followed them to be a guess. */
const LENGTH = 3;
/** No more of them are compared. */
const MOST_MATCHED = 12;
// As a text grows without end its oldest places are let go.
const MOST_PLACES = 65_536;

/** What followed there, and how many tokens before it are those before the text's end, too. */
export interface Quote {
  tokens: number[];
  matched: number;
}

/**
 * What followed when a text last said what it says now (prompt lookup decoding, Saxena 2023). Texts
 * that quote, edit, or fill in what they have read say much of it again.
 */
export class PromptLookup {
  readonly #tokens: number[] = [];
  /** By a hash of LENGTH tokens the place after them where they stand last. */
  readonly #places = new Map<number, number>();

  /** Takes the next token of the text. */
  push(token: number): void {
    if (this.#tokens.length >= LENGTH) {
      const key = this.#key();
      this.#places.delete(key);
      this.#places.set(key, this.#tokens.length);
      if (this.#places.size > MOST_PLACES) {
        this.#places.delete(this.#places.keys().next().value as number);
      }
    }
    this.#tokens.push(token);
  }

  /** Up to `most` tokens that may follow; none where nothing of the kind was said. */
  guess(most: number): Quote {
    const end = this.#tokens.length;
    const place = end < LENGTH ? undefined : this.#places.get(this.#key());
    if (place === undefined) return { tokens: [], matched: 0 };
    let matched = 0;
    while (matched < Math.min(MOST_MATCHED, place)) {
      if (this.#tokens[place - 1 - matched] !== this.#tokens[end - 1 - matched]) break;
      matched++;
    }
    const tokens = matched < LENGTH ? [] : this.#tokens.slice(place, place + most);
    return { tokens, matched };
  }

  // Of the last LENGTH tokens.
  #key(): number {
    let key = 0;
    for (let i = 1; i <= LENGTH; i++) {
      key = Math.imul(key, 0x01000193) ^ (this.#tokens[this.#tokens.length - i] as number);
    }
    return key;
  }
}
