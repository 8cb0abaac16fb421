// SPDX-License-Identifier: MIT
// Filters that put items in order, together or aside.
import { argumentsOf } from './arguments.js';
import { attributeGetter } from './attribute-getter.js';
import type { Budget } from './budget.js';
import { entriesOf } from './container-methods.js';
import type { Filter } from './runtime.js';
import { textOf } from './text-methods.js';
import {
  areEqual,
  compared,
  isTrue,
  iterated,
  keyOf,
  Lazy,
  Tuple,
  typeOf,
  Undefined,
  type Value,
} from './values.js';

type Key = (item: Value) => Value;

/** Keeps those of which a test holds, or does not. */
const selecting = (isKept: boolean, hasAttribute: boolean): Filter => {
  return (value, { positional, named }, runtime) => {
    const { budget } = runtime;
    const [attribute, ...rest] = hasAttribute ? positional : [null, ...positional];
    if (attribute === undefined) throw new Error('an attribute to select by is missing');
    const get = attributeGetter(attribute, budget);
    const [name, ...others] = rest;
    const test = name === undefined ? undefined : textOf(name, 'select');
    // Also what cannot be gone through, but is nothing.
    const items = isTrue(value) ? iterated(value, budget) : [];
    const kept = items.filter((item) => {
      budget.step();
      const found = get(item);
      const holds =
        test === undefined
          ? isTrue(found)
          : runtime.test(test, found, { positional: others, named });
      return holds === isKept;
    });
    return new Lazy('generator', kept);
  };
};

/** The first of the least, or of the greatest. */
const extreme = (name: string, sign: number): Filter => {
  return (value, given, { budget }) => {
    const [sensitive = false, by = null] = argumentsOf(given, name, 'case_sensitive= attribute=');
    const key = keyFor(by, isTrue(sensitive), budget);
    const items = iterated(value, budget);
    if (items.length === 0) return new Undefined('No aggregated item, sequence was empty.');
    return items.reduce((best, item) =>
      sign * compared(key(item), key(best), budget) > 0 ? item : best,
    );
  };
};

/** What items are ordered by: without regard to case, unless it is asked for. */
function keyFor(attribute: Value, isSensitive: boolean, budget: Budget, otherwise?: Value): Key {
  const get = attributeGetter(attribute, budget, otherwise);
  return (item) => {
    const found = get(item);
    return isSensitive || typeof found !== 'string' ? found : found.toLowerCase();
  };
}

function sorted(items: readonly Value[], key: Key, isReverse: boolean, budget: Budget): Value[] {
  const keyed = items.map((item): [Value, Value] => [key(item), item]);
  const sign = isReverse ? -1 : 1;
  keyed.sort(([a], [b]) => sign * compared(a, b, budget));
  return keyed.map(([, item]) => item);
}

export const SELECTING_FILTERS: Readonly<Record<string, Filter>> = {
  dictsort(value, given, { budget }) {
    const [sensitive = false, by = 'key', reverse = false] = argumentsOf(
      given,
      'dictsort',
      'case_sensitive= by= reverse=',
    );
    if (!(value instanceof Map)) throw new Error(`dictsort takes a dict, not ${typeOf(value)}`);
    if (by !== 'key' && by !== 'value') throw new Error("dictsort is by 'key' or 'value'");
    const key = keyFor(by === 'key' ? 0 : 1, isTrue(sensitive), budget);
    return sorted(entriesOf(value), key, isTrue(reverse), budget);
  },
  groupby(value, given, { budget }) {
    const [attribute = null, otherwise = null, sensitive = false] = argumentsOf(
      given,
      'groupby',
      'attribute default= case_sensitive=',
    );
    const instead = otherwise ?? undefined;
    const key = keyFor(attribute, isTrue(sensitive), budget, instead);
    const name = attributeGetter(attribute, budget, instead);
    const groups: { key: Value; items: Value[] }[] = [];
    for (const item of sorted(iterated(value, budget), key, false, budget)) {
      const last = groups.at(-1);
      if (last && areEqual(last.key, key(item), budget)) last.items.push(item);
      else groups.push({ key: key(item), items: [item] });
    }
    return groups.map(({ items }) => {
      const group = Tuple.holding([name(items[0] as Value), items]);
      group.names = ['grouper', 'list'];
      return group;
    });
  },
  max: extreme('max', 1),
  min: extreme('min', -1),
  reject: selecting(false, false),
  rejectattr: selecting(false, true),
  select: selecting(true, false),
  selectattr: selecting(true, true),
  sort(value, given, { budget }) {
    const [reverse = false, sensitive = false, by = null] = argumentsOf(
      given,
      'sort',
      'reverse= case_sensitive= attribute=',
    );
    const paths: Value[] = typeof by === 'string' ? by.split(',') : [by];
    const keys = paths.map((path) => keyFor(path, isTrue(sensitive), budget));
    const key: Key = (item) => keys.map((get) => get(item));
    return sorted(iterated(value, budget), key, isTrue(reverse), budget);
  },
  unique(value, given, { budget }) {
    const [sensitive = false, by = null] = argumentsOf(
      given,
      'unique',
      'case_sensitive= attribute=',
    );
    const key = keyFor(by, isTrue(sensitive), budget);
    const seen = new Set<Value>();
    const kept = iterated(value, budget).filter((item) => {
      const found = keyOf(key(item));
      if (typeof found === 'string') budget.read(found);
      return seen.size < seen.add(found).size;
    });
    return new Lazy('generator', kept);
  },
};
