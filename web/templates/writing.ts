// SPDX-License-Identifier: MIT
// Values as text: `str`, `repr` and json.dumps.
import { type Budget, LETTERS_PER_VALUE, LimitError, MAX_DEPTH } from './budget.js';
import { floatText } from './numbers.js';
import {
  Float,
  Instance,
  Lazy,
  Markup,
  Namespace,
  Tuple,
  typeOf,
  Undefined,
  type Value,
} from './values.js';

/** `str`: what is put out. */
export function text(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value;
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return '';
  const written = new Written(budget);
  represent(value, written, 0);
  return written.text;
}

/** `repr`: as it stands in a list. */
export function representation(value: Value, budget: Budget): string {
  const written = new Written(budget);
  represent(value, written, 0);
  return written.text;
}

/** Pieces, each counted before the next is made: values may share their parts. */
class Written {
  text = '';
  constructor(readonly budget: Budget) {}

  add(piece: string) {
    this.text += piece;
  }

  /** Before a value is looked at. */
  value(depth: number, letters: number) {
    if (depth > MAX_DEPTH) throw new LimitError(`it nests deeper than ${MAX_DEPTH}`);
    this.budget.step();
    this.budget.letters(LETTERS_PER_VALUE + letters);
  }
}

function represent(value: Value, written: Written, depth: number): void {
  written.value(depth, typeof value === 'string' ? value.length : 0);
  const all = (open: string, items: Iterable<Value>, close: string) => {
    written.add(open);
    let isFirst = true;
    for (const item of items) {
      if (!isFirst) written.add(', ');
      isFirst = false;
      represent(item, written, depth + 1);
    }
    written.add(close);
  };
  if (typeof value === 'string') written.add(quoted(value));
  else if (value === null) written.add('None');
  else if (typeof value === 'boolean') written.add(value ? 'True' : 'False');
  else if (value instanceof Float) written.add(floatText(value.value));
  else if (value instanceof Tuple) all('(', value, value.length === 1 ? ',)' : ')');
  else if (Array.isArray(value)) all('[', value, ']');
  else if (value instanceof Map) {
    written.add('{');
    let isFirst = true;
    for (const [key, item] of value) {
      if (!isFirst) written.add(', ');
      isFirst = false;
      represent(key, written, depth + 1);
      written.add(': ');
      represent(item, written, depth + 1);
    }
    written.add('}');
  } else if (value instanceof Namespace) {
    written.add('<Namespace ');
    represent(value.values, written, depth + 1);
    written.add('>');
  } else if (value instanceof Lazy && value.isView) all(`${value.type}([`, value.take(), '])');
  else if (value instanceof Lazy || value instanceof Instance || value instanceof Markup)
    written.add(`<${value.type}>`);
  else if (value instanceof Undefined) written.add('Undefined');
  else written.add(String(value));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A text in quotes, with escapes for what is not printable; but U+FDD0, which marks contents (`text/marks.ts`). */
function quoted(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value.replace(/[\\\n\r\t]|[^\P{C}\ufdd0]|[^\P{Z} ]/gu, (letter) => {
    const code = letter.codePointAt(0) as number;
    const [prefix, digits] = code > 0xffff ? ['U', 8] : code > 0xff ? ['u', 4] : ['x', 2];
    return ESCAPES[letter] ?? `\\${prefix}${code.toString(16).padStart(digits as number, '0')}`;
  });
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

export interface JsonOptions {
  ensureAscii: boolean;
  /** What a level is indented by, on lines of its own; null for one line. */
  indent: string | null;
  /** Between items, and behind a key. */
  separators: readonly [string, string];
  sortKeys: boolean;
}

/** json.dumps. @throws Error for what JSON has not */
export function json(value: Value, options: JsonOptions, budget: Budget): string {
  const written = new Written(budget);
  dump(value, options, written, 0);
  return written.text;
}

function dump(value: Value, options: JsonOptions, written: Written, depth: number): void {
  const { indent, separators, sortKeys } = options;
  written.value(depth, typeof value === 'string' ? value.length : (indent?.length ?? 0) * depth);
  const line = (level: number) => (indent === null ? '' : `\n${indent.repeat(level)}`);
  const all = <T>(brackets: string, items: readonly T[], each: (item: T) => void) => {
    written.add(brackets.charAt(0));
    items.forEach((item, i) => {
      written.add((i > 0 ? separators[0] : '') + line(depth + 1));
      each(item);
    });
    written.add((items.length > 0 ? line(depth) : '') + brackets.charAt(1));
  };
  if (typeof value === 'string') written.add(jsonText(value, options));
  else if (value === null) written.add('null');
  else if (typeof value === 'boolean' || typeof value === 'number') written.add(String(value));
  else if (value instanceof Float) written.add(jsonFloat(value.value));
  else if (Array.isArray(value)) {
    all('[]', value, (item) => dump(item, options, written, depth + 1));
  } else if (value instanceof Map) {
    const entries = [...value].map(([key, item]): [string, Value] => [jsonKey(key), item]);
    if (sortKeys) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    all('{}', entries, ([key, item]) => {
      written.value(depth, key.length);
      written.add(jsonText(key, options) + separators[1]);
      dump(item, options, written, depth + 1);
    });
  } else throw new Error(`Object of type ${typeOf(value)} is not JSON serializable`);
}

function jsonKey(key: Value): string {
  if (typeof key === 'string') return key;
  if (key === null) return 'null';
  if (typeof key === 'boolean' || typeof key === 'number') return String(key);
  if (key instanceof Float) return jsonFloat(key.value);
  throw new Error(`a ${typeOf(key)} cannot be a key in JSON`);
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  return floatText(value);
}

function jsonText(value: string, { ensureAscii }: JsonOptions): string {
  const quotedText = JSON.stringify(value);
  if (!ensureAscii) return quotedText;
  return quotedText.replace(
    /[^ -~\ufdd0]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
