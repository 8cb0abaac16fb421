// SPDX-License-Identifier: MIT
// What Python takes for white space, which is not what JavaScript does: U+001C to 1F and U+0085 are,
// U+FEFF is not.

const SPACES = new Set([
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
]);

// Of these, all but a carriage return before a line feed end a line by themselves.
const LINE_ENDS = new Set([
  ...[0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e],
  ...[0x85, 0x2028, 0x2029],
]);

/** Whether the code unit at a place is white space; none is beyond the text. */
export const isSpaceAt = (text: string, at: number): boolean => SPACES.has(text.charCodeAt(at));

/** `str.strip`, or one side of it. */
export function stripped(text: string, sides: 'both' | 'left' | 'right', letters?: string): string {
  let [start, end] = [0, text.length];
  if (letters === undefined) {
    if (sides !== 'right') while (start < end && isSpaceAt(text, start)) start++;
    if (sides !== 'left') while (end > start && isSpaceAt(text, end - 1)) end--;
    return text.slice(start, end);
  }
  const set = new Set(letters);
  if (sides !== 'right') {
    while (start < end) {
      const letter = String.fromCodePoint(text.codePointAt(start) as number);
      if (!set.has(letter)) break;
      start += letter.length;
    }
  }
  if (sides !== 'left') {
    while (end > start) {
      const isPair = end - start > 1 && (text.codePointAt(end - 2) as number) > 0xffff;
      const letter = text.slice(end - (isPair ? 2 : 1), end);
      if (!set.has(letter)) break;
      end -= letter.length;
    }
  }
  return text.slice(start, end);
}

/** `str.split()` at white space, `most` times at most. */
export function words(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  let at = 0;
  while (true) {
    while (isSpaceAt(text, at)) at++;
    if (at >= text.length) return found;
    if (found.length >= most) {
      found.push(text.slice(at));
      return found;
    }
    const start = at;
    while (at < text.length && !isSpaceAt(text, at)) at++;
    found.push(text.slice(start, at));
  }
}

/** `str.rsplit()` at white space, `most` times at most. */
export function wordsFromTheEnd(text: string, most: number): string[] {
  const found: string[] = [];
  let end = text.length;
  while (true) {
    while (end > 0 && isSpaceAt(text, end - 1)) end--;
    if (end === 0) return found.reverse();
    if (found.length >= most) {
      found.push(text.slice(0, end));
      return found.reverse();
    }
    const after = end;
    while (end > 0 && !isSpaceAt(text, end - 1)) end--;
    found.push(text.slice(end, after));
  }
}

/** `str.splitlines`. */
export function lines(text: string, keepEnds = false): string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (!LINE_ENDS.has(text.charCodeAt(at))) continue;
    const isBoth = text[at] === '\r' && text[at + 1] === '\n';
    const next = at + (isBoth ? 2 : 1);
    found.push(text.slice(start, keepEnds ? next : at));
    start = next;
    at = next - 1;
  }
  if (start < text.length) found.push(text.slice(start));
  return found;
}
