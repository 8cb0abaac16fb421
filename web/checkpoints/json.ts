// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';

/** An object as JSON has it. */
export type JsonObject = Record<string, unknown>;

// Python writes these words where JSON has none.
const WORDS = /-?\bInfinity\b|\bNaN\b/g;

/**
 * An object from a file that Python wrote, with Infinity and NaN as numbers.
 *
 * @param name of the file, for messages
 * @throws ModelError `invalid_metadata`
 */
export function parseJson(text: string, name: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text, number);
  } catch {
    value = parseMarked(text, name);
  }
  if (isObject(value)) return value;
  throw new ModelError('invalid_metadata', `${name}: no JSON object`, { subject: name });
}

function parseMarked(text: string, name: string): unknown {
  try {
    return JSON.parse(marked(text), number);
  } catch (cause) {
    const message = `${name}: no JSON (${(cause as Error).message})`;
    throw new ModelError('invalid_metadata', message, { subject: name, cause });
  }
}

// With those words as transformers 5 writes them. Strings are passed over from quote to quote: as one
// expression they would overflow the stack, and take quadratic time where one never ends.
function marked(text: string): string {
  let made = '';
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('"', at);
    const open = start < 0 ? text.length : start;
    const end = stringEnd(text, open);
    made += text.slice(at, open).replace(WORDS, (word) => `{"__float__":"${word}"}`);
    made += text.slice(open, end);
    at = end;
  }
  return made;
}

// Behind the quote that ends the string at `open`, or behind everything.
function stringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at++;
  }
  return text.length;
}

/** Whether a value is an object with keys, no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// transformers 5 writes such numbers in this form.
function number(_: string, value: unknown): unknown {
  return isObject(value) && typeof value.__float__ === 'string' ? Number(value.__float__) : value;
}
