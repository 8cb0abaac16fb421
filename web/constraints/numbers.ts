// SPDX-License-Identifier: MIT
// The texts of numbers, as JSON.stringify writes them and close to it: plain below 1e21, with an
// exponent beyond that and below 1e-6.
import {
  type Automaton,
  automaton,
  chars,
  choice,
  type Expression,
  literal,
  optional,
  repeat,
  sequence,
} from './automaton.js';
import { charsOf, codePoints, DIGITS } from './code-points.js';
import { intersect } from './intersect.js';

/** What a number may be: both ends are reached. */
export interface Range {
  low: number;
  high: number;
}

// JSON.stringify writes 21 digits before the point and, at 1.2345678901234567e-6, 22 behind it.
const MOST_DIGITS = 21;
const MOST_DECIMALS = 22;
const UNIT = 10n ** BigInt(MOST_DECIMALS);
const MOST_PLAIN = 10n ** BigInt(MOST_DIGITS) * UNIT - 1n;
/** The largest double. */
const LARGEST = Number.MAX_VALUE;

const DIGIT = chars(DIGITS);
const digit = (from: number, to: number): Expression => chars(codePoints([[48 + from, 48 + to]]));
const digits = (min: number, max: number): Expression => repeat(DIGIT, min, max);
const FREE = digits(0, Number.POSITIVE_INFINITY);
const NOT_ZERO = digit(1, 9);

const WHOLE = choice(literal('0'), sequence(NOT_ZERO, digits(0, MOST_DIGITS - 1)));
const DECIMALS = sequence(literal('.'), digits(1, MOST_DECIMALS));
const of = (language: Automaton): Expression => ({ kind: 'automaton', automaton: language });

const EVERY = new Map<boolean, Automaton>();

/** Every number of JSON that no double is too small for; or whole ones. */
export function anyNumber(whole: boolean): Expression {
  const known = EVERY.get(whole) ?? automaton(everyNumber(whole));
  EVERY.set(whole, known);
  return of(known);
}

function everyNumber(whole: boolean): Expression {
  const range = { low: -LARGEST, high: LARGEST };
  if (whole) return choice(sequence(optional(literal('-')), WHOLE), exponents(whole, range));
  // Exponents as people write them, too: with 21 digits before the point none overflows.
  const exponent = sequence(chars(charsOf('eE')), optional(chars(charsOf('+-'))), digits(1, 2));
  const plain = sequence(WHOLE, optional(DECIMALS), optional(exponent));
  return choice(sequence(optional(literal('-')), plain), exponents(whole, range));
}

/** The least double above one. */
export function nextDouble(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] as bigint) + (value > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] as number;
}

/** The largest double below one. */
export const previousDouble = (value: number): number => -nextDouble(-value);

/**
 * Numbers within a range, each double in it by the text that `JSON.stringify` has for it and others that
 * are read as a double in it.
 */
export function boundedNumber(whole: boolean, range: Range): Expression {
  return choice(plainNumber(whole, range), exponents(whole, range));
}

/** Those of {@link boundedNumber} without an exponent. */
export function plainNumber(whole: boolean, { low, high }: Range): Expression {
  // Shortest decimals that are read as the bound: whatever decimal is no further, no double is either.
  const floor = units(high, false);
  const ceiling = units(low, true);
  const found: Expression[] = [];
  const form = whole ? WHOLE : sequence(WHOLE, optional(DECIMALS));
  const add = (from: bigint, to: bigint, sign: Expression) => {
    const most = to < MOST_PLAIN ? to : MOST_PLAIN;
    if (from > most) return;
    let language = automaton(form);
    if (from > 0n) language = intersect(language, automaton(compared(decimal(from), true)));
    if (most < MOST_PLAIN) {
      language = intersect(language, automaton(compared(decimal(most), false)));
    }
    found.push(sequence(sign, of(language)));
  };
  add(ceiling > 0n ? ceiling : 0n, floor, sequence());
  add(floor < 0n ? -floor : 1n, -ceiling, literal('-'));
  return choice(...found);
}

/** Of a number's digits: before the point, and behind it without zeros at the end. */
export interface Decimal {
  whole: string;
  fraction: string;
}

function decimal(value: bigint): Decimal {
  const text = String(value).padStart(MOST_DECIMALS + 1, '0');
  const whole = text.slice(0, -MOST_DECIMALS);
  return { whole, fraction: text.slice(-MOST_DECIMALS).replace(/0+$/, '') };
}

// Decimals that are no less, or no more, than one.
function compared({ whole, fraction }: Decimal, atLeast: boolean): Expression {
  const rest = sequence(FREE, optional(sequence(literal('.'), FREE)));
  const beyond = (char: string) =>
    atLeast ? digit(Number(char) + 1, 9) : digit(0, Number(char) - 1);
  const differs = (text: string, i: number) =>
    atLeast ? text[i] !== '9' : (text[i] as string) !== '0';
  const found: Expression[] = [];
  const count = whole.length;
  const decimals = optional(sequence(literal('.'), FREE));
  if (atLeast) {
    found.push(sequence(NOT_ZERO, digits(count, count), rest));
  } else if (count > 1) {
    found.push(sequence(digits(1, count - 1), decimals));
  }
  for (let i = 0; i < count; i++) {
    if (!differs(whole, i)) continue;
    const same = literal(whole.slice(0, i));
    const more = digits(count - i - 1, count - i - 1);
    found.push(sequence(same, beyond(whole[i] as string), more, decimals));
  }
  const same = (length: number) => literal(`${whole}.${fraction.slice(0, length)}`);
  for (let i = 0; i < fraction.length; i++) {
    if (differs(fraction, i)) found.push(sequence(same(i), beyond(fraction[i] as string), FREE));
  }
  if (atLeast) {
    found.push(
      fraction === '' ? sequence(literal(whole), decimals) : sequence(same(fraction.length), FREE),
    );
  } else {
    found.push(literal(whole));
    for (let i = 1; i < fraction.length; i++) found.push(same(i));
    found.push(sequence(same(fraction.length), repeat(literal('0'), 0, Number.POSITIVE_INFINITY)));
  }
  return choice(...found);
}

/**
 * Numbers of a range that JSON.stringify writes with an exponent; but for ranges in which what stands
 * before the exponent, 1 to 10, is no number while others are: a text that has begun so could only go on
 * to one of 10^21 or of 10^-7, which nobody means.
 */
export function exponents(whole: boolean, { low, high }: Range): Expression {
  const found: Expression[] = [];
  const add = (from: number, to: number, sign: Expression) => {
    if (to >= 1e21 && (from <= 1 || from >= 1e15)) {
      found.push(sequence(sign, scientific(Math.max(from, 1e21), to, '+')));
    }
    if (!whole && from < 1e-6 && to >= Number.MIN_VALUE && (to >= 10 || to <= 1e-6)) {
      const least = Math.max(from, Number.MIN_VALUE);
      found.push(sequence(sign, scientific(least, Math.min(to, previousDouble(1e-6)), '-')));
    }
  };
  if (high > 0) add(Math.max(low, 0), Math.min(high, LARGEST), sequence());
  if (low < 0) add(Math.max(-high, 0), Math.min(-low, LARGEST), literal('-'));
  return choice(...found);
}

// From one to the other, whose exponents have the same sign.
function scientific(low: number, high: number, sign: '+' | '-'): Expression {
  const [from, to] = [parts(low), parts(high)];
  const mantissa = automaton(sequence(NOT_ZERO, optional(sequence(literal('.'), digits(1, 16)))));
  const bounded = (least: Decimal | undefined, most: Decimal | undefined) => {
    let language = mantissa;
    if (least) language = intersect(language, automaton(compared(least, true)));
    if (most) language = intersect(language, automaton(compared(most, false)));
    return of(language);
  };
  const [first, last] = [from.exponent, to.exponent];
  if (first > last) return choice();
  const power = (one: number, other: number) => {
    const sizes = [Math.abs(one), Math.abs(other)].sort((a, b) => a - b) as [number, number];
    return sequence(literal(`e${sign}`), integers(...sizes));
  };
  if (first === last) return sequence(bounded(from.mantissa, to.mantissa), power(first, first));
  const found = [
    sequence(bounded(from.mantissa, undefined), power(first, first)),
    sequence(bounded(undefined, to.mantissa), power(last, last)),
  ];
  if (last - first > 1) {
    found.push(sequence(bounded(undefined, undefined), power(first + 1, last - 1)));
  }
  return choice(...found);
}

// Integers >= 0 from the one to the other.
function integers(low: number, high: number): Expression {
  const found: Expression[] = [];
  for (let count = String(low).length; count <= String(high).length; count++) {
    const from = Math.max(low, count === 1 ? 0 : 10 ** (count - 1));
    found.push(between(String(from), String(Math.min(high, 10 ** count - 1))));
  }
  return choice(...found);
}

// Strings of as many digits as `low` and `high` have, from the one to the other.
function between(low: string, high: string): Expression {
  const count = low.length;
  if (/^0*$/.test(low) && /^9*$/.test(high)) return digits(count, count);
  const [first, last] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) return sequence(digit(first, first), between(lowRest, highRest));
  const [zeros, nines] = ['0'.repeat(count - 1), '9'.repeat(count - 1)];
  return choice(
    sequence(digit(first, first), between(lowRest, nines)),
    sequence(digit(first + 1, last - 1), digits(count - 1, count - 1)),
    sequence(digit(last, last), between(zeros, highRest)),
  );
}

function parts(value: number): { mantissa: Decimal; exponent: number } {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return { mantissa: { whole, fraction }, exponent: Number(exponent) };
}

// So many units of the last decimal that is written, rounded up or down.
function units(value: number, up: boolean): bigint {
  if (Math.abs(value) >= 1e22) return (value < 0 ? -1n : 1n) * (MOST_PLAIN + 1n);
  const { mantissa, exponent } = parts(Math.abs(value));
  const exact = BigInt(mantissa.whole + mantissa.fraction) * (value < 0 ? -1n : 1n);
  const shift = exponent - mantissa.fraction.length + MOST_DECIMALS;
  if (shift >= 0) return exact * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  const quotient = exact / unit;
  if (quotient * unit === exact) return quotient;
  return up ? quotient + (exact > 0n ? 1n : 0n) : quotient - (exact < 0n ? 1n : 0n);
}
