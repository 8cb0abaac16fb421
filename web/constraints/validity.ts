// SPDX-License-Identifier: MIT
import { EVERY_TYPE, isObject, type Schema, TYPES, tooMuch } from './keywords.js';
import { isMultiple, unitsOf } from './multiples.js';
import { typesOf } from './negation.js';
import type { Node, Nodes } from './nodes.js';
import { hasUnevaluated } from './unevaluated.js';

// Values of schemas nest a few levels.
const MOST_DEPTH = 200;

/** What the validity of values asks for beside schemas. */
export interface Judge {
  nodes: Nodes;
  matches(pattern: string, text: string): boolean;
  isFormat(format: string, text: string): boolean;
  /** The schemas that stand for one with `unevaluated…`. */
  ways(node: Node): Node[];
}

/** The one type of a value, as a bit. */
export function typeOf(value: unknown): number {
  if (value === null) return TYPES.null as number;
  if (Array.isArray(value)) return TYPES.array as number;
  if (typeof value === 'number') return Number.isInteger(value) ? 4 : 8;
  return TYPES[typeof value] ?? 0;
}

/** A text that is the same for values that JSON holds to be. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical((value as Schema)[name])}`).join()}}`;
}

/** Whether a value is valid under a schema: for `enum` and `const` beside other keywords. */
export class Validity {
  readonly #judge: Judge;
  readonly #lists = new Map<unknown[], Set<string>>();
  #depth = 0;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  holds(node: Node, value: unknown, under: ReadonlySet<Node> = new Set()): boolean {
    const { schema, at } = node;
    if (typeof schema === 'boolean') return schema;
    // What holds only where it holds already does not.
    if (under.has(node)) return false;
    if (this.#depth > MOST_DEPTH) {
      throw tooMuch(at, `nests schemas and $refs deeper than ${MOST_DEPTH}`);
    }
    this.#depth += 1;
    const here = new Set(under).add(node);
    const held = hasUnevaluated(schema)
      ? this.#judge.ways(node).some((way) => this.holds(way, value, here))
      : this.#inPlace(node, schema, value, here) && this.#ofType(node, schema, value);
    this.#depth -= 1;
    return held;
  }

  #inPlace(node: Node, schema: Schema, value: unknown, here: ReadonlySet<Node>): boolean {
    const { nodes } = this.#judge;
    const own = (one: unknown, step: string) => this.holds(nodes.of(one, node, step), value, here);
    const { allOf, anyOf, oneOf } = schema as { [keyword: string]: unknown[] | undefined };
    const { $ref, $dynamicRef, not, if: condition } = schema;
    if (!(typesOf(schema) & typeOf(value)) && typesOf(schema) !== EVERY_TYPE) return false;
    if (schema.const !== undefined && canonical(schema.const) !== canonical(value)) return false;
    if (schema.enum !== undefined) {
      if (!this.#listed(schema.enum as unknown[]).has(canonical(value))) return false;
    }
    for (const [keyword, reference] of [
      ['$ref', $ref],
      ['$dynamicRef', $dynamicRef],
    ] as const) {
      if (typeof reference !== 'string') continue;
      if (!this.holds(nodes.target(keyword, reference, node), value, here)) return false;
    }
    if (allOf && !allOf.every((one, i) => own(one, `allOf/${i}`))) return false;
    if (anyOf && !anyOf.some((one, i) => own(one, `anyOf/${i}`))) return false;
    if (oneOf && oneOf.filter((one, i) => own(one, `oneOf/${i}`)).length !== 1) return false;
    if (not !== undefined && own(not, 'not')) return false;
    if (condition !== undefined) {
      const then = own(condition, 'if') ? 'then' : 'else';
      if (schema[then] !== undefined && !own(schema[then], then)) return false;
    }
    if (!isObject(value)) return true;
    return ['dependentRequired', 'dependentSchemas', 'dependencies'].every((keyword) =>
      Object.entries((schema[keyword] ?? {}) as Schema).every(
        ([name, one]) =>
          !Object.hasOwn(value, name) ||
          (Array.isArray(one)
            ? one.every((other) => Object.hasOwn(value, other))
            : own(one, `${keyword}/${name}`)),
      ),
    );
  }

  #listed(values: unknown[]): Set<string> {
    let listed = this.#lists.get(values);
    if (!listed) {
      listed = new Set(values.map(canonical));
      this.#lists.set(values, listed);
    }
    return listed;
  }

  #ofType(node: Node, schema: Schema, value: unknown): boolean {
    if (typeof value === 'string') return this.#text(schema, value);
    if (typeof value === 'number') return numberHolds(schema, value);
    if (Array.isArray(value)) return this.#array(node, schema, value);
    return !isObject(value) || this.#object(node, schema, value);
  }

  #text(schema: Schema, value: string): boolean {
    const { pattern, format } = schema as Record<string, string | undefined>;
    return (
      within(schema, 'Length', Array.from(value).length) &&
      (pattern === undefined || this.#judge.matches(pattern, value)) &&
      (format === undefined || this.#judge.isFormat(format, value))
    );
  }

  #array(node: Node, schema: Schema, value: unknown[]): boolean {
    const { nodes } = this.#judge;
    const { prefixItems = [], items = true, contains, uniqueItems } = schema;
    const first = prefixItems as unknown[];
    const of = (one: unknown, step: string, item: unknown) =>
      this.holds(nodes.of(one, node, step), item);
    if (!within(schema, 'Items', value.length)) return false;
    if (uniqueItems === true && new Set(value.map(canonical)).size < value.length) return false;
    const each = value.every((item, i) =>
      i < first.length ? of(first[i], `prefixItems/${i}`, item) : of(items, 'items', item),
    );
    if (!each || contains === undefined) return each;
    const found = value.filter((item) => of(contains, 'contains', item)).length;
    return within({ minContains: 1, ...schema }, 'Contains', found);
  }

  #object(node: Node, schema: Schema, value: Schema): boolean {
    const { nodes, matches } = this.#judge;
    const { properties = {}, patternProperties = {}, propertyNames = true } = schema;
    const { additionalProperties = true, required = [] } = schema;
    const of = (one: unknown, step: string, member: unknown) =>
      this.holds(nodes.of(one, node, step), member);
    if (!within(schema, 'Properties', Object.keys(value).length)) return false;
    if (!(required as string[]).every((name) => Object.hasOwn(value, name))) return false;
    return Object.entries(value).every(([name, member]) => {
      if (!of(propertyNames, 'propertyNames', name)) return false;
      const listed = Object.hasOwn(properties as Schema, name);
      if (listed && !of((properties as Schema)[name], `properties/${name}`, member)) return false;
      const patterns = Object.entries(patternProperties as Schema).filter(([pattern]) =>
        matches(pattern, name),
      );
      const all = patterns.every(([pattern, one]) =>
        of(one, `patternProperties/${pattern}`, member),
      );
      if (!all || listed || patterns.length > 0) return all;
      return of(additionalProperties, 'additionalProperties', member);
    });
  }
}

function within(schema: Schema, what: string, count: number): boolean {
  const { [`min${what}`]: min = 0, [`max${what}`]: max = Number.POSITIVE_INFINITY } =
    schema as Record<string, number>;
  return count >= min && count <= max;
}

function numberHolds(schema: Schema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | undefined
  >;
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    (multipleOf === undefined || isMultiple(unitsOf(Math.abs(value)), unitsOf(multipleOf)))
  );
}
