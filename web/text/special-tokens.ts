// SPDX-License-Identifier: MIT

/** A piece of text between special tokens, or the id of one. */
export type TextSection = string | number;

/**
 * Finds tokens that are written out in a text, longest token first: a longer one anywhere wins over
 * any shorter one that overlaps it, as in llama.cpp.
 */
export class SpecialTokens {
  #tokens: readonly { text: string; id: number }[];

  /** @param tokens text to id; empty texts are left out */
  constructor(tokens: Iterable<readonly [text: string, id: number]>) {
    this.#tokens = [...tokens]
      .filter(([text]) => text !== '')
      .map(([text, id]) => ({ text, id }))
      .sort((a, b) => b.text.length - a.text.length);
  }

  /** The text in order, as plain pieces and ids. */
  split(text: string): TextSection[] {
    const found = this.#find(text);
    if (found.length === 0) return text === '' ? [] : [text];
    found.sort((a, b) => a.at - b.at);
    const sections: TextSection[] = [];
    let done = 0;
    for (const { at, length, id } of found) {
      if (at > done) sections.push(text.slice(done, at));
      sections.push(id);
      done = at + length;
    }
    if (done < text.length) sections.push(text.slice(done));
    return sections;
  }

  #find(text: string): { at: number; length: number; id: number }[] {
    const found: { at: number; length: number; id: number }[] = [];
    let taken: Uint8Array | undefined;
    for (const { text: token, id } of this.#tokens) {
      const { length } = token;
      for (let at = text.indexOf(token); at >= 0; ) {
        taken ??= new Uint8Array(text.length);
        // What was taken before is at least as long, so an overlap shows at one of the ends.
        if (taken[at] || taken[at + length - 1]) {
          at = text.indexOf(token, at + 1);
          continue;
        }
        taken.fill(1, at, at + length);
        found.push({ at, length, id });
        at = text.indexOf(token, at + length);
      }
    }
    return found;
  }
}
