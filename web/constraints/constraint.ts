// SPDX-License-Identifier: MIT

/** A JSON Schema: an object, or `true` for any JSON value. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/**
 * What a generated text must be, whole. A `RegExp` by itself is short for `{ type: 'regex' }`. The
 * tokens that would leave it are never drawn, whatever the sampling, and the text ends once nothing
 * may follow; only `maxTokens`, the context window or a `stop` string can cut it short, which the
 * result's `finishReason` (`length`) and `stopString` say.
 */
export type Constraint =
  | RegExp
  /**
   * A JSON text of a schema. Objects have their properties in the schema's order, then others if
   * `additionalProperties` is given (or no properties are); after commas and colons there may be one
   * space, elsewhere there is none; strings are escaped as `JSON.stringify` does. `oneOf` is read as
   * `anyOf`, `format` and annotations are ignored; a keyword that is not supported is a TypeError.
   */
  | { type: 'json_schema'; schema: JsonSchema }
  /** Any JSON object. */
  | { type: 'json_object' }
  /**
   * A text that a regular expression matches as a whole. Without lookarounds, references to groups,
   * `\b` and the flag `m`. A string is read with the flag `u`; without it, characters beyond U+FFFF
   * are only written where they are spelled out.
   */
  | { type: 'regex'; pattern: RegExp | string };

/** A constraint as it crosses to the engine: texts, so that one is known again. */
export type ConstraintSettings =
  | { type: 'json_schema'; schema: string }
  | { type: 'regex'; source: string; flags: string };

// Texts to be compiled: schemas with thousands of names have some 100 000 letters.
const MOST_SCHEMA = 1_048_576;
const MOST_PATTERN = 65_536;

function checkLength(text: string, most: number, name: string): void {
  if (text.length <= most) return;
  throw new RangeError(`constraint.${name} is ${text.length} letters long; ${most} is the most`);
}

/**
 * @throws TypeError unless it is a constraint; whether its schema is one, the engine finds out.
 * RangeError for one beyond reason
 */
export function constraintSettings(given: Constraint): ConstraintSettings {
  if (given instanceof RegExp) {
    checkLength(given.source, MOST_PATTERN, 'pattern');
    return { type: 'regex', source: given.source, flags: given.flags };
  }
  switch (given?.type) {
    case 'json_object':
      return { type: 'json_schema', schema: '{"type":"object"}' };
    case 'json_schema': {
      let schema: string | undefined;
      try {
        schema = JSON.stringify(given.schema);
      } catch {}
      if (schema !== undefined) {
        checkLength(schema, MOST_SCHEMA, 'schema');
        return { type: 'json_schema', schema };
      }
      throw new TypeError('constraint.schema must be a JSON Schema');
    }
    case 'regex': {
      const { pattern } = given;
      if (pattern instanceof RegExp) return constraintSettings(pattern);
      if (typeof pattern === 'string') {
        checkLength(pattern, MOST_PATTERN, 'pattern');
        return { type: 'regex', source: pattern, flags: 'u' };
      }
      throw new TypeError('constraint.pattern must be a RegExp or a string');
    }
    default:
      throw new TypeError(
        "constraint must be a RegExp, or have the type 'json_schema', 'json_object' or 'regex'",
      );
  }
}
