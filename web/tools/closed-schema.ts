// SPDX-License-Identifier: MIT

const LISTS = ['prefixItems', 'anyOf', 'oneOf'];
const OPENING = [
  ...['allOf', 'anyOf', 'oneOf', '$ref', '$dynamicRef', 'if', 'not', 'dependentSchemas'],
  ...['patternProperties', 'unevaluatedProperties', 'minProperties'],
];

/**
 * The same schema, but that objects which name their properties have no others, unless it says so: a
 * model that may add arguments of its own does.
 */
export function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const found: Record<string, unknown> = { ...schema };
  const { properties, items, required = [] } = found;
  if (typeof properties === 'object' && properties !== null) {
    const names = Array.isArray(required) ? required : [];
    const isPlain =
      names.every((name) => Object.hasOwn(properties, name)) &&
      !OPENING.some((key) => key in found);
    if (isPlain) found.additionalProperties ??= false;
    found.properties = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, closed(one)]),
    );
  }
  if (items !== undefined) found.items = closed(items);
  for (const key of LISTS) {
    const list = found[key];
    if (Array.isArray(list) && !('properties' in found)) found[key] = list.map(closed);
  }
  return found;
}
