// SPDX-License-Identifier: MIT

import type { Constraint, JsonSchema } from '../../constraints/constraint.js';
import type { GenerationOptions, Message } from '../../index.js';
import type { Question } from '../chats.js';
import { schemaInstruction, withInstruction } from '../shown-schema.js';
import type { CallOptions, PromptPart, Warning } from './types.js';

/** An error that the SDK takes for one of its own, by the marks that it looks for. */
export function sdkError(name: string, message: string, fields: object): Error {
  const marks = {
    [Symbol.for('vercel.ai.error')]: true,
    [Symbol.for(`vercel.ai.error.${name}`)]: true,
  };
  return Object.assign(new Error(message), { name, ...fields, ...marks });
}

/** What is asked, and what of it cannot be done. Throws for a prompt that is not text. */
export function readCall(call: CallOptions): Question & { warnings: Warning[] } {
  const warnings: Warning[] = [];
  const unsupported = (feature: string, details: string) =>
    warnings.push({ type: 'unsupported', feature, details });
  if (call.tools?.length) unsupported('tools', 'the model is not told of tools');
  if (call.toolChoice && call.toolChoice.type !== 'auto' && call.toolChoice.type !== 'none') {
    unsupported('toolChoice', 'the model is not told of tools');
  }
  const { reasoning = 'provider-default' } = call;
  if (!['provider-default', 'none'].includes(reasoning)) {
    warnings.push({
      type: 'compatibility',
      feature: 'reasoning',
      details: 'the model may think, but not how much can be chosen',
    });
  }
  const messages = call.prompt.map(({ role, content }) => ({
    role: role as Message['role'],
    content: typeof content === 'string' ? content : content.map(readPart).join(''),
  }));
  return {
    ...readFormat(call, messages),
    thinking: reasoning === 'provider-default' ? undefined : reasoning !== 'none',
    warnings,
  };
}

function readOptions(call: CallOptions): GenerationOptions {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = call;
  return {
    ...{ temperature, topP, topK, presencePenalty, frequencyPenalty, seed },
    maxTokens: call.maxOutputTokens,
    stop: call.stopSequences,
    signal: call.abortSignal,
  };
}

function readPart({ type, text }: PromptPart): string {
  if (type === 'text' && text !== undefined) return text;
  // What a model thought is not shown to it again.
  if (type === 'reasoning') return '';
  throw sdkError(
    'AI_UnsupportedFunctionalityError',
    `'prompt part of type ${type}' functionality not supported`,
    { functionality: `prompt part of type ${type}` },
  );
}

// The answer is held to the schema, and the model shown what its parts mean.
function readFormat(
  call: CallOptions,
  messages: Message[],
): Pick<Question, 'messages' | 'options'> {
  const { responseFormat: format } = call;
  const options = readOptions(call);
  if (format?.type !== 'json') return { messages, options };
  if (!format.schema)
    return { messages, options: { ...options, constraint: { type: 'json_object' } } };
  const constraint: Constraint = { type: 'json_schema', schema: format.schema as JsonSchema };
  const shown = schemaInstruction({ ...format, schema: format.schema });
  return { messages: withInstruction(messages, shown), options: { ...options, constraint } };
}
