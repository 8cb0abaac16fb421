// SPDX-License-Identifier: MIT
import type { Part } from '../constraints/grammar.js';
import type { Property } from '../constraints/shape.js';
import type { CallMaker, HeldTool } from './format.js';

/**
 * The arguments of a tool, one way after the other.
 *
 * @throws TypeError where they are counted, which lists of them cannot hold
 */
export function listsOf({ name, objects }: HeldTool): (readonly Property[])[] {
  return objects.map(({ properties, min, max, last }) => {
    const least = properties.filter(({ required }) => required).length;
    if (min <= least && max >= properties.length && !last) return properties;
    throw new TypeError(
      `the tool ${name}: how many arguments there are cannot be held in the way that the model calls tools`,
    );
  });
}

/**
 * Arguments one after the other, in their schema's order; those that are not required may be left out.
 *
 * @param head what stands before an argument's value, of the first one and of any other
 * @param value the rest of it
 */
export function ordered(
  make: CallMaker,
  properties: readonly Property[],
  head: (property: Property, isFirst: boolean) => Part,
  value: (property: Property) => Part,
): Part {
  // At once, so that what cannot be written is known.
  const written = properties.map((property) =>
    property.shape.possible
      ? { first: head(property, true), other: head(property, false), value: value(property) }
      : undefined,
  );
  const known = new Map<string, Part>();
  // What follows once those before `index` are written or left out.
  const after = (index: number, isFirst: boolean): Part => {
    const key = `${index}${isFirst}`;
    const part =
      known.get(key) ??
      make.choice(() => {
        const alternatives: Part[][] = [];
        for (let at = index; at < properties.length; at++) {
          const one = written[at];
          if (one) {
            alternatives.push([isFirst ? one.first : one.other, one.value, after(at + 1, false)]);
          }
          if (properties[at]?.required) return alternatives;
        }
        return [...alternatives, []];
      });
    known.set(key, part);
    return part;
  };
  return after(0, true);
}
