// SPDX-License-Identifier: MIT
// Jinja's tests, by their names: `value is name`.
import { argumentsOf } from './arguments.js';
import type { Budget } from './budget.js';
import { isCased } from './letter-case.js';
import { holds, isIn } from './operators.js';
import type { Test } from './runtime.js';
import {
  Float,
  Instance,
  intOf,
  Lazy,
  lengthOf,
  numberOf,
  Undefined,
  type Value,
} from './values.js';
import { text } from './writing.js';

/** A test of the value alone. */
const plain =
  (test: (value: Value, budget: Budget) => boolean): Test =>
  (value, given, { budget }) => {
    argumentsOf(given, 'a test', '');
    return test(value, budget);
  };

/** A test against another value. */
const against =
  (test: (value: Value, other: Value, budget: Budget) => boolean): Test =>
  (value, given, { budget }) => {
    const [other = null] = argumentsOf(given, 'a test', 'other');
    return test(value, other, budget);
  };

const comparing = (operator: string) =>
  against((value, other, budget) => holds(operator, value, other, budget));

const remainder = (value: Value, divisor: number): number => {
  if (value instanceof Undefined) value.fail();
  const number = numberOf(value);
  if (number === undefined) throw new Error('a remainder is one of numbers');
  return number % divisor;
};

const isIterable = (value: Value) =>
  value !== null &&
  (typeof value === 'string' || lengthOf(value) !== undefined || value instanceof Lazy);

export const TESTS: Readonly<Record<string, Test>> = {
  boolean: plain((value) => typeof value === 'boolean'),
  callable: plain(
    (value) =>
      value instanceof Undefined || (value instanceof Instance && value.call !== undefined),
  ),
  defined: plain((value) => !(value instanceof Undefined)),
  divisibleby: against((value, divisor) => {
    const by = intOf(divisor, 'divisibleby');
    if (by === 0) throw new Error('division by zero');
    return remainder(value, by) === 0;
  }),
  escaped: plain(() => false),
  even: plain((value) => remainder(value, 2) === 0),
  false: plain((value) => value === false),
  float: plain((value) => value instanceof Float),
  in: against(isIn),
  integer: plain((value) => typeof value === 'number'),
  iterable: plain(isIterable),
  lower: plain((value, budget) => {
    const all = text(value, budget);
    return isCased(all) && all === all.toLowerCase();
  }),
  mapping: plain((value) => value instanceof Map),
  none: plain((value) => value === null),
  number: plain((value) => numberOf(value) !== undefined),
  odd: plain((value) => Math.abs(remainder(value, 2)) === 1),
  sameas: against((value, other) => value === other),
  sequence: plain((value) => lengthOf(value) !== undefined && !(value instanceof Lazy)),
  string: plain((value) => typeof value === 'string'),
  true: plain((value) => value === true),
  undefined: plain((value) => value instanceof Undefined),
  upper: plain((value, budget) => {
    const all = text(value, budget);
    return isCased(all) && all === all.toUpperCase();
  }),
  ...Object.fromEntries(
    [
      ['==', '==', 'eq', 'equalto'],
      ['!=', '!=', 'ne'],
      ['<', '<', 'lt', 'lessthan'],
      ['<=', '<=', 'le'],
      ['>', '>', 'gt', 'greaterthan'],
      ['>=', '>=', 'ge'],
    ].flatMap(([operator = '', ...names]) => names.map((name) => [name, comparing(operator)])),
  ),
};
