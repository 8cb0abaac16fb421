// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';

/** An object as JSON has it. */
export type JsonObject = Record<string, unknown>;

// Python writes these words where JSON has none; strings are passed over.
const WORDS = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/**
 * An object from a file that Python wrote, with Infinity and NaN as numbers.
 *
 * @param name of the file, for messages
 * @throws ModelError `invalid_metadata`
 */
export function parseJson(text: string, name: string): JsonObject {
  let value: unknown;
  try {
    const marked = text.replace(WORDS, (word) =>
      word.startsWith('"') ? word : `{"__float__":"${word}"}`,
    );
    value = JSON.parse(marked, (_, one) => number(one));
  } catch (cause) {
    const message = `${name}: no JSON (${(cause as Error).message})`;
    throw new ModelError('invalid_metadata', message, { subject: name, cause });
  }
  if (isObject(value)) return value;
  throw new ModelError('invalid_metadata', `${name}: no JSON object`, { subject: name });
}

/** Whether a value is an object with keys, no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// transformers 5 writes such numbers in this form.
function number(value: unknown): unknown {
  return isObject(value) && typeof value.__float__ === 'string' ? Number(value.__float__) : value;
}
