// SPDX-License-Identifier: MIT
// Decimal numbers within bounds, as expressions over their digits.
import {
  chars,
  choice,
  type Expression,
  literal,
  optional,
  repeat,
  sequence,
} from './automaton.js';
import { charsOf, codePoints, DIGITS } from './code-points.js';

/** What a number may be; `above` and `below` are not reached themselves. */
export interface Bounds {
  minimum?: number;
  maximum?: number;
  above?: number;
  below?: number;
}

// Every integer of so many digits is a safe one, no number overflows, and no two decimals of so many
// are one double (IEEE 754: 15.95 digits).
const MOST_DIGITS = 15;
const LARGEST = 10n ** BigInt(MOST_DIGITS) - 1n;
// Digits behind those that bounds have.
const MORE_DECIMALS = 6;

const DIGIT = chars(DIGITS);
const digit = (from: number, to: number): Expression => chars(codePoints([[48 + from, 48 + to]]));
const digits = (min: number, max: number): Expression => repeat(DIGIT, min, max);

const ANY_INTEGER = sequence(
  optional(literal('-')),
  choice(literal('0'), sequence(digit(1, 9), digits(0, MOST_DIGITS - 1))),
);

/** Numbers of at most 15 digits, 17 decimals and two digits of exponent; or whole ones. */
export function anyNumber(whole: boolean): Expression {
  if (whole) return ANY_INTEGER;
  const exponent = sequence(chars(charsOf('eE')), optional(chars(charsOf('+-'))), digits(1, 2));
  const decimals = sequence(literal('.'), digits(1, 17));
  return sequence(ANY_INTEGER, optional(decimals), optional(exponent));
}

// Strings of as many digits as `low` and `high` have, from the one to the other.
function between(low: string, high: string): Expression {
  const count = low.length;
  if (count === 0) return sequence();
  const [zeros, nines] = ['0'.repeat(count - 1), '9'.repeat(count - 1)];
  // Every string of so many digits; without this the number of parts would double with each.
  if (low === `0${zeros}` && high === `9${nines}`) return digits(count, count);
  const first = Number(low[0]);
  const last = Number(high[0]);
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) return sequence(digit(first, first), between(lowRest, highRest));
  const parts = [
    sequence(digit(first, first), between(lowRest, nines)),
    sequence(digit(last, last), between(zeros, highRest)),
  ];
  if (last - first > 1) {
    parts.push(sequence(digit(first + 1, last - 1), digits(count - 1, count - 1)));
  }
  return choice(...parts);
}

// Whole numbers from low to high, both >= 0, of units of 10^-decimals, with all their decimals; with
// up to `more` behind them.
function natural(low: bigint, high: bigint, decimals: number, more = 0): Expression[] {
  const found: Expression[] = [];
  for (let count = 1; count <= MOST_DIGITS; count++) {
    const size = count + decimals;
    const least = count === 1 ? 0n : 10n ** BigInt(size - 1);
    const most = 10n ** BigInt(size) - 1n;
    const from = low > least ? low : least;
    const to = high < most ? high : most;
    if (from > to) continue;
    const text = between(String(from).padStart(size, '0'), String(to).padStart(size, '0'));
    const whole = decimals === 0 ? text : pointed(text, count);
    const room = Math.min(more, MOST_DIGITS - size);
    if (more === 0) found.push(whole);
    else if (room > 0) found.push(sequence(whole, tail(decimals === 0, room)));
  }
  return found;
}

// Decimals that end with another digit than 0.
function tail(first: boolean, most: number): Expression {
  const more = sequence(digits(0, most - 1), digit(1, 9));
  return first ? sequence(literal('.'), more) : more;
}

// Puts a point behind the first `count` characters.
function pointed(text: Expression, count: number): Expression {
  if (count === 0) return sequence(literal('.'), text);
  if (text.kind === 'choice') return choice(...text.parts.map((part) => pointed(part, count)));
  if (text.kind === 'repeat') {
    const { part, min } = text;
    if (min <= count) return text;
    return sequence(digits(count, count), literal('.'), repeat(part, min - count, min - count));
  }
  if (text.kind !== 'sequence') return text;
  // A digit, then the rest.
  const [head, rest] = text.parts as [Expression, Expression];
  return sequence(head, pointed(rest, count - 1));
}

// From low to high units, some below zero.
function signed(low: bigint, high: bigint, decimals: number): Expression[] {
  const found: Expression[] = [];
  if (high >= 0n) found.push(...natural(low > 0n ? low : 0n, high, decimals));
  if (low < 0n) {
    const below = natural(high < 0n ? -high : 1n, -low, decimals);
    found.push(...below.map((text) => sequence(literal('-'), text)));
  }
  return found;
}

/**
 * Numbers within bounds, without an exponent.
 *
 * @throws TypeError for a bound that has none of these forms
 */
export function boundedNumber(whole: boolean, given: Bounds): Expression {
  const bounds = whole ? given : reached(given);
  const decimals = whole ? 0 : Math.max(...listed(bounds).map(decimalsOf));
  const unit = 10n ** BigInt(decimals);
  let low = -LARGEST * unit;
  let high = LARGEST * unit;
  const raise = (to: bigint) => {
    if (to > low) low = to;
  };
  const lower = (to: bigint) => {
    if (to < high) high = to;
  };
  const up = (bound: number) => -units(-bound, decimals);
  const { minimum, maximum, above, below } = bounds;
  if (minimum !== undefined) raise(up(minimum));
  if (maximum !== undefined) lower(units(maximum, decimals));
  // What lies between two units, not on one: the same for inclusive and exclusive bounds.
  let [innerLow, innerHigh] = [low, high];
  if (above !== undefined) {
    raise(units(above, decimals) + 1n);
    if (up(above) > innerLow) innerLow = up(above);
  }
  if (below !== undefined) {
    lower(up(below) - 1n);
    if (units(below, decimals) < innerHigh) innerHigh = units(below, decimals);
  }
  const found = signed(low, high, decimals);
  if (whole) return choice(...found);
  if (innerHigh > innerLow) {
    // A unit and more digits lies between it and the next one away from zero.
    if (innerHigh > 0n) {
      const from = innerLow > 0n ? innerLow : 0n;
      found.push(...natural(from, innerHigh - 1n, decimals, MORE_DECIMALS));
    }
    if (innerLow < 0n) {
      const to = innerHigh < 0n ? -innerHigh : 0n;
      const texts = natural(to, -innerLow - 1n, decimals, MORE_DECIMALS);
      found.push(...texts.map((text) => sequence(literal('-'), text)));
    }
  }
  // Whole ones need no decimals.
  if (decimals > 0) {
    const [from, to] = [-floor(-low, unit), floor(high, unit)];
    if (from <= to) found.push(...signed(from, to, 0));
  }
  return choice(...found);
}

const listed = (bounds: Bounds): number[] =>
  Object.values(bounds).filter((bound) => bound !== undefined);

// Where bounds have more digits than MOST_DIGITS, what lies beside one may be read as it: then the next
// double is the bound, and may be reached. Nothing is read as 0.
function reached(bounds: Bounds): Bounds {
  const most = Math.max(...listed(bounds).map((bound) => Math.abs(bound)));
  const decimals = Math.max(...listed(bounds).map(decimalsOf));
  if (String(Math.trunc(most)).length + decimals <= MOST_DIGITS) return bounds;
  const found = { ...bounds };
  const { minimum = -Infinity, maximum = Infinity, above = 0, below = 0 } = bounds;
  if (above !== 0) {
    found.minimum = Math.max(minimum, nextDouble(above));
    delete found.above;
  }
  if (below !== 0) {
    found.maximum = Math.min(maximum, -nextDouble(-below));
    delete found.below;
  }
  return found;
}

// The least double above one that is not 0.
function nextDouble(value: number): number {
  const double = new Float64Array([value]);
  const bits = new BigInt64Array(double.buffer);
  bits[0] = (bits[0] as bigint) + (value > 0 ? 1n : -1n);
  return double[0] as number;
}

function decimalsOf(bound: number): number {
  if (!Number.isFinite(bound)) throw new TypeError(`constraint: ${bound} cannot bound a number`);
  const text = String(bound);
  if (text.includes('e-'))
    throw new TypeError(`constraint: the bound ${text} has too many decimals`);
  return text.includes('e') ? 0 : (text.split('.')[1] ?? '').length;
}

function floor(value: bigint, unit: bigint): bigint {
  const whole = value / unit;
  return value < 0n && whole * unit !== value ? whole - 1n : whole;
}

// The largest whole number of units that is no more than the bound.
function units(bound: number, decimals: number): bigint {
  const own = decimalsOf(bound);
  if (own === 0) return BigInt(bound) * 10n ** BigInt(decimals);
  const [whole, fraction] = String(bound).split('.') as [string, string];
  const exact = BigInt(whole + fraction);
  return decimals >= own
    ? exact * 10n ** BigInt(decimals - own)
    : floor(exact, 10n ** BigInt(own - decimals));
}
