// SPDX-License-Identifier: MIT

import type { RespondOptions } from '../../respond-options.js';
import type { Message } from '../../text/message.js';
import type { Question } from '../chats.js';
import { schemaInstruction, withInstruction } from '../shown-schema.js';
import {
  checkParameters,
  invalid,
  isObject,
  mayThink,
  readOptions,
  SAMPLING,
  unsupported,
} from './parameters.js';
import { readInput } from './response-input.js';
import type { ResponseCreateParams, ResponseTextFormat } from './response-types.js';
import { readTools } from './tools.js';

const OPTIONS = {
  ...SAMPLING,
  max_output_tokens: 'maxTokens',
} as const satisfies Partial<Record<keyof ResponseCreateParams, keyof RespondOptions>>;

/** Parameters by the names of options. */
export const RESPONSE_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPTIONS).map(([param, option]) => [option, param] as const),
  ['constraint', 'text.format'],
  ['toolChoice', 'tool_choice'],
  ['messages', 'input'],
]);

const READ = [
  ...Object.keys(OPTIONS),
  ...['input', 'instructions', 'previous_response_id', 'store', 'text', 'tools', 'tool_choice'],
  ...['reasoning', 'truncation', 'include'],
];

// What is asked for beside the answer: thoughts are never encrypted, they come as they are.
const INCLUDED = ['reasoning.encrypted_content'];

/** What is asked, and what of it the next response goes on from. */
export interface ResponseRequest {
  question: Question;
  /** The conversation without instructions. */
  turns: readonly Message[];
}

/**
 * @param before the conversation that it goes on from, without instructions
 * @throws APIError 400 naming the parameter
 */
export function readResponseRequest(
  params: ResponseCreateParams,
  before: readonly Message[],
): ResponseRequest {
  checkParameters(params, READ);
  checkUnsupported(params);
  const { instructions, reasoning } = params;
  if (!['undefined', 'string'].includes(typeof (instructions ?? undefined))) {
    throw invalid('instructions', 'must be a string');
  }
  const turns = [...before, ...readInput(params.input, before)];
  const format = readFormat(params);
  const messages = instructions ? withSystem(turns, instructions) : turns;
  return {
    turns,
    question: {
      messages: shownFormat(messages, format),
      options: {
        ...readOptions(params, OPTIONS),
        ...constraintOf(format),
        ...readTools(params.tools, params.tool_choice, false),
        thinking: mayThink(reasoning?.effort),
      },
    },
  };
}

function checkUnsupported({ truncation, text, ...rest }: ResponseCreateParams): void {
  if (truncation && truncation !== 'disabled') {
    throw unsupported('truncation', `truncation '${truncation}' is not supported`);
  }
  const { verbosity } = (text ?? {}) as { verbosity?: unknown };
  if (verbosity) throw unsupported('text.verbosity', 'text.verbosity is not supported');
  const { include } = rest as { include?: unknown };
  for (const what of Array.isArray(include) ? include : []) {
    if (!INCLUDED.includes(what)) throw unsupported('include', `${what} cannot be included`);
  }
}

// Templates take one system message, the first.
function withSystem(turns: readonly Message[], instructions: string): Message[] {
  const [first, ...others] = turns;
  if (first?.role !== 'system') return [{ role: 'system', content: instructions }, ...turns];
  return [{ ...first, content: `${instructions}\n\n${first.content}` }, ...others];
}

function readFormat({ text }: ResponseCreateParams): ResponseTextFormat {
  const format = text?.format ?? { type: 'text' };
  const { type } = format;
  if (type === 'json_schema') {
    if (isObject(format.schema)) return format;
    throw invalid('text.format.schema', 'must be a JSON Schema');
  }
  if (type === 'text' || type === 'json_object') return format;
  throw unsupported('text.format.type', `formats of type ${type} are not supported`);
}

function constraintOf(format: ResponseTextFormat): RespondOptions {
  if (format.type === 'text') return {};
  if (format.type === 'json_object') return { constraint: { type: 'json_object' } };
  return { constraint: { type: 'json_schema', schema: format.schema } };
}

// As OpenAI's own models, this one sees the schema that its answer is held to.
function shownFormat(messages: readonly Message[], format: ResponseTextFormat): readonly Message[] {
  return format.type === 'json_schema'
    ? withInstruction(messages, schemaInstruction(format))
    : messages;
}
