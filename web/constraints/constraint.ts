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
   * A JSON text that is valid under a schema (draft 2020-12). Objects have their properties in the
   * order in which the schema names them, then others; after commas and colons there may be one space,
   * elsewhere there is none; strings are escaped as `JSON.stringify` does. `format` is held to where
   * its texts are a regular language. A keyword that is not supported is a TypeError that names it.
   */
  | { type: 'json_schema'; schema: JsonSchema }
  /** Any JSON object. */
  | { type: 'json_object' }
  /**
   * A text that a regular expression matches as a whole. Without lookbehinds, references to groups,
   * `\b` and the flag `m`. A string is read with the flag `u`; without it, characters beyond U+FFFF
   * are only written where they are spelled out.
   */
  | { type: 'regex'; pattern: RegExp | string }
  /**
   * A text of the rule `root` of a grammar in GBNF, as llama.cpp has it: rules `name ::= …` of texts in
   * quotes, classes of characters, names, groups, `|`, `*`, `+`, `?`, `{m,n}` and comments. A rule that
   * begins with itself is a TypeError.
   */
  | { type: 'grammar'; grammar: string }
  /** One of these texts, none of them empty. */
  | { type: 'choice'; options: readonly string[] };

/** A constraint as it crosses to the engine: texts, so that one is known again. */
export type ConstraintSettings =
  | { type: 'json_schema'; schema: string }
  | { type: 'regex'; source: string; flags: string }
  | { type: 'grammar'; grammar: string }
  | { type: 'choice'; options: readonly string[] };

// Texts to be compiled: schemas with thousands of names have some 100 000 letters.
const MOST_SCHEMA = 1_048_576;
const MOST_PATTERN = 65_536;
const MOST_GRAMMAR = 262_144;
const MOST_OPTIONS = 10_000;

function checkLength(text: string, most: number, name: string): void {
  if (text.length <= most) return;
  throw new RangeError(`constraint.${name} is ${text.length} letters long; ${most} is the most`);
}

function optionsOf(options: readonly string[]): string[] {
  if (!Array.isArray(options) || options.length === 0) {
    throw new TypeError('constraint.options must be a list of texts');
  }
  if (options.length > MOST_OPTIONS) {
    throw new RangeError(
      `constraint.options has ${options.length} texts; ${MOST_OPTIONS} is the most`,
    );
  }
  if (!options.every((option) => typeof option === 'string' && option !== '')) {
    throw new TypeError('constraint.options must be texts that are not empty');
  }
  return [...options];
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
    case 'grammar': {
      const { grammar } = given;
      if (typeof grammar !== 'string') throw new TypeError('constraint.grammar must be a string');
      checkLength(grammar, MOST_GRAMMAR, 'grammar');
      return { type: 'grammar', grammar };
    }
    case 'choice':
      return { type: 'choice', options: optionsOf(given.options) };
    default:
      throw new TypeError(
        "constraint must be a RegExp, or have the type 'json_schema', 'json_object', 'regex', 'grammar' or 'choice'",
      );
  }
}
