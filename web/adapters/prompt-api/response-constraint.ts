// SPDX-License-Identifier: MIT
import type { Constraint, JsonSchema } from '../../constraints/constraint.js';
import type { Message } from '../../index.js';
import { schemaInstruction, withLastInstruction } from '../shown-schema.js';
import { named } from './errors.js';
import { dictionary, isObject } from './web-idl.js';

/** What an answer is held to, and what the model is told of that. */
export interface ResponseConstraint {
  constraint: Constraint;
  /** Undefined where the model is not to be told. */
  instruction: string | undefined;
}

/**
 * @returns undefined where any answer will do
 * @throws TypeError for what is no object, or where there is nothing to omit; DOMException
 * NotSupportedError for what JSON cannot write
 */
export function readConstraint(options: unknown): ResponseConstraint | undefined {
  const { omitResponseConstraintInput: omit, responseConstraint: wanted } = dictionary(
    options,
    'options',
  );
  if (wanted === undefined) {
    if (omit) throw new TypeError('omitResponseConstraintInput goes with a responseConstraint');
    return undefined;
  }
  if (wanted instanceof RegExp) {
    const shown = `You MUST answer with a text that matches the regular expression ${wanted}`;
    return { constraint: wanted, instruction: omit ? undefined : shown };
  }
  if (!isObject(wanted)) throw new TypeError('responseConstraint must be an object');
  const schema = plainSchema(wanted);
  const instruction = omit ? undefined : schemaInstruction({ schema });
  return { constraint: { type: 'json_schema', schema }, instruction };
}

function plainSchema(wanted: object): JsonSchema {
  let read: unknown;
  let cause: unknown;
  try {
    read = JSON.parse(JSON.stringify(wanted));
  } catch (error) {
    cause = error;
  }
  if (isObject(read)) return read;
  throw named('NotSupportedError', 'responseConstraint cannot be written as JSON', cause);
}

/** Messages whose last question says what the answer is held to. */
export function instructed(
  messages: Message[],
  response: ResponseConstraint | undefined,
): Message[] {
  if (response?.instruction === undefined) return messages;
  return withLastInstruction(messages, response.instruction);
}
