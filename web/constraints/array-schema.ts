// SPDX-License-Identifier: MIT

import { ContainedItems } from './contained-items.js';
import { uniqueItems } from './item-states.js';
import { wrong } from './keywords.js';
import type { Node } from './nodes.js';
import type { Reader } from './reader.js';
import type { Shape } from './shapes.js';
import type { Term } from './term.js';
import { canonical } from './validity.js';

// Each of them doubles the kinds of items.
const MOST_CONTAINS = 4;
// Whole numbers of a range that are told apart by name.
const MOST_NUMBERS = 64;

/** Reads what is asked of arrays into shapes. */
export class ArrayReader {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Shapes of which one must hold. */
  read(term: Term, at: string): Shape[] {
    const { shapes } = this.#reader;
    const [min, max] = term.count;
    if (min > max) return [];
    const length = Math.max(0, ...term.items.map(({ first }) => first.length));
    const schemas = Array.from({ length: length + 1 }, (_, i) =>
      term.items.map(({ first, rest }) => first[i] ?? rest),
    );
    if (term.unique && max > 1) return this.#unique(term, schemas, at);
    if (term.contains.length > 0) return this.#containing(term, schemas, at);
    const own = schemas.map((list) => this.#reader.shape(list));
    return [shapes.array(own.slice(0, -1), own.at(-1), min, max)];
  }

  #containing(term: Term, schemas: Node[][], at: string): Shape[] {
    if (term.contains.length > MOST_CONTAINS) {
      throw wrong(at, `has more than ${MOST_CONTAINS} 'contains', which is not supported`);
    }
    const [min, max] = term.count;
    const states = new ContainedItems(this.#reader, term, schemas);
    return [this.#reader.shapes.array([], undefined, min, max, states)];
  }

  #unique(term: Term, schemas: Node[][], at: string): Shape[] {
    const { shapes } = this.#reader;
    const [min, max] = term.count;
    const values = schemas.map((list) => this.#values(list));
    // The last is for items behind those that have a schema of their own.
    const counted = max < schemas.length ? values.slice(0, -1) : values;
    if (term.contains.length > 0 || counted.includes(undefined)) {
      throw wrong(
        at,
        "has the keyword 'uniqueItems' for items that are not listed ('enum', 'const', booleans), which is not supported",
      );
    }
    const states = uniqueItems(
      values.map((list) =>
        [...(list ?? new Map<string, unknown>())].map(([key, value]) => ({
          key,
          shape: shapes.value(value),
        })),
      ),
      min,
      max,
    );
    return [shapes.array([], undefined, min, max, states)];
  }

  // By a text for each; undefined where they are too many.
  #values(schemas: Node[]): Map<string, unknown> | undefined {
    const found = new Map<string, unknown>();
    const add = (values: unknown[]) => {
      for (const value of values)
        if (!found.has(canonical(value))) found.set(canonical(value), value);
    };
    for (const term of this.#reader.terms.of(schemas)) {
      if (term.values) {
        add(term.values);
        continue;
      }
      const { types, low, high, except } = term;
      const whole = types & 4 && high - low < MOST_NUMBERS && !term.multiple;
      if (types & ~(whole ? 7 : 3) || term.notMultiples.length > 0) return undefined;
      const own: unknown[] = types & 2 ? [true, false] : [];
      if (types & 1) own.push(null);
      if (whole) for (let value = Math.ceil(low); value <= high; value++) own.push(value + 0);
      add(own.filter((value) => !except.includes(value)));
    }
    return found;
  }
}
