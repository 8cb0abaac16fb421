// SPDX-License-Identifier: MIT
import { item } from './access.js';
import type { Budget } from './budget.js';
import { Undefined, type Value } from './values.js';

/**
 * What a filter looks at of each item: `attribute='a.0.b'` is a path; null is the item itself.
 *
 * @param otherwise in place of what is not there
 */
export function attributeGetter(
  attribute: Value,
  budget: Budget,
  otherwise?: Value,
): (value: Value) => Value {
  if (attribute === null) return (value) => value;
  const path: Value[] =
    typeof attribute === 'string'
      ? attribute.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      : [attribute];
  return (value) => {
    let found = value;
    for (const part of path) {
      budget.step();
      found = item(found, part, budget);
      if (otherwise !== undefined && found instanceof Undefined) found = otherwise;
    }
    return found;
  };
}
