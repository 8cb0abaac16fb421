// SPDX-License-Identifier: MIT

const MOST_LETTERS = 60;
const MOST_ITEMS = 16;

/** A text out of a file as a message tells it: what is long is cut. */
export function short(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 3)}...` : text;
}

/** A value out of a file as a message tells it. A long list is not written out to be cut. */
export function shown(value: unknown): string {
  if (Array.isArray(value) && value.length > MOST_ITEMS) return `a list of ${value.length}`;
  // JSON has no words for some numbers, nor for those of 64 bits.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = typeof value === 'string' ? value.slice(0, MOST_LETTERS) : value;
  return short(JSON.stringify(text, listed) ?? 'missing');
}

function listed(_: string, value: unknown): unknown {
  if (Array.isArray(value) && value.length > MOST_ITEMS) return shown(value);
  return typeof value === 'bigint' ? String(value) : value;
}
