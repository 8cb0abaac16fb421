// SPDX-License-Identifier: MIT
import { EVERY_TYPE, type Schema, TYPES, wrong } from './keywords.js';
import type { Node, Nodes } from './nodes.js';

/** Some item, at `from` or behind it, that the schema allows. */
export interface SomeItem {
  from: number;
  schema: unknown;
}

/** Some property whose name is none of `names`, is matched by `pattern` and no `others`, and is not `key`. */
export interface SomeProperty {
  names: string[];
  pattern?: string;
  others: string[];
  key?: unknown;
  schema: unknown;
}

/** Keywords of ours, which no schema of a user has. */
export interface OwnKeywords {
  '~types'?: number;
  '~except'?: unknown;
  '~notMultipleOf'?: number;
  '~notPattern'?: string;
  '~notFormat'?: string;
  '~someItem'?: SomeItem;
  '~someProperty'?: SomeProperty;
}

/** The bits of what `type` and `nullable` allow. */
export function typesOf({ type, nullable }: Schema): number {
  if (type === undefined) return EVERY_TYPE;
  const given = [type].flat().reduce((all: number, one) => all | (TYPES[one as string] ?? 0), 0);
  return nullable === true ? given | (TYPES.null as number) : given;
}

const object = (schema: Schema): Schema => ({ type: 'object', ...schema });
const array = (schema: Schema): Schema => ({ type: 'array', ...schema });

/**
 * What a schema does not allow: values that one of these allows.
 *
 * @throws TypeError naming a keyword that cannot be negated
 */
export function negation(node: Node, nodes: Nodes): (Schema | boolean)[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return schema ? [] : [true];
  return Object.entries(schema).flatMap(([key, value]) =>
    value === undefined ? [] : negated(key, value, schema, node, nodes),
  );
}

function negated(
  key: string,
  value: unknown,
  schema: Schema,
  node: Node,
  nodes: Nodes,
): (Schema | boolean)[] {
  const not = (one: unknown) => nodes.not(one);
  const list = value as unknown[];
  const named = () => Object.entries(value as Schema);
  switch (key) {
    case 'type': {
      const others = EVERY_TYPE & ~typesOf(schema);
      return others === 0 ? [] : [{ '~types': others }];
    }
    case 'enum':
      return [{ allOf: [true, ...list.map((one) => not({ const: one }))] }];
    case 'const':
      return except(value, not);
    case '$ref':
    case '$dynamicRef':
      return [not(nodes.target(key, value as string, node).schema)];
    case 'allOf':
      return list.map(not);
    case 'anyOf':
      return [{ allOf: list.map(not) }];
    case 'oneOf':
      return [
        { allOf: list.map(not) },
        ...list.flatMap((one, i) => list.slice(i + 1).map((other) => ({ allOf: [one, other] }))),
      ];
    case 'not':
      return [value as Schema];
    case 'if':
      return [
        ...(schema.then === undefined ? [] : [{ allOf: [value, not(schema.then)] }]),
        ...(schema.else === undefined ? [] : [{ allOf: [not(value), not(schema.else)] }]),
      ];
    case 'minimum':
      return [{ type: 'number', exclusiveMaximum: value }];
    case 'maximum':
      return [{ type: 'number', exclusiveMinimum: value }];
    case 'exclusiveMinimum':
      return [{ type: 'number', maximum: value }];
    case 'exclusiveMaximum':
      return [{ type: 'number', minimum: value }];
    case 'multipleOf':
      return [{ type: 'number', '~notMultipleOf': value }];
    case 'pattern':
      return [{ type: 'string', '~notPattern': value }];
    case 'format':
      return [{ type: 'string', '~notFormat': value }];
    case 'minLength':
      return fewer('string', 'maxLength', value);
    case 'maxLength':
      return [{ type: 'string', minLength: (value as number) + 1 }];
    case 'minItems':
      return fewer('array', 'maxItems', value);
    case 'maxItems':
      return [{ type: 'array', minItems: (value as number) + 1 }];
    case 'minProperties':
      return fewer('object', 'maxProperties', value);
    case 'maxProperties':
      return [{ type: 'object', minProperties: (value as number) + 1 }];
    case 'prefixItems':
      return list.map((one, i) =>
        array({ minItems: i + 1, prefixItems: [...list.slice(0, i).map(() => true), not(one)] }),
      );
    case 'items': {
      const from = (schema.prefixItems as unknown[] | undefined)?.length ?? 0;
      return [array({ '~someItem': { from, schema: not(value) } })];
    }
    case 'contains':
      return notContained(value, schema);
    case 'properties':
      return named().map(([name, one]) =>
        object({ required: [name], properties: { [name]: not(one) } }),
      );
    case 'required':
      return (list as string[]).map((name) => object({ properties: { [name]: false } }));
    case 'patternProperties':
      return named().map(([pattern, one]) =>
        object({ '~someProperty': { names: [], pattern, others: [], schema: not(one) } }),
      );
    case 'additionalProperties': {
      const names = Object.keys((schema.properties as Schema | undefined) ?? {});
      const others = Object.keys((schema.patternProperties as Schema | undefined) ?? {});
      return [object({ '~someProperty': { names, others, schema: not(value) } })];
    }
    case 'propertyNames':
      return [object({ '~someProperty': { names: [], others: [], key: value, schema: true } })];
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies':
      return named().flatMap(([name, one]) =>
        Array.isArray(one)
          ? one.map((other) => object({ required: [name], properties: { [other]: false } }))
          : [{ allOf: [object({ required: [name] }), not(one)] }],
      );
    case 'uniqueItems':
      if (value === false) return [];
      throw wrong(
        node.at,
        `has the keyword '${key}' in what must not hold, which is not supported`,
      );
    case '~types':
      return [{ '~types': EVERY_TYPE & ~(value as number) }];
    default:
      return [];
  }
}

function fewer(type: string, keyword: string, count: unknown): Schema[] {
  return count === 0 ? [] : [{ type, [keyword]: (count as number) - 1 }];
}

function notContained(contained: unknown, schema: Schema): Schema[] {
  const { minContains = 1, maxContains } = schema as Record<string, number | undefined>;
  const found: Schema[] = [];
  if (minContains > 0)
    found.push(array({ contains: contained, minContains: 0, maxContains: minContains - 1 }));
  if (maxContains !== undefined)
    found.push(array({ contains: contained, minContains: maxContains + 1 }));
  return found;
}

// Lists and objects are like others part by part.
function except(value: unknown, not: (schema: unknown) => Schema | boolean): Schema[] {
  if (typeof value !== 'object' || value === null) return [{ '~except': value }];
  const same = Array.isArray(value)
    ? array({
        minItems: value.length,
        prefixItems: value.map((one) => ({ const: one })),
        items: false,
      })
    : object({
        required: Object.keys(value),
        properties: constants(value as Schema),
        additionalProperties: false,
      });
  return [not(same) as Schema];
}

function constants(value: Schema): Schema {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, { const: one }]));
}
