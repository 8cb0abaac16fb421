// SPDX-License-Identifier: MIT
// `'{} and {name!r:>8}'.format(…)`.
import type { Budget } from './budget.js';
import { type FormatSpec, formattedNumber, formattedText } from './format-spec.js';
import { type Given, Instance, numberOf, Undefined, type Value } from './values.js';
import { representation, text } from './writing.js';

/** `str.format`. @throws Error for a form that is none, and for what was not given */
export function formatted(form: string, given: Given, budget: Budget): string {
  let next = 0;
  const argument = (name: string): Value => {
    const place = name === '' ? next++ : /^\d+$/.test(name) ? Number(name) : undefined;
    const found = place === undefined ? given.named.get(name) : given.positional[place];
    if (found === undefined) throw new Error(`format() was not given '${name || place}'`);
    return found;
  };
  const write = (source: string): string => {
    let written = '';
    let at = 0;
    while (at < source.length) {
      const brace = source.slice(at).search(/[{}]/);
      if (brace < 0) return written + source.slice(at);
      written += source.slice(at, at + brace);
      at += brace;
      if (source[at] === source[at + 1]) {
        written += source[at];
        at += 2;
        continue;
      }
      const end = source[at] === '{' ? fieldEnd(source, at) : -1;
      if (end < 0) throw new Error(`format() found a '${source[at]}' by itself`);
      written += field(source.slice(at + 1, end));
      at = end + 1;
      budget.step();
    }
    return written;
  };
  const field = (source: string): string => {
    const [, path = '', conversion, spec = ''] =
      /^([^!:]*)(?:!([rsa]))?(?::(.*))?$/s.exec(source) ?? [];
    const value = path
      .split(/[.[]/)
      .slice(1)
      .reduce((from, part) => partOf(from, part), argument(path.split(/[.[]/)[0] as string));
    const converted = conversion
      ? conversion === 's'
        ? text(value, budget)
        : representation(value, budget)
      : value;
    return byFormat(converted, spec.includes('{') ? write(spec) : spec, budget);
  };
  const result = write(form);
  budget.letters(result.length);
  return result;
}

/** Where a field that may hold fields ends. */
function fieldEnd(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === '{') depth++;
    else if (source[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** `.name` of a namespace, `[key]` of a dict, `[0]` of a list. */
function partOf(from: Value, part: string): Value {
  const name = part.replace(/\]$/, '');
  const isKey = part !== name;
  let found: Value | undefined;
  if (!isKey && from instanceof Instance && !name.startsWith('_')) found = from.attribute(name);
  else if (isKey && from instanceof Map) found = from.get(/^\d+$/.test(name) ? Number(name) : name);
  else if (isKey && Array.isArray(from)) found = from[Number(name)];
  if (found === undefined) throw new Error(`format() finds no '${name}'`);
  return found;
}

function byFormat(value: Value, source: string, budget: Budget): string {
  if (value instanceof Undefined) return source === '' ? '' : value.fail();
  const found = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d*)([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su.exec(
    source,
  );
  if (!found) throw new Error(`format() does not know '${source}'`);
  const [, fill, align, sign = '-', alternate, zero, width = '', grouping = ''] = found;
  const type = found[9] ?? '';
  const isNumber = numberOf(value) !== undefined && (typeof value !== 'boolean' || type !== '');
  const spec: FormatSpec = {
    fill: fill ?? (zero ? '0' : ' '),
    align: (align ?? (zero && isNumber ? '=' : isNumber ? '>' : '<')) as FormatSpec['align'],
    sign,
    isAlternate: alternate !== undefined,
    width: Number(width),
    grouping,
    precision: found[8] === undefined ? undefined : Number(found[8]),
    type,
  };
  if (isNumber) return formattedNumber(value, spec, budget);
  if (type !== '' && type !== 's') throw new Error(`format() cannot write this as '${type}'`);
  return formattedText(text(value, budget), spec, budget);
}
