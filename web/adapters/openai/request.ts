// SPDX-License-Identifier: MIT

import type { Constraint } from '../../constraints/constraint.js';
import type { GenerationOptions } from '../../options.js';
import type { Message } from '../../text/chat-template.js';
import type { Question } from '../chats.js';
import { schemaInstruction, withInstruction } from '../shown-schema.js';
import { APIError } from './error.js';
import type { ChatCompletionCreateParams, ChatContent, ChatMessage } from './types.js';

// Options by the names of parameters; of two for one option the later counts.
const OPTIONS = {
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  min_p: 'minP',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  logit_bias: 'logitBias',
  stop: 'stop',
  seed: 'seed',
} as const satisfies Partial<Record<keyof ChatCompletionCreateParams, keyof GenerationOptions>>;

/** Parameters by the names of options. */
export const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPTIONS).map(([param, option]) => [option, param] as const),
  ['logprobs', 'top_logprobs'],
  ['constraint', 'response_format'],
]);

const OTHERS = ['messages', 'model', 'stream', 'stream_options', 'n', 'logprobs', 'top_logprobs'];
const READ = new Set([...Object.keys(OPTIONS), ...OTHERS, 'response_format', 'reasoning_effort']);

// They say who asks or how to serve it, and change no answer.
const HARMLESS = new Set([
  ...['user', 'metadata', 'service_tier', 'safety_identifier', 'parallel_tool_calls'],
  ...['prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
]);

/** @throws APIError 400 naming the parameter */
export function readRequest(params: ChatCompletionCreateParams): Question & { choices: number } {
  if (typeof params !== 'object' || params === null) {
    throw new APIError(400, 'the request must be an object', { code: 'invalid_type' });
  }
  for (const [param, value] of Object.entries(params)) {
    if (READ.has(param) || HARMLESS.has(param) || isNothing(value)) continue;
    throw refusal(param, `${param} is not supported`);
  }
  const { n, reasoning_effort: effort } = params;
  const choices = n ?? 1;
  if (!Number.isInteger(choices) || choices < 1 || choices > 128) {
    throw new APIError(400, 'n must be a whole number from 1 to 128', { param: 'n' });
  }
  return {
    messages: shownFormat(readMessages(params.messages), params),
    options: readOptions(params),
    thinking: effort ? effort !== 'none' : undefined,
    choices,
  };
}

// What clients send for parameters that were left alone.
function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

function refusal(param: string, message: string): APIError {
  return new APIError(400, message, { param, code: 'unsupported_parameter' });
}

function readOptions(params: ChatCompletionCreateParams): GenerationOptions {
  const options: Record<string, unknown> = {};
  for (const [param, option] of Object.entries(OPTIONS)) {
    const value = params[param as keyof typeof OPTIONS];
    if (value !== undefined && value !== null) options[option] = value;
  }
  const { logprobs, top_logprobs: top } = params;
  if (logprobs) options.logprobs = top ?? 0;
  else if (top) {
    throw new APIError(400, 'top_logprobs needs logprobs: true', { param: 'top_logprobs' });
  }
  return { ...options, ...readFormat(params) };
}

function readFormat({ response_format: format }: ChatCompletionCreateParams): GenerationOptions {
  if (!format || format.type === 'text') return {};
  const constraint: Constraint =
    format.type === 'json_schema' && format.json_schema?.schema
      ? { type: 'json_schema', schema: format.json_schema.schema }
      : { type: 'json_object' };
  return { constraint };
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

function readMessages(messages: readonly ChatMessage[]): Message[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new APIError(400, 'messages must be an array of at least one message', {
      param: 'messages',
    });
  }
  return messages.map((message: ChatMessage, index) => {
    const param = `messages[${index}]`;
    if (typeof message !== 'object' || message === null) {
      throw new APIError(400, `${param} must be an object`, { param });
    }
    const { role, content } = message;
    const { tool_calls: calls } = message as { tool_calls?: unknown[] };
    if (calls?.length) throw refusal(`${param}.tool_calls`, 'tool_calls is not supported');
    return { role: role === 'developer' ? 'system' : role, content: readContent(content, param) };
  });
}

function readContent(content: ChatContent, param: string): string {
  if (!Array.isArray(content)) return content as string;
  return content
    .map((part, index) => {
      if (part?.type === 'text' && typeof part.text === 'string') return part.text;
      throw refusal(`${param}.content[${index}]`, `content of type ${part?.type} is not supported`);
    })
    .join('');
}
