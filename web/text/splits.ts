// SPDX-License-Identifier: MIT

/**
 * Cuts a text by one pattern after the other, each going on with the words of the one before it: what
 * matches is a word, and so is what lies between.
 *
 * @param patterns global and by code points
 */
export function cut(text: string, patterns: readonly RegExp[]): string[] {
  let words = [text];
  for (const pattern of patterns) {
    const next: string[] = [];
    for (const word of words) isolate(word, pattern, next);
    words = next;
  }
  return words;
}

function isolate(text: string, pattern: RegExp, words: string[]): void {
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [word] = match;
    if (match.index > done) words.push(text.slice(done, match.index));
    if (word === '') pattern.lastIndex += (text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1;
    else words.push(word);
    done = match.index + word.length;
  }
  if (done < text.length) words.push(text.slice(done));
}
