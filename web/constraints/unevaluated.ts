// SPDX-License-Identifier: MIT
import { type Schema, wrong } from './keywords.js';
import type { Node, Nodes } from './nodes.js';

/** What of an object or an array some schemas have spoken of. */
interface Evaluated {
  names: string[];
  patterns: string[];
  /** Every property. */
  properties: boolean;
  /** So many items, from the first one on. */
  prefix: number;
  /** Every item. */
  items: boolean;
  /** Items that one of these allows. */
  contained: unknown[];
}

/** One way to hold: these schemas do, and speak of so much. */
interface Way {
  schemas: unknown[];
  evaluated: Evaluated;
}

const NONE: Evaluated = {
  names: [],
  patterns: [],
  properties: false,
  prefix: 0,
  items: false,
  contained: [],
};

// Each choice between schemas doubles them.
const MOST_WAYS = 256;
const MOST_DEPTH = 30;
const IN_PLACE = [
  ...['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'],
];
const OWN = ['unevaluatedProperties', 'unevaluatedItems'];

/** Whether a schema speaks of what others beside it do not. */
export function hasUnevaluated(schema: Schema): boolean {
  return OWN.some((key) => schema[key] !== undefined && schema[key] !== true);
}

/**
 * A schema with `unevaluatedProperties` or `unevaluatedItems`, as ones of which one must hold and which
 * have `additionalProperties` and `items` instead: what is evaluated depends on which of the schemas
 * within it hold, so each way is one of them.
 *
 * @throws TypeError or RangeError where that cannot be told, or there are too many
 */
export function withoutUnevaluated(node: Node, nodes: Nodes): Schema[] {
  const schema = node.schema as Schema;
  const { unevaluatedProperties: others = true, unevaluatedItems: items = true } = schema;
  return ways({ ...node, schema: without(schema, OWN) }, nodes, 0).map(
    ({ schemas, evaluated }): Schema => {
      const list = [...schemas];
      if (!evaluated.properties && others !== true) {
        list.push({
          properties: Object.fromEntries(evaluated.names.map((name) => [name, true])),
          patternProperties: Object.fromEntries(evaluated.patterns.map((one) => [one, true])),
          additionalProperties: others,
        });
      }
      if (!evaluated.items && items !== true) {
        const { contained, prefix } = evaluated;
        list.push({
          prefixItems: Array.from({ length: prefix }, () => true),
          items: contained.length > 0 ? { anyOf: [...contained, items] } : items,
        });
      }
      return { allOf: list };
    },
  );
}

function without(schema: Schema, keys: string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

function both(a: Evaluated, b: Evaluated): Evaluated {
  return {
    names: [...a.names, ...b.names],
    patterns: [...a.patterns, ...b.patterns],
    properties: a.properties || b.properties,
    prefix: Math.max(a.prefix, b.prefix),
    items: a.items || b.items,
    contained: [...a.contained, ...b.contained],
  };
}

// The ways in which a schema can hold, which exclude each other where they speak of different things.
function ways(node: Node, nodes: Nodes, depth: number): Way[] {
  const { schema, at } = node;
  if (depth > MOST_DEPTH) {
    throw wrong(at, "refers to itself below 'unevaluated…', which is not supported");
  }
  if (schema === false) return [];
  if (schema === true) return [{ schemas: [], evaluated: NONE }];
  if (hasUnevaluated(schema) && depth > 0) return nested(node, nodes, depth);
  const within = (one: unknown, step: string) => ways(nodes.of(one, node, step), nodes, depth + 1);
  const fails = (one: unknown): Way => ({ schemas: [nodes.not(one)], evaluated: NONE });
  let found: Way[] = [{ schemas: [without(schema, IN_PLACE)], evaluated: spokenOf(schema) }];
  const cross = (others: Way[]) => {
    found = found.flatMap((one) =>
      others.map((other) => ({
        schemas: [...one.schemas, ...other.schemas],
        evaluated: both(one.evaluated, other.evaluated),
      })),
    );
    if (found.length <= MOST_WAYS) return;
    throw wrong(at, `has more than ${MOST_WAYS} ways to hold below 'unevaluated…'`);
  };
  for (const keyword of ['$ref', '$dynamicRef'] as const) {
    const reference = schema[keyword];
    if (typeof reference === 'string') {
      cross(ways(nodes.target(keyword, reference, node), nodes, depth + 1));
    }
  }
  const {
    allOf,
    anyOf,
    oneOf,
    if: condition,
    dependentSchemas,
  } = schema as {
    [keyword: string]: unknown[] | undefined;
  };
  for (const [i, one] of (allOf ?? []).entries()) cross(within(one, `allOf/${i}`));
  if (anyOf) {
    const before = found;
    for (const [i, one] of anyOf.entries()) cross([...within(one, `anyOf/${i}`), fails(one)]);
    const none = new Set(anyOf.map((one) => nodes.not(one)));
    const count = (way: Way) => way.schemas.filter((one) => none.has(one as Schema)).length;
    const most = Math.max(...before.map(count)) + anyOf.length;
    // Not where all fail.
    found = found.filter((way) => count(way) < most);
  }
  if (oneOf) {
    cross(
      oneOf.flatMap((one, i) =>
        within(one, `oneOf/${i}`).map((way) => ({
          ...way,
          schemas: [...way.schemas, ...oneOf.filter((_, j) => j !== i).map((o) => nodes.not(o))],
        })),
      ),
    );
  }
  if (condition !== undefined) {
    const yes = nodes.of(condition, node, 'if');
    const then = ways(yes, nodes, depth + 1).flatMap((one) =>
      within(schema.then ?? true, 'then').map((other) => ({
        schemas: [...one.schemas, ...other.schemas],
        evaluated: both(one.evaluated, other.evaluated),
      })),
    );
    const otherwise = within(schema.else ?? true, 'else').map((way) => ({
      ...way,
      schemas: [...way.schemas, nodes.not(condition)],
    }));
    cross([...then, ...otherwise]);
  }
  for (const [name, one] of Object.entries(dependentSchemas ?? {})) {
    const has = { required: [name], type: 'object' };
    cross([
      ...within(one, `dependentSchemas/${name}`).map((way) => ({
        ...way,
        schemas: [...way.schemas, has],
      })),
      { schemas: [nodes.not(has)], evaluated: NONE },
    ]);
  }
  return found;
}

// One that speaks of all that is left speaks of everything, for those around it.
function nested(node: Node, nodes: Nodes, depth: number): Way[] {
  const schema = node.schema as Schema;
  const own = withoutUnevaluated(node, nodes);
  const { unevaluatedProperties: properties, unevaluatedItems: items } = schema;
  return own.flatMap((one) =>
    ways(nodes.made(one, node), nodes, depth + 1).map((way) => ({
      schemas: way.schemas,
      evaluated: {
        ...way.evaluated,
        properties: way.evaluated.properties || properties !== undefined,
        items: way.evaluated.items || items !== undefined,
      },
    })),
  );
}

function spokenOf(schema: Schema): Evaluated {
  const { properties = {}, patternProperties = {}, prefixItems = [] } = schema;
  return {
    names: Object.keys(properties as Schema),
    patterns: Object.keys(patternProperties as Schema),
    properties: schema.additionalProperties !== undefined || schema.unevaluatedProperties === true,
    prefix: (prefixItems as unknown[]).length,
    items: schema.items !== undefined || schema.unevaluatedItems === true,
    contained: schema.contains === undefined ? [] : [schema.contains],
  };
}
