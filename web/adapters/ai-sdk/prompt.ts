// SPDX-License-Identifier: MIT

import type { Constraint, JsonSchema } from '../../constraints/constraint.js';
import type { RespondOptions, Tool, ToolChoice } from '../../index.js';
import type { Question } from '../chats.js';
import { schemaInstruction, withInstruction } from '../shown-schema.js';
import { readPrompt } from './messages.js';
import type { CallOptions, CallTool, Warning } from './types.js';

// Most tokens of a thought, by the effort that is asked for; more than that is left to the model.
const BUDGETS: Record<string, number> = { minimal: 128, low: 512, medium: 2048 };

/** What is asked, and what of it cannot be done. Throws for a prompt that is not text. */
export function readCall(call: CallOptions): Question & { warnings: Warning[] } {
  const warnings: Warning[] = [];
  const options = readOptions(call, warnings);
  const messages = readPrompt(call.prompt);
  const { responseFormat: format } = call;
  if (format?.type !== 'json') return { messages, options, warnings };
  if (!format.schema) {
    const constraint: Constraint = { type: 'json_object' };
    return { messages, options: { ...options, constraint }, warnings };
  }
  // The answer is held to the schema, and the model shown what its parts mean.
  const constraint: Constraint = { type: 'json_schema', schema: format.schema as JsonSchema };
  const shown = schemaInstruction({ ...format, schema: format.schema });
  const told = withInstruction(messages, shown);
  return { messages: told, options: { ...options, constraint }, warnings };
}

function readOptions(call: CallOptions, warnings: Warning[]): RespondOptions {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = call;
  return {
    ...{ temperature, topP, topK, presencePenalty, frequencyPenalty, seed },
    maxTokens: call.maxOutputTokens,
    stop: call.stopSequences,
    signal: call.abortSignal,
    tools: call.tools?.flatMap((tool) => readTool(tool, warnings)),
    toolChoice: readChoice(call.toolChoice),
    thinking: readEffort(call.reasoning),
  };
}

function readTool(tool: CallTool, warnings: Warning[]): Tool[] {
  if (tool.type === 'provider') {
    const details = 'this provider has no tools of its own';
    warnings.push({ type: 'unsupported', feature: `provider-defined tool ${tool.id}`, details });
    return [];
  }
  const { name, description, inputSchema, inputExamples = [] } = tool;
  const examples = inputExamples.map(({ input }) => `Example: ${JSON.stringify(input)}`);
  const told = [...(description ? [description] : []), ...examples].join('\n');
  const parameters = inputSchema as Tool['parameters'];
  return [{ name, ...(told ? { description: told } : {}), parameters }];
}

function readChoice(choice: CallOptions['toolChoice']): ToolChoice | undefined {
  return choice?.type === 'tool' ? { name: choice.toolName } : choice?.type;
}

function readEffort(effort: CallOptions['reasoning']): RespondOptions['thinking'] {
  if (effort === undefined || effort === 'provider-default') return undefined;
  if (effort === 'none') return false;
  const budget = BUDGETS[effort];
  return budget === undefined ? true : { budget };
}
