// SPDX-License-Identifier: MIT
// How a value is written to a width, a precision, a base: what `%` and `str.format` share.
import type { Budget } from './budget.js';
import { exponentText, fixed, floatText } from './numbers.js';
import { Float, letters, numberOf, typeOf, type Value } from './values.js';

const MAX_PRECISION = 100;

export interface FormatSpec {
  fill: string;
  /** `=`: between sign and digits. */
  align: '<' | '>' | '=' | '^';
  sign: string;
  isAlternate: boolean;
  width: number;
  /** What stands between thousands. */
  grouping: string;
  precision: number | undefined;
  type: string;
}

/** A text, cut to its precision, at its width. */
export function formattedText(text: string, spec: FormatSpec, budget: Budget): string {
  const { precision } = spec;
  const cut = precision === undefined ? text : Array.from(text).slice(0, precision).join('');
  return aligned('', cut, spec, budget);
}

/** A number, by the letter for its kind. @throws Error when it is none, or the letter is not known */
export function formattedNumber(value: Value, spec: FormatSpec, budget: Budget): string {
  const number = numberOf(value);
  if (number === undefined) throw new Error(`%${spec.type} takes a number, not ${typeOf(value)}`);
  const isNegative = number < 0 || Object.is(number, -0);
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const digits = digitsOf(Math.abs(number), value instanceof Float, spec);
  return aligned(sign, grouped(digits, spec.grouping), spec, budget);
}

function digitsOf(number: number, isFloat: boolean, spec: FormatSpec): string {
  const { type, precision = 6, isAlternate } = spec;
  if (precision > MAX_PRECISION) throw new Error(`a precision of ${precision} is too much`);
  if ('dxXob'.includes(type)) {
    if (!Number.isFinite(number)) throw new Error(`%${type} takes a whole number`);
    const whole = Math.trunc(number);
    const base = { x: 16, X: 16, o: 8, b: 2 }[type] ?? 10;
    const digits = (base === 10 ? String(BigInt(whole)) : whole.toString(base)).padStart(
      type === 'd' ? (spec.precision ?? 0) : 0,
      '0',
    );
    const all = (isAlternate && base !== 10 ? `0${type.toLowerCase()}` : '') + digits;
    return type === 'X' ? all.toUpperCase() : all;
  }
  if (!Number.isFinite(number)) {
    const word = floatText(number);
    return 'EFG'.includes(type) ? word.toUpperCase() : word;
  }
  switch (type) {
    case 'f':
    case 'F':
      return fixed(number, precision);
    case '%':
      return `${fixed(number * 100, precision)}%`;
    case 'e':
    case 'E':
      return cased(scientific(number, precision), type);
    case 'g':
    case 'G':
      return cased(general(number, Math.max(1, precision), isAlternate), type);
    case '':
      if (!isFloat) return String(number);
      return spec.precision === undefined ? floatText(number) : shortFloat(number, precision);
    default:
      throw new Error(`a number cannot be written as '${type}'`);
  }
}

const cased = (text: string, type: string): string =>
  type === type.toUpperCase() ? text.toUpperCase() : text;

function scientific(number: number, precision: number): string {
  const [mantissa = '', power = '0'] = number.toExponential(precision).split('e');
  return `${mantissa}e${exponentText(Number(power))}`;
}

function general(number: number, precision: number, keepsZeros: boolean): string {
  const power = number === 0 ? 0 : Number(number.toExponential(precision - 1).split('e')[1]);
  const isShort = power >= -4 && power < precision;
  const digits = isShort ? fixed(number, precision - 1 - power) : scientific(number, precision - 1);
  if (keepsZeros || !digits.includes('.')) return digits;
  const [, mantissa = '', rest = ''] = /^([^e]*)(.*)$/.exec(digits) ?? [];
  return mantissa.replace(/\.?0+$/, '') + rest;
}

/** A float without a letter: as `g`, but it stays a float. */
function shortFloat(number: number, precision: number): string {
  const digits = general(number, Math.max(1, precision), false);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}

function grouped(digits: string, separator: string): string {
  if (separator === '') return digits;
  const [, whole = '', rest = ''] = /^(\d*)(.*)$/.exec(digits) ?? [];
  return whole.replace(/\B(?=(\d{3})+$)/g, separator) + rest;
}

function aligned(sign: string, body: string, spec: FormatSpec, budget: Budget): string {
  const lacking = spec.width - letters(sign + body).length;
  if (lacking <= 0) return sign + body;
  budget.letters(lacking);
  const { fill, align } = spec;
  if (align === '=') return sign + fill.repeat(lacking) + body;
  const left = align === '>' ? lacking : align === '<' ? 0 : lacking >> 1;
  return fill.repeat(left) + sign + body + fill.repeat(lacking - left);
}
