// SPDX-License-Identifier: MIT
import { type Automaton, type Edge, trimmed } from './automaton.js';
import { charsOf } from './code-points.js';

/** A decimal number as `units` of 10^-decimals. */
export interface Units {
  units: bigint;
  decimals: number;
}

// A state for each remainder, before the point and behind it, and digits to add.
const MOST_REMAINDERS = 10_000n;
const MOST_DECIMALS = 22;

/** @throws RangeError for one with more decimals than numbers are written with */
export function unitsOf(value: number): Units {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const shift = Number(exponent) - fraction.length;
  const units = BigInt(whole + fraction);
  if (shift < -MOST_DECIMALS) {
    throw new RangeError(`constraint: 'multipleOf' of ${value} has too many decimals`);
  }
  if (shift >= 0) return { units: units * 10n ** BigInt(shift), decimals: 0 };
  return { units, decimals: -shift };
}

/** The least common multiple of two. */
export function commonMultiple(a: Units, b: Units): Units {
  const decimals = Math.max(a.decimals, b.decimals);
  const one = a.units * 10n ** BigInt(decimals - a.decimals);
  const other = b.units * 10n ** BigInt(decimals - b.decimals);
  let [divisor, rest] = [one, other];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return { units: (one / divisor) * other, decimals };
}

/** Whether a decimal is a whole number of times the other. */
export function isMultiple(value: Units, of: Units): boolean {
  const decimals = Math.max(value.decimals, of.decimals);
  const one = value.units * 10n ** BigInt(decimals - value.decimals);
  return one % (of.units * 10n ** BigInt(decimals - of.decimals)) === 0n;
}

/**
 * Decimals without an exponent that are, or are not, multiples of one: an automaton of remainders.
 *
 * @throws RangeError where they are too many
 */
export function multiples(of: Units, are: boolean): Automaton {
  let { units, decimals } = of;
  while (decimals > 0 && units % 10n === 0n) [units, decimals] = [units / 10n, decimals - 1];
  // Ten to this power is a multiple of it: digits before it do not matter.
  if (units * BigInt(decimals + 1) > MOST_REMAINDERS) {
    const what = `'multipleOf' of ${of.units}e-${of.decimals}`;
    throw new RangeError(`constraint is too large: ${what} has too many remainders`);
  }
  const size = Number(units);
  // States: 0 start, then a row of remainders for each count of decimals read, before the point in row
  // 0; last, decimals beyond those that count: all zeros, and some other digit.
  const rows = decimals + 2;
  const at = (row: number, remainder: number) => 2 + row * size + remainder;
  const zeros = at(rows, 0);
  const edges: Edge[][] = Array.from({ length: zeros + 2 }, () => []);
  const accepting = edges.map(() => false);
  const digit = Array.from('0123456789', (char) => charsOf(char));
  const put = (from: number, char: string, to: number) =>
    edges[from]?.push({ set: charsOf(char), to });
  put(0, '-', 1);
  for (let value = 0; value < 10; value++) {
    const set = digit[value] as Int32Array;
    for (const from of [0, 1]) edges[from]?.push({ set, to: at(0, value % size) });
  }
  const isZero = (remainder: number, row: number) =>
    (remainder * Number(10n ** BigInt(decimals - row) % units)) % size === 0;
  for (let remainder = 0; remainder < size; remainder++) {
    put(at(0, remainder), '.', at(1, remainder));
    accepting[at(0, remainder)] = isZero(remainder, 0) === are;
    for (let value = 0; value < 10; value++) {
      const set = digit[value] as Int32Array;
      const next = (remainder * 10 + value) % size;
      edges[at(0, remainder)]?.push({ set, to: at(0, next) });
      for (let row = 1; row <= decimals; row++) {
        edges[at(row, remainder)]?.push({ set, to: at(row + 1, next) });
      }
      // Behind the decimals that count: only a zero changes nothing.
      const over = at(decimals + 1, remainder);
      const kept = value === 0 ? over : zeros + 1;
      edges[over]?.push({ set, to: kept });
    }
    for (let row = 2; row <= decimals + 1; row++) {
      accepting[at(row, remainder)] = isZero(remainder, row - 1) === are;
    }
  }
  if (decimals === 0) {
    // Row 1 stands both for the point and for zeros behind it; JSON wants a digit there.
    for (let remainder = 0; remainder < size; remainder++)
      accepting[at(1, remainder)] = isZero(remainder, 0) === are;
  }
  for (const char of '0123456789') put(zeros + 1, char, zeros + 1);
  accepting[zeros + 1] = !are;
  return trimmed({ edges, accepting, start: 0 });
}
