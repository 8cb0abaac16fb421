// SPDX-License-Identifier: MIT
import type { Message, ToolCall } from '../../index.js';
import { sdkError } from './error.js';
import type { CallOptions, PromptPart, ToolOutput } from './types.js';

/** Messages as a session has them. Throws for a prompt that is not text. */
export function readPrompt(prompt: CallOptions['prompt']): Message[] {
  return prompt.flatMap(({ role, content }) => {
    if (typeof content === 'string') return [{ role: role as Message['role'], content }];
    if (role === 'tool') return readResults(content);
    if (role === 'assistant') return readAnswer(content);
    return [{ role: role as Message['role'], content: content.map(readText).join('') }];
  });
}

// Providers that run tools themselves have their results within the answer.
function readAnswer(parts: readonly PromptPart[]): Message[] {
  const message: Message = { role: 'assistant', content: '' };
  const calls: ToolCall[] = [];
  for (const part of parts) {
    const { type, toolCallId: id = '', toolName: name = '', input } = part;
    if (type === 'reasoning') message.reasoning = (message.reasoning ?? '') + (part.text ?? '');
    else if (type === 'tool-call') {
      calls.push({ id, name, arguments: input as ToolCall['arguments'] });
    } else if (type !== 'tool-result') message.content += readText(part);
  }
  if (calls.length > 0) message.toolCalls = calls;
  return [message, ...readResults(parts)];
}

function readResults(parts: readonly PromptPart[]): Message[] {
  return parts.flatMap(({ type, toolCallId, toolName, output }) => {
    if (type !== 'tool-result' || !output) return [];
    return [{ role: 'tool', content: inWords(output), toolCallId, name: toolName }];
  });
}

/** A tool's result as the model reads it. */
function inWords(output: ToolOutput): string {
  switch (output.type) {
    case 'text':
      return output.value;
    case 'json':
      return JSON.stringify(output.value);
    case 'error-text':
      return `Error: ${output.value}`;
    case 'error-json':
      return `Error: ${JSON.stringify(output.value)}`;
    case 'execution-denied':
      return `Error: the user did not allow this call${output.reason ? `: ${output.reason}` : ''}`;
    case 'content':
      return output.value.map(readText).join('\n');
  }
}

function readText({ type, text, data }: PromptPart): string {
  if (type === 'text' && text !== undefined) return text;
  const file = data as { type?: unknown; text?: unknown } | undefined;
  if (type === 'file' && file?.type === 'text') return String(file.text);
  throw sdkError(
    'AI_UnsupportedFunctionalityError',
    `'prompt part of type ${type}' functionality not supported`,
    { functionality: `prompt part of type ${type}` },
  );
}
