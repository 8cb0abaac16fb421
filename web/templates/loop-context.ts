// SPDX-License-Identifier: MIT
import { argumentsOf } from './arguments.js';
import type { Budget } from './budget.js';
import { areEqual, Callable, type Given, Instance, Undefined, type Value } from './values.js';

/** `loop`, of the item that it is at. */
export class LoopContext extends Instance {
  readonly type = 'LoopContext';
  index0 = 0;
  #last: Value | undefined;

  /** @param render of a recursive loop, what it writes for other items */
  constructor(
    readonly items: readonly Value[],
    readonly depth0: number,
    readonly budget: Budget,
    readonly render: ((items: Value, depth: number) => string) | undefined,
  ) {
    super();
  }

  override get size(): number {
    return this.items.length;
  }

  override call(given: Given): Value {
    const [items = null] = argumentsOf(given, 'loop', 'iterable');
    if (!this.render) throw new Error('only a recursive loop can be called');
    return this.render(items, this.depth0 + 1);
  }

  override attribute(name: string): Value | undefined {
    const { index0, items, depth0 } = this;
    switch (name) {
      case 'index':
        return index0 + 1;
      case 'index0':
        return index0;
      case 'revindex':
        return items.length - index0;
      case 'revindex0':
        return items.length - index0 - 1;
      case 'first':
        return index0 === 0;
      case 'last':
        return index0 === items.length - 1;
      case 'length':
        return items.length;
      case 'depth':
        return depth0 + 1;
      case 'depth0':
        return depth0;
      case 'previtem':
        return items[index0 - 1] ?? this.#beyond(index0 === 0, 'there is no previous item');
      case 'nextitem':
        return (
          items[index0 + 1] ?? this.#beyond(index0 === items.length - 1, 'there is no next item')
        );
      case 'cycle':
        return new Callable('cycle', ({ positional }) => {
          if (positional.length === 0) throw new Error('no items for cycling given');
          return positional[index0 % positional.length] as Value;
        });
      case 'changed':
        return new Callable('changed', ({ positional }) => {
          const isSame = this.#last !== undefined && areEqual(this.#last, positional, this.budget);
          this.#last = positional;
          return !isSame;
        });
      default:
        return undefined;
    }
  }

  /** None is an item too. */
  #beyond(isBeyond: boolean, why: string): Value {
    return isBeyond ? new Undefined(why) : null;
  }
}
