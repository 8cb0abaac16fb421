// SPDX-License-Identifier: MIT
import { EVERY_TYPE, type Schema } from './keywords.js';
import { commonMultiple, type Units, unitsOf } from './multiples.js';
import { type OwnKeywords, type SomeProperty, typesOf } from './negation.js';
import type { Node, Nodes } from './nodes.js';
import { nextDouble, previousDouble } from './numbers.js';

/** A language that strings must, or must not, be of. */
export interface TextRule {
  kind: 'pattern' | 'format';
  source: string;
  holds: boolean;
}

export interface ItemRule {
  first: Node[];
  rest: Node;
}

/** So many of the items from `from` on are ones that the schema allows. */
export interface ContainsRule {
  node: Node;
  from: number;
  min: number;
  max: number;
}

export interface PropertyRule {
  properties: Map<string, Node>;
  patterns: [source: string, node: Node][];
  others: Node;
}

/** {@link SomeProperty} with the schema that it is allowed by. */
export interface SomeRule extends Omit<SomeProperty, 'schema' | 'key'> {
  key: Node | undefined;
  node: Node;
}

/** What one way to hold asks of values, type by type: no choices are left in it. */
export interface Term {
  /** Bits of the types that there may be. */
  types: number;
  /** Only these, where given. */
  values: unknown[] | undefined;
  /** Texts, numbers, booleans and null that there may not be. */
  except: unknown[];
  low: number;
  high: number;
  multiple: Units | undefined;
  notMultiples: Units[];
  texts: TextRule[];
  length: [min: number, max: number];
  items: ItemRule[];
  count: [min: number, max: number];
  contains: ContainsRule[];
  unique: boolean;
  properties: PropertyRule[];
  required: string[];
  size: [min: number, max: number];
  keys: Node[];
  some: SomeRule[];
}

const FREE: [number, number] = [0, Number.POSITIVE_INFINITY];

export function freeTerm(): Term {
  return {
    types: EVERY_TYPE,
    values: undefined,
    except: [],
    low: Number.NEGATIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
    multiple: undefined,
    notMultiples: [],
    texts: [],
    length: FREE,
    items: [],
    count: FREE,
    contains: [],
    unique: false,
    properties: [],
    required: [],
    size: FREE,
    keys: [],
    some: [],
  };
}

/** Adds what the keywords of a schema ask of values by themselves. */
export function restrict(term: Term, node: Node, nodes: Nodes): void {
  const schema = node.schema as Schema & OwnKeywords;
  term.types &= typesOf(schema) & (schema['~types'] ?? EVERY_TYPE);
  for (const list of [schema.enum, schema.const === undefined ? undefined : [schema.const]]) {
    if (list !== undefined) term.values = term.values ?? (list as unknown[]);
  }
  if ('~except' in schema) term.except = [...term.except, schema['~except']];
  restrictNumber(term, schema);
  restrictText(term, schema);
  restrictArray(term, node, schema, nodes);
  restrictObject(term, node, schema, nodes);
}

function restrictNumber(term: Term, schema: Schema & OwnKeywords): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | undefined
  >;
  if (minimum !== undefined) term.low = Math.max(term.low, minimum);
  if (maximum !== undefined) term.high = Math.min(term.high, maximum);
  // Numbers are doubles: above one is at the next one.
  if (exclusiveMinimum !== undefined) term.low = Math.max(term.low, nextDouble(exclusiveMinimum));
  if (exclusiveMaximum !== undefined)
    term.high = Math.min(term.high, previousDouble(exclusiveMaximum));
  if (multipleOf !== undefined) {
    const own = unitsOf(multipleOf);
    term.multiple = term.multiple ? commonMultiple(term.multiple, own) : own;
  }
  const not = schema['~notMultipleOf'];
  if (not !== undefined) term.notMultiples = [...term.notMultiples, unitsOf(not)];
}

function narrowed(
  [min, max]: [number, number],
  least: unknown,
  most: unknown,
): [min: number, max: number] {
  return [
    Math.max(min, (least as number | undefined) ?? 0),
    Math.min(max, (most as number | undefined) ?? Number.POSITIVE_INFINITY),
  ];
}

function restrictText(term: Term, schema: Schema & OwnKeywords): void {
  const { minLength, maxLength } = schema;
  term.length = narrowed(term.length, minLength, maxLength);
  const add = (kind: TextRule['kind'], source: unknown, holds: boolean) => {
    if (source !== undefined)
      term.texts = [...term.texts, { kind, source: source as string, holds }];
  };
  add('pattern', schema.pattern, true);
  add('format', schema.format, true);
  add('pattern', schema['~notPattern'], false);
  add('format', schema['~notFormat'], false);
}

function restrictArray(term: Term, node: Node, schema: Schema & OwnKeywords, nodes: Nodes): void {
  const { items, prefixItems, contains, minContains, maxContains, uniqueItems } = schema;
  term.count = narrowed(term.count, schema.minItems, schema.maxItems);
  if (uniqueItems === true) term.unique = true;
  if (items !== undefined || prefixItems !== undefined) {
    const first = ((prefixItems ?? []) as unknown[]).map((one, i) =>
      nodes.of(one, node, `prefixItems/${i}`),
    );
    term.items = [...term.items, { first, rest: nodes.of(items ?? true, node, 'items') }];
  }
  const add = (rule: ContainsRule) => {
    term.contains = [...term.contains, rule];
  };
  if (contains !== undefined) {
    const [min, max] = narrowed(FREE, minContains ?? 1, maxContains);
    add({ node: nodes.of(contains, node, 'contains'), from: 0, min, max });
  }
  const some = schema['~someItem'];
  if (some !== undefined) {
    const { from, schema: one } = some;
    add({ node: nodes.of(one, node), from, min: 1, max: Number.POSITIVE_INFINITY });
  }
}

function restrictObject(term: Term, node: Node, schema: Schema & OwnKeywords, nodes: Nodes): void {
  const { properties, patternProperties, additionalProperties, required, propertyNames } = schema;
  term.size = narrowed(term.size, schema.minProperties, schema.maxProperties);
  if (
    properties !== undefined ||
    patternProperties !== undefined ||
    additionalProperties !== undefined
  ) {
    const of = (keyword: string, list: unknown) =>
      Object.entries((list ?? {}) as Schema).map(([name, one]): [string, Node] => [
        name,
        nodes.of(one, node, `${keyword}/${name}`),
      ]);
    const rule = {
      properties: new Map(of('properties', properties)),
      patterns: of('patternProperties', patternProperties),
      others: nodes.of(additionalProperties ?? true, node, 'additionalProperties'),
    };
    term.properties = [...term.properties, rule];
  }
  if (required !== undefined) {
    term.required = [...new Set([...term.required, ...(required as string[])])];
  }
  if (propertyNames !== undefined) {
    term.keys = [...term.keys, nodes.of(propertyNames, node, 'propertyNames')];
  }
  const some = schema['~someProperty'];
  if (some !== undefined) {
    const { key, schema: one, ...rule } = some;
    const own = key === undefined ? undefined : nodes.of(key, node);
    term.some = [...term.some, { ...rule, key: own, node: nodes.of(one, node) }];
  }
}
