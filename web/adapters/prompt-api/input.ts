// SPDX-License-Identifier: MIT

import type { Constraint, JsonSchema } from '../../constraints/constraint.js';
import type { GenerationOptions, Message } from '../../index.js';
import { schemaInstruction, withLastInstruction } from '../shown-schema.js';
import { named } from './errors.js';
import type {
  CreateCoreOptions,
  Prompt,
  PromptContent,
  PromptOptions,
  SamplingMode,
} from './types.js';

/**
 * @param first whether a system message may lead: it does before anything else, and nowhere else
 * @throws TypeError; DOMException NotSupportedError, SyntaxError
 */
export function readPrompt(input: Prompt, first = false): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input)) {
    throw new TypeError('the input must be a string or an array of messages');
  }
  return input.map(({ role, content, prefix }, index) => {
    if (role === 'system' && !(first && index === 0)) {
      throw new TypeError('a system message can only be the first of the initial prompts');
    }
    if (prefix && (first || role !== 'assistant' || index !== input.length - 1)) {
      throw named('SyntaxError', "only a prompt's last message, the assistant's, can be a prefix");
    }
    const message: Message = { role, content: readContent(content) };
    return prefix ? { ...message, prefix } : message;
  });
}

function readContent(content: string | PromptContent[]): string {
  if (!Array.isArray(content)) return content;
  return content
    .map(({ type, value }) => {
      if (type !== 'text') throw named('NotSupportedError', `the model does not read ${type}`);
      if (typeof value !== 'string') throw new TypeError('a text value must be a string');
      return value;
    })
    .join('');
}

// One temperature per mode, the middle one the package's own default.
const TEMPERATURES: Record<SamplingMode, number> = {
  'most-predictable': 0,
  predictable: 0.4,
  balanced: 0.8,
  creative: 1.1,
  'most-creative': 1.5,
};

/** @throws TypeError */
export function readSampling(options: CreateCoreOptions): GenerationOptions {
  const { samplingMode: mode, temperature, topK } = options;
  if (mode === undefined) return { temperature, topK };
  if (temperature !== undefined || topK !== undefined) {
    throw new TypeError('samplingMode goes with neither temperature nor topK');
  }
  if (!Object.hasOwn(TEMPERATURES, mode)) throw new TypeError(`there is no samplingMode '${mode}'`);
  return { temperature: TEMPERATURES[mode] };
}

/** What an answer must be. */
export function readConstraint({ responseConstraint: wanted }: PromptOptions): GenerationOptions {
  if (wanted === undefined) return {};
  const constraint: Constraint =
    wanted instanceof RegExp
      ? { type: 'regex', pattern: wanted }
      : { type: 'json_schema', schema: wanted as JsonSchema };
  return { constraint };
}

/**
 * A prompt, with what the answer is held to.
 *
 * @throws as {@link readPrompt}; TypeError where there is nothing to omit
 */
export function readQuestion(input: Prompt, options: PromptOptions): Message[] {
  const { responseConstraint: wanted, omitResponseConstraintInput: omit } = options;
  const messages = readPrompt(input);
  if (wanted === undefined) {
    if (omit) throw new TypeError('omitResponseConstraintInput goes with a responseConstraint');
    return messages;
  }
  if (omit) return messages;
  const shown =
    wanted instanceof RegExp
      ? `You MUST answer with a text that matches the regular expression ${wanted}`
      : schemaInstruction({ schema: wanted });
  return withLastInstruction(messages, shown);
}

/** What of `options` no text model can do. */
export function unsupported(options: CreateCoreOptions): string | undefined {
  const { expectedInputs = [], expectedOutputs = [], tools = [] } = options;
  const other = [...expectedInputs, ...expectedOutputs].find(({ type }) => type !== 'text');
  if (other) return other.type;
  return tools.length > 0 ? 'tools' : undefined;
}
