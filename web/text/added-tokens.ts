// SPDX-License-Identifier: MIT

/** A token that Hugging Face's tokenizers find in a text before anything else. */
export interface AddedToken {
  id: number;
  text: string;
  /** Takes the white space before it, or after it, along. */
  lstrip: boolean;
  rstrip: boolean;
  /** Only where no letter, mark, digit or connector is its neighbour. */
  singleWord: boolean;
}

/** A token, or plain text and where it starts. */
export type AddedSection = { id: number } | { text: string; start: number };

const WORD = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]';
const STARTS_WITH_WORD = new RegExp(`^${WORD}`, 'u');
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, 'u');
const LEADING_SPACE = /^\p{White_Space}*/u;
const IS_SPACE = /\p{White_Space}/u;

/** Finds tokens written out in a text: the leftmost first, of several there the longest. */
export class AddedTokens {
  #tokens: Map<string, AddedToken>;
  #pattern: RegExp | undefined;

  /** @param tokens of equal texts the last counts; empty ones are left out */
  constructor(tokens: readonly AddedToken[]) {
    this.#tokens = new Map(tokens.map((token) => [token.text, token]));
    this.#tokens.delete('');
    const texts = [...this.#tokens.keys()].sort((a, b) => b.length - a.length);
    if (texts.length === 0) return;
    const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    this.#pattern = new RegExp(escaped.join('|'), 'gu');
  }

  /** The text in order; no piece is empty. */
  split(text: string): AddedSection[] {
    if (!this.#pattern) return text === '' ? [] : [{ text, start: 0 }];
    const sections: AddedSection[] = [];
    let done = 0;
    const plainTo = (end: number): void => {
      if (end > done) sections.push({ text: text.slice(done, end), start: done });
    };
    for (const { 0: found, index } of text.matchAll(this.#pattern)) {
      const token = this.#tokens.get(found) as AddedToken;
      let start = index;
      let end = index + found.length;
      if (token.singleWord) {
        const before = text.slice(Math.max(0, start - 2), start);
        const after = text.slice(end, end + 2);
        if (ENDS_WITH_WORD.test(before) || STARTS_WITH_WORD.test(after)) continue;
      }
      if (token.lstrip) while (start > done && IS_SPACE.test(text[start - 1] as string)) start--;
      if (token.rstrip) end += (LEADING_SPACE.exec(text.slice(end)) as RegExpExecArray)[0].length;
      plainTo(start);
      sections.push({ id: token.id });
      done = end;
    }
    plainTo(text.length);
    return sections;
  }
}
