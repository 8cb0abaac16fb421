// SPDX-License-Identifier: MIT
import { JSON_WORDS, type Words } from '../constraints/words.js';

/**
 * JSON with a space behind commas and colons, as Python's `json.dumps` writes it, and with it the
 * texts that models have read. Numbers are JavaScript's.
 *
 * @param words how true, false and null are written
 */
export function spaced(value: unknown, words: Words = JSON_WORDS): string {
  if (value === null || value === undefined) return words.null;
  if (typeof value === 'boolean') return words[`${value}`];
  if (Array.isArray(value)) return `[${value.map((one) => spaced(one, words)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one, words)}`);
  return `{${members.join(', ')}}`;
}
