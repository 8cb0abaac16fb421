// SPDX-License-Identifier: MIT
// What people write in messages must not become the tokens that turns are told by.
import { THINK, THOUGHT_END } from './thought.js';

/** Stands behind the first letter of what would be such a token; a code point that is no character. */
const MARK = '\ufdd0';

// Models think between these, which templates look for in answers; nobody speaks as another by them.
const THOUGHTS = [THINK, THOUGHT_END];

/** The control tokens of a vocabulary, as they may stand in a text. */
export class ControlTexts {
  readonly texts: ReadonlySet<string>;
  /** In order; none begins as another does, so that the last up to a text is the one it may begin with. */
  #sorted: string[] = [];
  /** Finds the first letters. */
  #first: RegExp | undefined;

  /** @param texts those of a single letter cannot be marked, and are left out */
  constructor(texts: Iterable<string>) {
    this.texts = new Set(texts);
    const letters = new Set<string>();
    for (const text of [...this.texts].sort()) {
      const [letter = ''] = text;
      const before = this.#sorted.at(-1);
      if (text === letter || THOUGHTS.includes(text)) continue;
      if (before !== undefined && text.startsWith(before)) continue;
      this.#sorted.push(text);
      letters.add(`\\u{${letter.codePointAt(0)?.toString(16)}}`);
    }
    if (letters.size > 0) this.#first = new RegExp(`[${[...letters].join('')}]`, 'gu');
  }

  /** A text in which each of them has a mark; where it had the mark itself, it has U+FFFD. */
  marked(text: string): string {
    const clean = text.replaceAll(MARK, '\ufffd');
    if (!this.#first) return clean;
    return clean.replace(this.#first, (first, at: number) =>
      this.#startsAt(clean, at) ? first + MARK : first,
    );
  }

  #startsAt(text: string, at: number): boolean {
    const rest = text.slice(at);
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as string) <= rest) low = middle + 1;
      else high = middle;
    }
    return low > 0 && rest.startsWith(this.#sorted[low - 1] as string);
  }
}

/** A text as it was before it was marked. */
export const unmarked = (text: string): string => text.replaceAll(MARK, '');
