// SPDX-License-Identifier: MIT
// Python's values, as far as templates see them. None of them changes but a namespace.
import { type Budget, LimitError, MAX_DEPTH } from './budget.js';

/**
 * None is null, a `bool` a boolean, a `str` a string, an `int` a number within 2^53, a `list` an array,
 * a `dict` a Map; the others are classes.
 */
export type Value =
  | null
  | boolean
  | string
  | number
  | Value[]
  | Dict
  | Float
  | Lazy
  | Markup
  | Instance
  | Undefined;

export type Dict = Map<Value, Value>;

/** What something is called with. */
export interface Given {
  positional: Value[];
  named: Map<string, Value>;
}

/** A `float`: of numbers alone JavaScript does not tell 1.0 from 1. */
export class Float {
  constructor(readonly value: number) {}
}

export class Tuple extends Array<Value> {
  /** Of a named tuple, what its items are called. */
  names: readonly string[] = [];

  static override get [Symbol.species]() {
    return Array;
  }

  static holding(items: readonly Value[]): Tuple {
    const tuple = new Tuple();
    for (const item of items) tuple.push(item);
    return tuple;
  }
}

/**
 * A text that `safe` or `escape` gave, until it is used: `+` escapes what is put beside it, even where
 * nothing else is escaped. Whatever else takes it sees a text.
 */
export class Markup {
  readonly type = 'Markup';
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

export const escaped = (text: string): string =>
  text.replace(/[&<>'"]/g, (letter) => ENTITIES[letter] as string);

/** What can be gone through but has no places: a generator, once, or a view of a dict. */
export class Lazy {
  #items: readonly Value[];

  constructor(
    readonly type: 'generator' | 'dict_items' | 'dict_keys' | 'dict_values',
    items: readonly Value[],
  ) {
    this.#items = items;
  }

  get isView(): boolean {
    return this.type !== 'generator';
  }

  /** Of a generator, those that nobody has taken. */
  take(): readonly Value[] {
    const items = this.#items;
    if (!this.isView) this.#items = [];
    return items;
  }

  /** Of a generator, the next. */
  next(): Value | undefined {
    const [first, ...others] = this.#items;
    if (!this.isView) this.#items = others;
    return first;
  }
}

/** An object of a class: a function, a namespace, a loop. */
export abstract class Instance {
  /** Its class's name. */
  abstract readonly type: string;
  call?(given: Given): Value;
  attribute(_name: string): Value | undefined {
    return undefined;
  }
  /** What `len` is of it. */
  get size(): number | undefined {
    return undefined;
  }
}

export class Callable extends Instance {
  readonly type = 'function';
  override readonly call: (given: Given) => Value;

  constructor(
    readonly name: string,
    call: (given: Given) => Value,
  ) {
    super();
    this.call = call;
  }

  override attribute(name: string): Value | undefined {
    return name === 'name' ? this.name : undefined;
  }
}

/** The only value that a template may change. */
export class Namespace extends Instance {
  readonly type = 'Namespace';
  readonly values: Dict = new Map();

  override attribute(name: string): Value | undefined {
    return this.values.get(name);
  }
}

/** What is not there: nothing where it is put out, an error in most of what is done with it. */
export class Undefined {
  constructor(readonly why: string) {}

  fail(): never {
    throw new Error(this.why);
  }
}

/** A name of the kind, for errors. */
export function typeOf(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'int';
  if (value instanceof Float) return 'float';
  if (value instanceof Tuple) return 'tuple';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'dict';
  if (value instanceof Undefined) return 'Undefined';
  return value.type;
}

/** A bool, an int or a float as a number. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Float ? value.value : undefined;
}

/**
 * An `int` of an argument.
 *
 * @throws Error naming what it is for, when it is none
 */
export function intOf(value: Value, what: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Undefined) value.fail();
  throw new Error(`${what} takes a whole number, not ${typeOf(value)}`);
}

/** An int that a computation gave. @throws Error beyond 2^53, where a double has not each of them */
export function int(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error('a whole number in it is beyond 2^53');
  return value + 0;
}

export function isTrue(value: Value): boolean {
  if (value === null || value instanceof Undefined) return false;
  if (value instanceof Float) return value.value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  if (value instanceof Lazy) return !value.isView || value.take().length > 0;
  if (value instanceof Instance) return value.size !== 0;
  return Boolean(value);
}

const SURROGATE = /[\ud800-\udfff]/;

/** The code points of a text. */
export function letters(text: string): string[] | string {
  return SURROGATE.test(text) ? Array.from(text) : text;
}

/** `len`, or undefined for what has none. */
export function lengthOf(value: Value): number | undefined {
  if (typeof value === 'string') return letters(value).length;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof Undefined) return 0;
  if (value instanceof Lazy) return value.isView ? value.take().length : undefined;
  return value instanceof Instance ? value.size : undefined;
}

/** What a loop goes through; undefined for what is not iterable. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (typeof value === 'string') return Array.from(value);
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.keys()];
  if (value instanceof Undefined) return [];
  return value instanceof Lazy ? value.take() : undefined;
}

/** @throws Error when it cannot be gone through */
export function iterated(value: Value, budget: Budget): readonly Value[] {
  const items = itemsOf(value);
  if (!items) throw new Error(`'${typeOf(value)}' object is not iterable`);
  budget.items(items.length);
  return items;
}

/** The key of a dict that equals a value: 1.0 and 1 are one. */
export function keyOf(value: Value): Value {
  if (value instanceof Float) return Number.isSafeInteger(value.value) ? value.value : value;
  if (Array.isArray(value) || value instanceof Map) {
    throw new Error(`a ${typeOf(value)} cannot be a key`);
  }
  return value;
}

/** Python's `==`. */
export function areEqual(a: Value, b: Value, budget: Budget, depth = 0): boolean {
  if (depth > MAX_DEPTH) throw new LimitError(`it nests deeper than ${MAX_DEPTH}`);
  if (typeof a === 'string' || typeof b === 'string') {
    if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) budget.read(a);
    return a === b;
  }
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined || y !== undefined) return x === y;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length || a instanceof Tuple !== b instanceof Tuple) return false;
    budget.step(a.length);
    return a.every((item, i) => areEqual(item, b[i] as Value, budget, depth + 1));
  }
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return false;
    budget.step(a.size);
    return [...a].every(
      ([key, item]) => b.has(key) && areEqual(item, b.get(key) as Value, budget, depth + 1),
    );
  }
  return a === b || (a instanceof Undefined && b instanceof Undefined);
}

/** Below, at or above zero as texts, numbers or lists stand to each other. @throws Error for others */
export function compared(a: Value, b: Value, budget: Budget, depth = 0): number {
  if (depth > MAX_DEPTH) throw new LimitError(`it nests deeper than ${MAX_DEPTH}`);
  budget.step(1 / 4);
  if (typeof a === 'string' && typeof b === 'string') return comparedTexts(a, b, budget);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
  if (Array.isArray(a) && Array.isArray(b) && a instanceof Tuple === b instanceof Tuple) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const [left, right] = [a[i] as Value, b[i] as Value];
      if (!areEqual(left, right, budget)) return compared(left, right, budget, depth + 1);
    }
    return a.length - b.length;
  }
  if (a instanceof Undefined) a.fail();
  if (b instanceof Undefined) b.fail();
  throw new Error(`'${typeOf(a)}' and '${typeOf(b)}' cannot be put in order`);
}

/** By code points, which is not by code units beyond U+D7FF. */
function comparedTexts(a: string, b: string, budget: Budget): number {
  budget.read(a.length < b.length ? a : b);
  if (a === b) return 0;
  const inUnits = a < b ? -1 : 1;
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return inUnits;
  let at = 0;
  while (a[at] === b[at]) at++;
  const isHigh = (text: string) => /^[\ud800-\udfff]/.test(text.charAt(at));
  if (isHigh(a) === isHigh(b)) return inUnits;
  return at < Math.min(a.length, b.length) ? (isHigh(a) ? 1 : -1) : inUnits;
}
