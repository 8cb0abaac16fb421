// SPDX-License-Identifier: MIT
import type { ItemState, ItemStates, Shape } from './shape.js';

interface Value {
  key: string;
  shape: Shape;
}

/**
 * Items that are all different.
 *
 * @param values which there may be, item by item; the last are for all that follow
 */
export function uniqueItems(values: Value[][], min: number, max: number): ItemStates {
  const keys = [...new Set(values.flat().map(({ key }) => key))];
  const bits = new Map(keys.map((key, i) => [key, 1n << BigInt(i)]));
  const known = new Map<string, ItemState>();
  // A state is which values are taken; how many items there are, it says too.
  const at = (state: string): ItemState => {
    let found = known.get(state);
    if (!found) {
      const taken = BigInt(state);
      const count = keys.filter((key) => taken & (bits.get(key) as bigint)).length;
      const own = count < max ? (values[count] ?? values.at(-1) ?? []) : [];
      found = {
        ends: count >= min,
        next: own
          .filter(({ key }) => !(taken & (bits.get(key) as bigint)))
          .map(({ key, shape }) => ({ shape, to: String(taken | (bits.get(key) as bigint)) })),
      };
      known.set(state, found);
    }
    return found;
  };
  return { start: '0', at };
}
