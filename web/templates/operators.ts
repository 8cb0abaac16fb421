// SPDX-License-Identifier: MIT
// Arithmetic and comparisons of Python.
import type { Budget } from './budget.js';
import { result } from './numbers.js';
import { percentFormatted } from './percent-format.js';
import {
  areEqual,
  compared,
  escaped,
  Float,
  iterated,
  keyOf,
  Markup,
  numberOf,
  Tuple,
  typeOf,
  Undefined,
  type Value,
} from './values.js';

/** `a op b`. @throws Error when it is not defined for the two */
export function arithmetic(operator: string, a: Value, b: Value, budget: Budget): Value {
  if (operator === '%' && typeof a === 'string') return percentFormatted(a, b, budget);
  if (a instanceof Undefined) a.fail();
  if (b instanceof Undefined) b.fail();
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) {
    return ofNumbers(operator, x, y, a instanceof Float || b instanceof Float);
  }
  if (operator === '+') {
    if (a instanceof Markup || b instanceof Markup) return joinedMarkup(a, b, budget);
    if (typeof a === 'string' && typeof b === 'string') {
      budget.letters(a.length + b.length);
      return a + b;
    }
    if (Array.isArray(a) && Array.isArray(b) && a instanceof Tuple === b instanceof Tuple) {
      budget.items(a.length + b.length);
      return a instanceof Tuple ? Tuple.holding([...a, ...b]) : [...a, ...b];
    }
  }
  if (operator === '*') {
    const [what, times] = x === undefined ? [a, b] : [b, a];
    if (typeof times === 'number' || typeof times === 'boolean') {
      const repeated = repeat(what, Math.max(0, Number(times)), budget);
      if (repeated !== undefined) return repeated;
    }
  }
  throw new Error(`unsupported operand types for ${operator}: '${typeOf(a)}' and '${typeOf(b)}'`);
}

function joinedMarkup(a: Value, b: Value, budget: Budget): Value {
  const [left = '', right = ''] = [a, b].map((part) => {
    if (part instanceof Markup) return part.text;
    if (typeof part !== 'string') throw new Error(`a text cannot be added to a ${typeOf(part)}`);
    return escaped(part);
  });
  budget.letters(left.length + right.length);
  return new Markup(left + right);
}

function repeat(what: Value, times: number, budget: Budget): Value | undefined {
  if (typeof what === 'string') {
    budget.letters(what.length * times);
    return what === '' ? '' : what.repeat(times);
  }
  if (!Array.isArray(what)) return undefined;
  budget.list(what.length * times, 'list');
  const items: Value[] = [];
  if (what.length > 0) for (let i = 0; i < times; i++) items.push(...what);
  return what instanceof Tuple ? Tuple.holding(items) : items;
}

function ofNumbers(operator: string, x: number, y: number, isFloat: boolean): Value {
  switch (operator) {
    case '+':
      return result(x + y, isFloat);
    case '-':
      return result(x - y, isFloat);
    case '*':
      return result(x * y, isFloat);
    case '/':
      return new Float(x / nonZero(y));
    case '//':
      return result(Math.floor(x / nonZero(y)), isFloat);
    case '%': {
      const rest = x % nonZero(y);
      return result(rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest, isFloat);
    }
    case '**': {
      const power = x ** (x === 0 && y < 0 ? nonZero(0) : y);
      if (!Number.isFinite(power)) throw new Error('a power in it is no number, or too large');
      return result(power, isFloat || y < 0);
    }
    default:
      throw new Error(`there is no operator ${operator}`);
  }
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw new Error('division by zero');
  return divisor;
}

/** `-a` or `+a`. */
export function signed(operator: string, a: Value): Value {
  if (a instanceof Undefined) a.fail();
  const number = numberOf(a);
  if (number === undefined) throw new Error(`bad operand type for ${operator}: '${typeOf(a)}'`);
  return result(operator === '-' ? -number : number, a instanceof Float);
}

/** `a op b` of a comparison. */
export function holds(operator: string, a: Value, b: Value, budget: Budget): boolean {
  switch (operator) {
    case '==':
      return areEqual(a, b, budget);
    case '!=':
      return !areEqual(a, b, budget);
    case 'in':
      return isIn(a, b, budget);
    case 'not in':
      return !isIn(a, b, budget);
    case '<':
      return compared(a, b, budget) < 0;
    case '<=':
      return compared(a, b, budget) <= 0;
    case '>':
      return compared(a, b, budget) > 0;
    default:
      return compared(a, b, budget) >= 0;
  }
}

/** Python's `in`. */
export function isIn(part: Value, whole: Value, budget: Budget): boolean {
  if (typeof whole === 'string') {
    if (part instanceof Undefined) part.fail();
    if (typeof part !== 'string') throw new Error(`a text cannot hold a ${typeOf(part)}`);
    budget.read(whole);
    return whole.includes(part);
  }
  if (whole instanceof Map) return whole.has(keyOf(part));
  return iterated(whole, budget).some((item) => areEqual(item, part, budget));
}
