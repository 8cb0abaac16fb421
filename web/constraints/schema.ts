// SPDX-License-Identifier: MIT
import { decodedUri } from '../uri.js';
import type { Expression } from './automaton.js';
import { anyNumber, type Bounds, boundedNumber } from './numbers.js';
import type { Property, Shape, Shapes } from './shapes.js';

type Schema = Record<string, unknown>;
type Pattern = (source: string) => Expression;

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
// Keywords that speak of one type alone.
const OF_TYPE: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};
const REFERENCES = ['$ref', 'anyOf', 'oneOf', 'allOf'];
const OTHERS = ['type', 'nullable', 'enum', 'const', ...REFERENCES];
const IGNORED = [
  ...[
    'title',
    'description',
    'default',
    'example',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
  ],
  ...['$schema', '$id', '$comment', '$defs', 'definitions'],
  ...['format', 'contentEncoding', 'contentMediaType', 'contentSchema'],
];
const KNOWN = new Set([...Object.values(OF_TYPE).flat(), ...OTHERS, ...IGNORED]);

// Ones that people write nest ten levels and have some hundred parts.
const MOST_DEPTH = 100;
const MOST_PARTS = 10_000;

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(at: string, what: string): TypeError {
  return new TypeError(`constraint: ${at} ${what}`);
}

function tooMuch(at: string, what: string): RangeError {
  return new RangeError(`constraint: ${at.slice(0, 80)} ${what}`);
}

/** Reads schemas of one document into shapes. */
export class SchemaReader {
  readonly #root: unknown;
  readonly #shapes: Shapes;
  readonly #pattern: Pattern;
  readonly #known = new Map<string, Shape>();
  #depth = 0;
  #parts = 0;
  #any: Shape | undefined;
  #string: Shape | undefined;

  constructor(root: unknown, shapes: Shapes, pattern: Pattern) {
    this.#root = root;
    this.#shapes = shapes;
    this.#pattern = pattern;
  }

  /**
   * @throws TypeError naming a keyword that is not supported or wrong, and where it is; RangeError
   * where schemas, `$ref`s among them, nest too deeply or are too many
   */
  read(schema: unknown, at: string): Shape {
    if (this.#depth === MOST_DEPTH) {
      throw tooMuch(at, `nests schemas and $refs deeper than ${MOST_DEPTH}`);
    }
    this.#count(1, at);
    this.#depth += 1;
    const shape = this.#read(schema, at);
    this.#depth -= 1;
    return shape;
  }

  #count(parts: number, at: string): void {
    this.#parts += parts;
    if (this.#parts <= MOST_PARTS) return;
    throw tooMuch(at, `is one of more than ${MOST_PARTS} schemas and values`);
  }

  #read(schema: unknown, at: string): Shape {
    if (schema === true) return this.any();
    if (schema === false) return this.#shapes.choice([]);
    if (!isObject(schema)) throw wrong(at, 'must be a schema: an object, true or false');
    for (const key of Object.keys(schema)) {
      if (schema[key] === undefined || KNOWN.has(key) || key.startsWith('x-')) continue;
      throw wrong(at, `has the keyword '${key}', which is not supported`);
    }
    const used = REFERENCES.filter((key) => schema[key] !== undefined);
    if (used.length > 0) return this.#reference(schema, at, used[0] as string);
    if (schema.enum !== undefined || schema.const !== undefined) return this.#values(schema, at);
    return this.#shapes.choice(
      this.#types(schema, at).map((type) => this.#ofType(type, schema, at)),
    );
  }

  /** Any JSON value. */
  any(): Shape {
    if (this.#any) return this.#any;
    const any = this.#shapes.empty();
    this.#any = any;
    const shapes = ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) =>
      this.#ofType(type, {}, ''),
    );
    return Object.assign(any, { shapes });
  }

  #reference(schema: Schema, at: string, keyword: string): Shape {
    const beside = Object.keys(schema).find(
      (key) =>
        key !== keyword &&
        schema[key] !== undefined &&
        !IGNORED.includes(key) &&
        !key.startsWith('x-'),
    );
    if (beside) throw wrong(at, `has '${beside}' beside '${keyword}', which is not supported`);
    const value = schema[keyword];
    if (keyword === '$ref') return this.#target(value, at);
    if (!Array.isArray(value) || value.length === 0) {
      throw wrong(at, `must have a list of schemas for '${keyword}'`);
    }
    if (keyword === 'allOf' && value.length > 1) {
      throw wrong(at, "has the keyword 'allOf' with several schemas, which is not supported");
    }
    return this.#shapes.choice(value.map((one, i) => this.read(one, `${at}/${keyword}/${i}`)));
  }

  #target(reference: unknown, at: string): Shape {
    if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) {
      throw wrong(
        at,
        `has the $ref ${JSON.stringify(reference)}; only #/… of the schema itself is supported`,
      );
    }
    const known = this.#known.get(reference);
    if (known) return known;
    let found: unknown = this.#root;
    for (const step of reference.split('/').slice(1)) {
      const key = decodedUri(step).replaceAll('~1', '/').replaceAll('~0', '~');
      const inside = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
      if (!inside) throw wrong(at, `has the $ref ${reference}, which leads nowhere`);
      found = (found as Schema)[key];
    }
    const shape = this.#shapes.empty();
    this.#known.set(reference, shape);
    return Object.assign(shape, { shapes: [this.read(found, reference)] });
  }

  // Types that are not given are those that the keywords speak of.
  #types(schema: Schema, at: string): string[] {
    const { type, nullable } = schema;
    const given = type === undefined ? [] : Array.isArray(type) ? type : [type];
    for (const one of given) {
      if (!TYPES.includes(one))
        throw wrong(at, `has the type ${JSON.stringify(one)}, which does not exist`);
    }
    if (nullable !== undefined && given.length === 0)
      throw wrong(at, "has 'nullable' without 'type'");
    if (nullable === true && !given.includes('null')) return [...given, 'null'];
    if (type !== undefined) return given;
    const meant = Object.keys(OF_TYPE).filter((one) =>
      OF_TYPE[one]?.some((key) => schema[key] !== undefined),
    );
    return meant.length > 0 ? meant : TYPES.filter((one) => one !== 'integer');
  }

  #values(schema: Schema, at: string): Shape {
    for (const key of Object.values(OF_TYPE).flat()) {
      if (schema[key] !== undefined)
        throw wrong(at, `has '${key}' beside 'enum' or 'const', which is not supported`);
    }
    const { enum: list, const: only } = schema;
    if (list !== undefined && !Array.isArray(list)) throw wrong(at, "must have a list for 'enum'");
    this.#count(list?.length ?? 1, at);
    const same = (value: unknown) => JSON.stringify(value) === JSON.stringify(only);
    const values = list === undefined ? [only] : only === undefined ? list : list.filter(same);
    const types = schema.type === undefined ? TYPES : this.#types(schema, at);
    const fits = values.filter((value) => types.some((type) => isOfType(value, type)));
    return this.#shapes.choice(fits.map((value) => this.#shapes.literal(JSON.stringify(value))));
  }

  #ofType(type: string, schema: Schema, at: string): Shape {
    switch (type) {
      case 'object':
        return this.#object(schema, at);
      case 'array':
        return this.#array(schema, at);
      case 'string':
        return this.#text(schema, at);
      case 'boolean':
        return this.#shapes.choice([this.#shapes.literal('true'), this.#shapes.literal('false')]);
      case 'null':
        return this.#shapes.literal('null');
      default:
        return this.#shapes.text(this.#number(type === 'integer', schema, at));
    }
  }

  #object(schema: Schema, at: string): Shape {
    const { properties = {}, required = [], additionalProperties } = schema;
    if (!isObject(properties)) throw wrong(at, "must have an object for 'properties'");
    if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
      throw wrong(at, "must have a list of names for 'required'");
    }
    const list: Property[] = Object.entries(properties).map(([name, one]) => ({
      name,
      required: required.includes(name),
      shape: this.read(one, `${at}/properties/${name}`),
    }));
    const others =
      additionalProperties ??
      (schema.properties === undefined || list.length === 0 ? true : undefined);
    const shape =
      others === undefined ? undefined : this.read(others, `${at}/additionalProperties`);
    for (const name of new Set<string>(required)) {
      if (Object.hasOwn(properties, name)) continue;
      list.push({ name, required: true, shape: shape ?? this.any() });
    }
    return this.#shapes.object(list, shape);
  }

  #array(schema: Schema, at: string): Shape {
    const { items, prefixItems = [], uniqueItems } = schema;
    if (uniqueItems) throw wrong(at, "has the keyword 'uniqueItems', which is not supported");
    if (!Array.isArray(prefixItems)) throw wrong(at, "must have a list for 'prefixItems'");
    if (Array.isArray(items)) throw wrong(at, "has a list for 'items'; use 'prefixItems'");
    const min = count(schema, 'minItems', 0, at);
    const max = count(schema, 'maxItems', Number.POSITIVE_INFINITY, at);
    const first = prefixItems.map((one, i) => this.read(one, `${at}/prefixItems/${i}`));
    const open = items === undefined && (first.length === 0 || min > first.length);
    const others = open
      ? this.any()
      : items === undefined
        ? undefined
        : this.read(items, `${at}/items`);
    return this.#shapes.array(first, others, min, max);
  }

  #text(schema: Schema, at: string): Shape {
    const { pattern } = schema;
    const min = count(schema, 'minLength', 0, at);
    const max = count(schema, 'maxLength', Number.POSITIVE_INFINITY, at);
    if (pattern === undefined) {
      if (min > 0 || max < Number.POSITIVE_INFINITY)
        return this.#shapes.string(undefined, min, max);
      this.#string ??= this.#shapes.string();
      return this.#string;
    }
    if (typeof pattern !== 'string') throw wrong(at, "must have a text for 'pattern'");
    return this.#shapes.string(this.#pattern(pattern), min, max);
  }

  #number(whole: boolean, schema: Schema, at: string): Expression {
    const bounds: Bounds = {};
    const names = {
      minimum: 'minimum',
      maximum: 'maximum',
      above: 'exclusiveMinimum',
      below: 'exclusiveMaximum',
    };
    for (const [name, keyword] of Object.entries(names)) {
      const value = schema[keyword];
      if (value === undefined) continue;
      if (typeof value !== 'number') throw wrong(at, `must have a number for '${keyword}'`);
      bounds[name as keyof Bounds] = value;
    }
    const { multipleOf } = schema;
    if (multipleOf !== undefined && multipleOf !== 1) {
      throw wrong(at, `has 'multipleOf' of ${JSON.stringify(multipleOf)}; only 1 is supported`);
    }
    const integer = whole || multipleOf === 1;
    return Object.keys(bounds).length > 0 ? boundedNumber(integer, bounds) : anyNumber(integer);
  }
}

function count(schema: Schema, keyword: string, otherwise: number, at: string): number {
  const value = schema[keyword] ?? otherwise;
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 0)) {
    return value as number;
  }
  throw wrong(at, `must have a whole number >= 0 for '${keyword}'`);
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
