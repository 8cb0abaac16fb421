// SPDX-License-Identifier: MIT
// `'%s and %5.2f' % (…)`.
import type { Budget } from './budget.js';
import { type FormatSpec, formattedNumber, formattedText } from './format-spec.js';
import { intOf, Tuple, type Value } from './values.js';
import { representation, text } from './writing.js';

/** `str % values`. @throws Error for a form that is none, and when there are too few values or too many */
export function percentFormatted(form: string, values: Value, budget: Budget): string {
  const given = values instanceof Tuple ? [...values] : [values];
  let next = 0;
  const argument = (): Value => {
    if (next === given.length) throw new Error('not enough arguments for a format');
    return given[next++] as Value;
  };
  const pattern = /%(?:\(([^)]*)\))?([-+ 0#]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?(.?)/gsu;
  const written = form.replace(
    pattern,
    (_, key?: string, flags = '', width = '', precision?: string, type = '') => {
      if (type === '%') return '%';
      const size = width === '*' ? intOf(argument(), 'a width') : Number(width);
      const digits = precision === '*' ? intOf(argument(), 'a precision') : precision;
      const value = key === undefined ? argument() : keyed(values, key);
      const spec: FormatSpec = {
        fill: flags.includes('0') && !flags.includes('-') && !'src'.includes(type) ? '0' : ' ',
        align: flags.includes('-') || size < 0 ? '<' : flags.includes('0') ? '=' : '>',
        sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
        isAlternate: flags.includes('#'),
        width: Math.abs(size),
        grouping: '',
        precision: digits === undefined ? undefined : Number(digits),
        type: type === 'i' || type === 'u' ? 'd' : type,
      };
      return one(value, spec, budget);
    },
  );
  // A list or a dict may stand there for its keys, and need not be used.
  const isNeeded = values instanceof Tuple || !(Array.isArray(values) || values instanceof Map);
  if (next < given.length && isNeeded) throw new Error('not all arguments of a format were used');
  budget.letters(written.length);
  return written;
}

function keyed(values: Value, key: string): Value {
  const found = values instanceof Map ? values.get(key) : undefined;
  if (found === undefined) throw new Error(`a format finds no '${key}'`);
  return found;
}

function one(value: Value, spec: FormatSpec, budget: Budget): string {
  switch (spec.type) {
    case 's':
      return formattedText(text(value, budget), spec, budget);
    case 'r':
    case 'a':
      return formattedText(representation(value, budget), spec, budget);
    case 'c': {
      const letter = typeof value === 'number' ? String.fromCodePoint(value) : value;
      if (typeof letter !== 'string') throw new Error('%c takes a letter');
      return formattedText(letter, spec, budget);
    }
    case '':
      throw new Error('a format ends in the middle');
    default:
      return formattedNumber(value, spec, budget);
  }
}
