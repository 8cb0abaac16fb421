// SPDX-License-Identifier: MIT
// The keywords of JSON Schema (draft 2020-12) that are read, and what their values must be.

export type Schema = Record<string, unknown>;

/** Types as bits; numbers are whole ones and others. */
export const TYPES: Record<string, number> = {
  object: 64,
  array: 32,
  string: 16,
  number: 12,
  integer: 4,
  boolean: 2,
  null: 1,
};
export const FRACTION = 8;
export const EVERY_TYPE = 127;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
export const ONE_SCHEMA = [
  ...['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];
export const LISTED_SCHEMAS = ['prefixItems', 'allOf', 'anyOf', 'oneOf'];
export const NAMED_SCHEMAS = [
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  'dependencies',
];

const COUNTS = [
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

// What says nothing about which values there may be.
const ANNOTATIONS = [
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly'],
  ...['writeOnly', '$comment', '$vocabulary', 'contentEncoding', 'contentMediaType', 'id'],
  ...['discriminator', 'xml', 'externalDocs', 'markdownDescription', 'enumDescriptions'],
  ...['errorMessage', 'propertyOrdering', 'contentSchema', '$defs', 'definitions'],
];
const OTHERS = [
  ...['type', 'nullable', 'enum', 'const', '$ref', '$dynamicRef', '$anchor', '$dynamicAnchor'],
  ...['$id', '$schema', 'required', 'dependentRequired', 'uniqueItems', 'pattern', 'format'],
];
const KNOWN = new Set(
  [ONE_SCHEMA, LISTED_SCHEMAS, NAMED_SCHEMAS, COUNTS, NUMBERS, ANNOTATIONS, OTHERS].flat(),
);

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function wrong(at: string, what: string): TypeError {
  return new TypeError(`constraint: ${at} ${what}`);
}

export function tooMuch(at: string, what: string): RangeError {
  return new RangeError(`constraint: ${at.slice(0, 80)} ${what}`);
}

const areNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** @throws TypeError naming a keyword that is not supported, or whose value is none that it can have */
export function checkKeywords(schema: Schema, at: string): void {
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined || key.startsWith('x-')) continue;
    if (!KNOWN.has(key)) throw wrong(at, `has the keyword '${key}', which is not supported`);
    const expected = expectation(key, value);
    if (expected) throw wrong(at, `must have ${expected} for '${key}'`);
  }
  const { type, nullable, $schema, items } = schema;
  if (Array.isArray(items)) throw wrong(at, "has a list for 'items'; use 'prefixItems'");
  for (const one of type === undefined ? [] : [type].flat()) {
    if (typeof one !== 'string' || !Object.hasOwn(TYPES, one)) {
      throw wrong(at, `has the type ${JSON.stringify(one)}, which does not exist`);
    }
  }
  if (nullable !== undefined && type === undefined)
    throw wrong(at, "has 'nullable' without 'type'");
  // Another language may have other meanings for its keywords.
  if (
    $schema !== undefined &&
    !/^https?:\/\/(json-schema|spec\.openapis)\.org\//.test(`${$schema}`)
  )
    throw wrong(at, `has the '$schema' ${JSON.stringify($schema)}, which is not supported`);
}

// Undefined where the value is right.
function expectation(key: string, value: unknown): string | undefined {
  if (COUNTS.includes(key)) {
    return Number.isInteger(value) && (value as number) >= 0 ? undefined : 'a whole number >= 0';
  }
  if (NUMBERS.includes(key)) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'a number';
    return key === 'multipleOf' && value <= 0 ? 'a number above 0' : undefined;
  }
  if (LISTED_SCHEMAS.includes(key)) {
    return Array.isArray(value) && (value.length > 0 || key === 'prefixItems')
      ? undefined
      : 'a list of schemas';
  }
  if (NAMED_SCHEMAS.includes(key)) return isObject(value) ? undefined : 'an object';
  switch (key) {
    case 'required':
      return areNames(value) ? undefined : 'a list of names';
    case 'dependentRequired':
      return isObject(value) && Object.values(value).every(areNames) ? undefined : 'lists of names';
    case 'enum':
      return Array.isArray(value) ? undefined : 'a list';
    case 'pattern':
    case 'format':
    case '$ref':
    case '$dynamicRef':
    case '$id':
      return typeof value === 'string' ? undefined : 'a text';
    default:
      return undefined;
  }
}
