// SPDX-License-Identifier: MIT
// What people write in messages must not become the tokens that turns are told by.

/** Stands behind the first letter of what would be such a token; a code point that is no character. */
const MARK = '\ufdd0';

// Models think between these, which templates look for in answers; nobody speaks as another by them.
const THOUGHTS = ['<think>', '</think>'];

/** The control tokens of a vocabulary, as they may stand in a text. */
export class ControlTexts {
  readonly texts: ReadonlySet<string>;
  #pattern: RegExp | undefined;

  /** @param texts those of a single letter cannot be marked, and are left out */
  constructor(texts: Iterable<string>) {
    this.texts = new Set(texts);
    const rests = new Map<string, string[]>();
    for (const text of this.texts) {
      const [first = '', ...rest] = text;
      if (rest.length === 0 || THOUGHTS.includes(text)) continue;
      rests.set(first, [...(rests.get(first) ?? []), rest.join('')]);
    }
    const alternatives = [...rests].map(
      ([first, all]) => `${escaped(first)}(?=${all.map(escaped).join('|')})`,
    );
    if (alternatives.length > 0) this.#pattern = new RegExp(alternatives.join('|'), 'gu');
  }

  /** A text in which each of them has a mark; where it had the mark itself, it has U+FFFD. */
  marked(text: string): string {
    const clean = text.replaceAll(MARK, '\ufffd');
    return this.#pattern ? clean.replace(this.#pattern, (first) => first + MARK) : clean;
  }
}

/** A text as it was before it was marked. */
export const unmarked = (text: string): string => text.replaceAll(MARK, '');

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
