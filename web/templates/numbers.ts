// SPDX-License-Identifier: MIT
// How Python writes numbers.
import type { Value } from './values.js';
import { Float, int } from './values.js';

/** `repr` of a float: the fewest digits that are this number, as JavaScript's, but 1.0, 1e+16 and 1e-05. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value !== 0 && (power < -4 || power >= 16)) return `${mantissa}e${exponentText(power)}`;
  const text = plain(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** `+16`, `-05`. */
export const exponentText = (power: number): string =>
  `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;

/** Without an exponent, of numbers between 1e-7 and 1e21 or a little beyond. */
function plain(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [, digits = '', power = '0'] = /^-?([\d.]+)e([+-]\d+)$/.exec(text) ?? [];
  const zeros = '0'.repeat(-Number(power) - 1);
  return `${value < 0 ? '-' : ''}0.${zeros}${digits.replace('.', '')}`;
}

/** With so many digits behind the point; what lies exactly between two of them becomes the even one. */
export function fixed(value: number, digits: number): string {
  if (Math.abs(value) >= 1e21) {
    return BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '');
  }
  const rounded = value.toFixed(digits);
  const exact = value.toFixed(100);
  const rest = exact.slice(exact.indexOf('.') + 1 + digits);
  if (!/^50*$/.test(rest) || Number(rounded.at(-1)) % 2 === 0) return rounded;
  return exact.slice(0, exact.indexOf('.') + (digits === 0 ? 0 : 1 + digits));
}

/** Of a text, as `int()` reads it; undefined when it is none. */
export function readInt(text: string, base: number): number | undefined {
  const prefixes: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 16: '0x' };
  const [, sign = '', body = ''] = /^([+-]?)(\w+)$/.exec(text) ?? [];
  const prefix = prefixes[base];
  const digits =
    prefix && body.toLowerCase().startsWith(prefix) ? body.slice(2).replace(/^_/, '') : body;
  if (!/^[0-9a-z]+(_[0-9a-z]+)*$/i.test(digits)) return undefined;
  let value = 0;
  for (const digit of digits.replaceAll('_', '')) {
    const worth = Number.parseInt(digit, 36);
    if (worth >= base) return undefined;
    value = int(value * base + worth);
  }
  return sign === '-' ? int(-value) : value;
}

/** Of a text, as `float()` reads it; undefined when it is none. */
export function readFloat(text: string): number | undefined {
  const [, sign = '', word = ''] = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(text) ?? [];
  if (word)
    return (/^n/i.test(word) ? Number.NaN : Number.POSITIVE_INFINITY) * (sign === '-' ? -1 : 1);
  const isNumber = /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/i.test(
    text,
  );
  return isNumber ? Number(text.replaceAll('_', '')) : undefined;
}

/** The number that arithmetic of two gave: an int where both were. */
export const result = (value: number, isFloat: boolean): Value =>
  isFloat ? new Float(value) : int(value);
