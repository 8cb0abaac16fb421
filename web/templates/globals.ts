// SPDX-License-Identifier: MIT
// What every template knows beside its context.
import { argumentsOf } from './arguments.js';
import type { Budget } from './budget.js';
import { strftime } from './dates.js';
import { textOf } from './text-methods.js';
import {
  Callable,
  type Dict,
  type Given,
  Instance,
  intOf,
  iterated,
  keyOf,
  Namespace,
  type Value,
} from './values.js';
import { text } from './writing.js';

/** The numbers of `range`. */
function range(given: Given, budget: Budget): Value[] {
  const [first = 0, second, by = 1] = argumentsOf(given, 'range', 'start stop= step=');
  const bounds = second === undefined ? [0, first] : [first, second];
  const [start = 0, stop = 0] = bounds.map((bound) => intOf(bound, 'range()'));
  const step = intOf(by, 'range()');
  if (step === 0) throw new Error('range() step must not be zero');
  const length = Math.max(0, Math.ceil((stop - start) / step));
  budget.list(length, 'range');
  return Array.from({ length }, (_, i) => start + i * step);
}

/** A dict of what `dict()` and `namespace()` are given: a dict or pairs, and names. */
function dictOf(given: Given, what: string, budget: Budget): Dict {
  const { positional, named } = given;
  const [source = []] = argumentsOf({ positional, named: new Map() }, what, 'mapping=');
  const pairs = source instanceof Map ? [...source] : iterated(source, budget);
  const dict: Dict = new Map();
  for (const pair of pairs) {
    const [key, value, ...others] = iterated(pair as Value, budget);
    if (key === undefined || value === undefined || others.length > 0) {
      throw new Error(`${what}() takes a dict, or pairs of a key and a value`);
    }
    dict.set(keyOf(key), value);
  }
  for (const [name, value] of named) dict.set(name, value);
  return dict;
}

/** `joiner(', ')`: nothing when it is called first, then the text. */
class Joiner extends Instance {
  readonly type = 'Joiner';
  #isUsed = false;

  constructor(readonly separator: string) {
    super();
  }

  override call(): Value {
    const text = this.#isUsed ? this.separator : '';
    this.#isUsed = true;
    return text;
  }
}

/** `cycler('odd', 'even')`: one after the other, from the first again behind the last. */
class Cycler extends Instance {
  readonly type = 'Cycler';
  #at = 0;

  constructor(readonly items: readonly Value[]) {
    super();
    if (items.length === 0) throw new Error('at least one item has to be provided');
  }

  override attribute(name: string): Value | undefined {
    const current = this.items[this.#at] as Value;
    if (name === 'current') return current;
    if (name === 'next' || name === 'reset') {
      return new Callable(name, () => {
        this.#at = name === 'next' ? (this.#at + 1) % this.items.length : 0;
        return name === 'next' ? current : null;
      });
    }
    return undefined;
  }
}

/** @returns functions by their names */
export function globals(budget: Budget): [string, Value][] {
  const functions: Record<string, (given: Given) => Value> = {
    cycler: ({ positional }) => new Cycler(positional),
    dict: (given) => dictOf(given, 'dict', budget),
    joiner(given) {
      const [separator = ', '] = argumentsOf(given, 'joiner', 'sep=');
      return new Joiner(textOf(separator, 'joiner'));
    },
    namespace(given) {
      const space = new Namespace();
      for (const [name, value] of dictOf(given, 'namespace', budget)) space.values.set(name, value);
      return space;
    },
    raise_exception(given) {
      const [words = ''] = argumentsOf(given, 'raise_exception', 'message');
      throw new Error(text(words, budget));
    },
    range: (given) => range(given, budget),
    strftime_now(given) {
      const [form = ''] = argumentsOf(given, 'strftime_now', 'format');
      return strftime(new Date(), textOf(form, 'strftime_now'));
    },
  };
  return Object.entries(functions).map(([name, call]) => [name, new Callable(name, call)]);
}
