// SPDX-License-Identifier: MIT
// `value.name` and `value[index]`: what a sandbox lets see, and nothing of JavaScript's.
import type { Budget } from './budget.js';
import { containerMethod } from './container-methods.js';
import { textMethod } from './text-methods.js';
import { Instance, intOf, keyOf, letters, Tuple, typeOf, Undefined, type Value } from './values.js';

/** `value.name`: an attribute, or else an item. @throws Error for what is undefined */
export function member(value: Value, name: string, budget: Budget): Value {
  if (value instanceof Undefined) return value.fail();
  const found = attribute(value, name, budget);
  if (found !== undefined) return found;
  if (value instanceof Map && value.has(name)) return value.get(name) as Value;
  return new Undefined(`'${typeOf(value)} object' has no attribute '${name}'`);
}

/** `value[index]`: an item, or else an attribute. @throws Error for what is undefined */
export function item(value: Value, index: Value, budget: Budget): Value {
  if (value instanceof Undefined) return value.fail();
  if (value instanceof Map) {
    if (!(index instanceof Undefined) && !isUnhashable(index) && value.has(keyOf(index))) {
      return value.get(keyOf(index)) as Value;
    }
  } else if (typeof index === 'number' || typeof index === 'boolean') {
    const found = at(value, Number(index), budget);
    if (found !== undefined) return found;
  }
  if (typeof index === 'string') {
    const found = attribute(value, index, budget);
    if (found !== undefined) return found;
  }
  const what = typeof index === 'string' ? `attribute '${index}'` : `item ${String(index)}`;
  return new Undefined(`'${typeOf(value)} object' has no ${what}`);
}

const isUnhashable = (value: Value) => Array.isArray(value) || value instanceof Map;

/** The item at a place of a text or a list, from the end below zero; undefined beyond. */
function at(value: Value, index: number, budget: Budget): Value | undefined {
  if (typeof value === 'string') {
    budget.read(value);
    const all = letters(value);
    return all[index < 0 ? all.length + index : index];
  }
  return Array.isArray(value) ? value[index < 0 ? value.length + index : index] : undefined;
}

/** What Python's class of a value has under a name. */
export function attribute(value: Value, name: string, budget: Budget): Value | undefined {
  if (name.startsWith('_')) return undefined;
  if (typeof value === 'string') return textMethod(value, name, budget);
  if (value instanceof Tuple && value.names.includes(name)) return value[value.names.indexOf(name)];
  if (Array.isArray(value) || value instanceof Map) return containerMethod(value, name, budget);
  return value instanceof Instance ? value.attribute(name) : undefined;
}

/** `value[start:stop:step]`. */
export function slice(value: Value, bounds: readonly Value[], budget: Budget): Value {
  if (value instanceof Undefined) return value.fail();
  if (typeof value !== 'string' && !Array.isArray(value)) {
    return new Undefined(`'${typeOf(value)} object' has no slices`);
  }
  const all = typeof value === 'string' ? letters(value) : value;
  const [start, stop, step = 1] = bounds.map((bound) =>
    bound === null ? undefined : intOf(bound, 'a slice'),
  );
  if (step === 0) throw new Error('slice step cannot be zero');
  const { length } = all;
  const place = (index: number | undefined, otherwise: number, least: number, most: number) =>
    index === undefined
      ? otherwise
      : Math.min(Math.max(index < 0 ? index + length : index, least), most);
  const isBack = step < 0;
  const first = isBack ? place(start, length - 1, -1, length - 1) : place(start, 0, 0, length);
  const last = isBack ? place(stop, -1, -1, length - 1) : place(stop, length, 0, length);
  if (typeof value === 'string') budget.read(value);
  if (step === 1) {
    const part = all.slice(first, Math.max(first, last));
    return typeof value === 'string' ? joined(part) : likewise(value, part as Value[]);
  }
  const found: Value[] = [];
  for (let i = first; isBack ? i > last : i < last; i += step) found.push(all[i] as Value);
  budget.items(found.length);
  return typeof value === 'string' ? found.join('') : likewise(value, found);
}

const joined = (part: string | readonly (string | Value)[]): string =>
  typeof part === 'string' ? part : part.join('');

const likewise = (value: Value[], items: Value[]): Value =>
  value instanceof Tuple ? Tuple.holding(items) : items;
