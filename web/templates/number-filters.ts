// SPDX-License-Identifier: MIT
// Filters that make numbers of what they are given.
import { argumentsOf } from './arguments.js';
import { fixed, readFloat, readInt } from './numbers.js';
import type { Filter } from './runtime.js';
import { sizeOf } from './text-methods.js';
import { Float, int, intOf, numberOf, typeOf, Undefined, type Value } from './values.js';
import { stripped } from './white-space.js';

const length: Filter = (value, given, { budget }) => {
  argumentsOf(given, 'length', '');
  return sizeOf(value, budget);
};

/** `float()`; undefined for what is no number. */
function floatOf(value: Value): number | undefined {
  return typeof value === 'string' ? readFloat(stripped(value, 'both')) : numberOf(value);
}

export const NUMBER_FILTERS: Readonly<Record<string, Filter>> = {
  abs(value, given) {
    argumentsOf(given, 'abs', '');
    const number = numberOf(value);
    if (value instanceof Undefined) value.fail();
    if (number === undefined) throw new Error(`abs takes a number, not ${typeOf(value)}`);
    return value instanceof Float ? new Float(Math.abs(number)) : Math.abs(number);
  },
  count: length,
  float(value, given) {
    const [otherwise = new Float(0)] = argumentsOf(given, 'float', 'default=');
    if (value instanceof Undefined) value.fail();
    const number = floatOf(value);
    return number === undefined ? otherwise : new Float(number);
  },
  int(value, given) {
    const [otherwise = 0, base = 10] = argumentsOf(given, 'int', 'default= base=');
    if (value instanceof Undefined) value.fail();
    if (typeof value === 'string') {
      const whole = readInt(stripped(value, 'both'), intOf(base, 'int'));
      if (whole !== undefined) return whole;
    }
    // What is written as a float is one that is cut.
    const number = floatOf(value);
    return number === undefined || !Number.isFinite(number) ? otherwise : int(Math.trunc(number));
  },
  length,
  round(value, given) {
    const [precision = 0, method = 'common'] = argumentsOf(given, 'round', 'precision= method=');
    const [number, digits] = [numberOf(value), intOf(precision, 'round')];
    if (value instanceof Undefined) value.fail();
    if (number === undefined) throw new Error(`round takes a number, not ${typeOf(value)}`);
    if (method !== 'common' && method !== 'ceil' && method !== 'floor') {
      throw new Error('method must be common, ceil or floor');
    }
    const scale = 10 ** digits;
    if (method !== 'common') return new Float(Math[method](number * scale) / scale);
    const rounded =
      digits < 0
        ? Number(fixed(number * scale, 0)) / scale
        : Number(fixed(number, Math.min(digits, 100)));
    return value instanceof Float ? new Float(rounded) : int(rounded);
  },
};
