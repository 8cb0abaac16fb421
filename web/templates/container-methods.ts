// SPDX-License-Identifier: MIT
// Methods of lists and dicts. What would change them is refused, as a sandbox refuses it.
import { argumentsOf } from './arguments.js';
import type { Budget } from './budget.js';
import {
  areEqual,
  Callable,
  type Dict,
  type Given,
  keyOf,
  Lazy,
  Tuple,
  typeOf,
  Undefined,
  type Value,
} from './values.js';

type Method<T> = (value: T, given: Given, budget: Budget) => Value;

const DICT: Readonly<Record<string, Method<Dict>>> = {
  get(dict, given) {
    const [key = null, otherwise = null] = argumentsOf(given, 'get', 'key default=');
    return dict.get(keyOf(key)) ?? (dict.has(keyOf(key)) ? null : otherwise);
  },
  items: (dict) => new Lazy('dict_items', entriesOf(dict)),
  keys: (dict) => new Lazy('dict_keys', [...dict.keys()]),
  values: (dict) => new Lazy('dict_values', [...dict.values()]),
  copy: (dict) => new Map(dict),
};

const LIST: Readonly<Record<string, Method<Value[]>>> = {
  count(list, given, budget) {
    const [value = null] = argumentsOf(given, 'count', 'value');
    return list.filter((item) => areEqual(item, value, budget)).length;
  },
  index(list, given, budget) {
    const [value = null] = argumentsOf(given, 'index', 'value');
    const at = list.findIndex((item) => areEqual(item, value, budget));
    if (at < 0) throw new Error('what index() looks for is not in the list');
    return at;
  },
  copy: (list) => [...list],
};

const CHANGES: Readonly<Record<string, readonly string[]>> = {
  dict: ['clear', 'pop', 'popitem', 'setdefault', 'update'],
  list: ['append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort'],
};

/** The (key, value) of a dict. */
export const entriesOf = (dict: Dict): Tuple[] => [...dict].map((entry) => Tuple.holding(entry));

/** A method of a list or dict by its name. */
export function containerMethod(
  value: Value[] | Dict,
  name: string,
  budget: Budget,
): Value | undefined {
  const type = typeOf(value);
  if (CHANGES[type]?.includes(name)) {
    return new Undefined(`access to attribute '${name}' of '${type}' object is unsafe`);
  }
  if (value instanceof Map) return bound(DICT, value, name, budget);
  if (value instanceof Tuple && name === 'copy') return undefined;
  return bound(LIST, value, name, budget);
}

function bound<T extends Value[] | Dict>(
  methods: Readonly<Record<string, Method<T>>>,
  value: T,
  name: string,
  budget: Budget,
): Value | undefined {
  if (!Object.hasOwn(methods, name)) return undefined;
  const method = methods[name] as Method<T>;
  return new Callable(name, (given) => {
    budget.items(value instanceof Map ? value.size : value.length);
    return method(value, given, budget);
  });
}
