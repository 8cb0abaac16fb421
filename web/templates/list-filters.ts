// SPDX-License-Identifier: MIT
// Filters that go through items, or take one of them.
import { attribute } from './access.js';
import { argumentsOf } from './arguments.js';
import { attributeGetter } from './attribute-getter.js';
import { entriesOf } from './container-methods.js';
import { arithmetic } from './operators.js';
import type { Filter } from './runtime.js';
import { textOf } from './text-methods.js';
import { intOf, isTrue, iterated, Lazy, Markup, typeOf, Undefined, type Value } from './values.js';

const generator = (items: readonly Value[]): Lazy => new Lazy('generator', items);

const orDefault: Filter = (value, given) => {
  const [otherwise = '', isForFalse = false] = argumentsOf(
    given,
    'default',
    'default_value= boolean=',
  );
  const isMissing = value instanceof Undefined || (isTrue(isForFalse) && !isTrue(value));
  return isMissing ? otherwise : value;
};

export const LIST_FILTERS: Readonly<Record<string, Filter>> = {
  attr(value, given, { budget }) {
    const [name = ''] = argumentsOf(given, 'attr', 'name');
    const found = attribute(value, textOf(name, 'attr'), budget);
    return found ?? new Undefined(`'${typeOf(value)} object' has no attribute '${name}'`);
  },
  batch(value, given, { budget }) {
    const [count = 1, fill = null] = argumentsOf(given, 'batch', 'linecount fill_with=');
    const size = Math.max(1, intOf(count, 'batch'));
    const items = iterated(value, budget);
    const batches: Value[][] = [];
    for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
    const last = batches.at(-1);
    if (last && fill !== null) {
      budget.list(size - last.length, 'batch');
      while (last.length < size) last.push(fill);
    }
    return generator(batches);
  },
  d: orDefault,
  default: orDefault,
  first(value, given, { budget }) {
    argumentsOf(given, 'first', '');
    const first = value instanceof Lazy ? value.next() : iterated(value, budget)[0];
    return first === undefined ? new Undefined('No first item, sequence was empty.') : first;
  },
  items(value, given, { budget }) {
    argumentsOf(given, 'items', '');
    if (value instanceof Undefined) return generator([]);
    if (!(value instanceof Map)) throw new Error('Can only get item pairs from a mapping.');
    budget.items(value.size);
    return generator(entriesOf(value));
  },
  last(value, given, { budget }) {
    argumentsOf(given, 'last', '');
    if (value instanceof Lazy && !value.isView) throw new Error('a generator has no end to see');
    const last = iterated(value, budget).at(-1);
    return last === undefined ? new Undefined('No last item, sequence was empty.') : last;
  },
  list(value, given, { budget }) {
    argumentsOf(given, 'list', '');
    return [...iterated(value, budget)];
  },
  map(value, { positional, named }, runtime) {
    const { budget } = runtime;
    const items = isTrue(value) ? iterated(value, budget) : [];
    if (positional.length === 0 && named.has('attribute')) {
      const [path = null, otherwise] = argumentsOf(
        { positional, named },
        'map',
        'attribute default=',
      );
      return generator(items.map(attributeGetter(path, budget, otherwise ?? undefined)));
    }
    const [name, ...others] = positional;
    if (name === undefined) throw new Error('map takes a filter or an attribute');
    const filter = textOf(name, 'map');
    return generator(
      items.map((item) => {
        budget.step();
        const made = runtime.filter(filter, item, { positional: others, named });
        return made instanceof Markup ? made.text : made;
      }),
    );
  },
  reverse(value, given, { budget }) {
    argumentsOf(given, 'reverse', '');
    if (value instanceof Lazy && !value.isView) throw new Error('a generator cannot be reversed');
    const reversed = [...iterated(value, budget)].reverse();
    return typeof value === 'string' ? reversed.join('') : generator(reversed);
  },
  slice(value, given, { budget }) {
    const [count = 1, fill = null] = argumentsOf(given, 'slice', 'slices fill_with=');
    const size = intOf(count, 'slice');
    if (size < 1) throw new Error('slice takes a number above zero');
    const items = iterated(value, budget);
    budget.list(size, 'number of slices');
    const [least, longer] = [Math.floor(items.length / size), items.length % size];
    const slices: Value[][] = [];
    let at = 0;
    for (let i = 0; i < size; i++) {
      const end = at + least + (i < longer ? 1 : 0);
      const slice = items.slice(at, end);
      if (fill !== null && i >= longer && longer > 0) slice.push(fill);
      slices.push(slice);
      at = end;
    }
    return generator(slices);
  },
  sum(value, given, { budget }) {
    const [path = null, start = 0] = argumentsOf(given, 'sum', 'attribute= start=');
    const get = attributeGetter(path, budget);
    return iterated(value, budget).reduce<Value>(
      (sum, item) => arithmetic('+', sum, get(item), budget),
      start,
    );
  },
};
