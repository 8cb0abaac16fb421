// SPDX-License-Identifier: MIT

import type { RespondOptions } from '../../respond-options.js';
import type { Message } from '../../text/message.js';
import type { Question } from '../chats.js';
import { schemaInstruction, withInstruction } from '../shown-schema.js';
import { readMessages } from './chat-messages.js';
import type { ChatCompletionCreateParams } from './chat-types.js';
import { APIError } from './error.js';
import { checkParameters, mayThink, readOptions, SAMPLING } from './parameters.js';
import { readTools } from './tools.js';

const OPTIONS = {
  ...SAMPLING,
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  logit_bias: 'logitBias',
  stop: 'stop',
} as const satisfies Partial<Record<keyof ChatCompletionCreateParams, keyof RespondOptions>>;

/** Parameters by the names of options. */
export const CHAT_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPTIONS).map(([param, option]) => [option, param] as const),
  ['logprobs', 'top_logprobs'],
  ['constraint', 'response_format'],
  ['toolChoice', 'tool_choice'],
]);

const READ = [
  ...Object.keys(OPTIONS),
  ...['messages', 'n', 'logprobs', 'top_logprobs', 'response_format', 'reasoning_effort'],
  ...['tools', 'tool_choice'],
];

/** @throws APIError 400 naming the parameter */
export function readChatRequest(
  params: ChatCompletionCreateParams,
): Question & { choices: number } {
  checkParameters(params, READ);
  const choices = params.n ?? 1;
  if (!Number.isInteger(choices) || choices < 1 || choices > 128) {
    throw new APIError(400, 'n must be a whole number from 1 to 128', { param: 'n' });
  }
  return {
    messages: shownFormat(readMessages(params.messages), params),
    options: {
      ...readOptions(params, OPTIONS),
      ...readLogprobs(params),
      ...readFormat(params),
      ...readTools(params.tools, params.tool_choice, true),
      thinking: mayThink(params.reasoning_effort),
    },
    choices,
  };
}

function readLogprobs({ logprobs, top_logprobs: top }: ChatCompletionCreateParams): RespondOptions {
  if (logprobs) return { logprobs: top ?? 0 };
  if (!top) return {};
  throw new APIError(400, 'top_logprobs needs logprobs: true', { param: 'top_logprobs' });
}

function readFormat({ response_format: format }: ChatCompletionCreateParams): RespondOptions {
  if (!format || format.type === 'text') return {};
  const schema = format.type === 'json_schema' ? format.json_schema?.schema : undefined;
  return { constraint: schema ? { type: 'json_schema', schema } : { type: 'json_object' } };
}

// As OpenAI's own models, this one sees the schema that its answer is held to.
function shownFormat(
  messages: Message[],
  { response_format: format }: ChatCompletionCreateParams,
): Message[] {
  if (format?.type !== 'json_schema' || !format.json_schema?.schema) return messages;
  const { schema, name, description } = format.json_schema;
  return withInstruction(messages, schemaInstruction({ schema, name, description }));
}
