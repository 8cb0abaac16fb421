// SPDX-License-Identifier: MIT
/** Code points in ascending ranges [first, last, first, last, ...] that do not touch. */
export type CodePoints = Int32Array;

// Beyond Unicode come control tokens: UTF-8 as it was first defined goes on to here in four bytes, by
// first bytes that are in no text, from 0xf5 on.
const LAST = 0x1fffff;
const FIRST_CONTROL = 0x140000;

/** Ranges in any order, overlapping or not; surrogates, which no text has, are left out. */
export function codePoints(ranges: readonly (readonly [number, number])[]): CodePoints {
  const parts: [number, number][] = [];
  for (const [first, last] of ranges) {
    if (first < 0xd800) parts.push([first, Math.min(last, 0xd7ff)]);
    if (last > 0xdfff) parts.push([Math.max(first, 0xe000), last]);
  }
  parts.sort((a, b) => a[0] - b[0]);
  const joined: number[] = [];
  for (const [first, last] of parts) {
    if (first > last) continue;
    const end = joined.length - 1;
    if (end > 0 && first <= (joined[end] as number) + 1) {
      joined[end] = Math.max(joined[end] as number, last);
    } else {
      joined.push(first, last);
    }
  }
  return Int32Array.from(joined);
}

/** Every character of Unicode. */
export const ANY = codePoints([[0, 0x10ffff]]);
export const DIGITS = charsOf('0123456789');

/**
 * What a control token is among code points, so that a language can speak of it: its text may be
 * written in letters too, which is not the same. Undefined for the ids from 786 432 on.
 */
export function controlPoint(id: number): number | undefined {
  return id <= LAST - FIRST_CONTROL ? FIRST_CONTROL + id : undefined;
}

/** The four bytes of {@link controlPoint}, the first of which is in no text. */
export function controlBytes(point: number): Uint8Array {
  return Uint8Array.of(
    0xf0 + (point >> 18),
    0x80 | ((point >> 12) & 0x3f),
    0x80 | ((point >> 6) & 0x3f),
    0x80 | (point & 0x3f),
  );
}

/** The characters of a text. */
export function charsOf(text: string): CodePoints {
  return codePoints([...text].map((char) => [char.codePointAt(0), char.codePointAt(0)] as never));
}

export function pairs(set: CodePoints): [number, number][] {
  return Array.from({ length: set.length / 2 }, (_, i) => [
    set[2 * i] as number,
    set[2 * i + 1] as number,
  ]);
}

/** All that `set` is not, control tokens among them. */
export function complement(set: CodePoints): CodePoints {
  const out: [number, number][] = [];
  let next = 0;
  for (const [first, last] of pairs(set)) {
    out.push([next, first - 1]);
    next = last + 1;
  }
  out.push([next, LAST]);
  return codePoints(out);
}

const isText = (set: CodePoints) => (set.at(-1) ?? 0) <= 0x10ffff;

export function intersection(a: CodePoints, b: CodePoints): CodePoints {
  if (a === b || (a === ANY && isText(b))) return b;
  if (b === ANY && isText(a)) return a;
  return complement(codePoints([...pairs(complement(a)), ...pairs(complement(b))]));
}

/** How many of first..last are in `set`. */
export function countIn(set: CodePoints, first: number, last: number): number {
  let low = 0;
  let high = set.length / 2;
  // The first range that does not end before `first`.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[2 * middle + 1] as number) < first) low = middle + 1;
    else high = middle;
  }
  let count = 0;
  for (let i = 2 * low; i < set.length && (set[i] as number) <= last; i += 2) {
    const from = Math.max(first, set[i] as number);
    count += Math.min(last, set[i + 1] as number) - from + 1;
  }
  return count;
}
