// SPDX-License-Identifier: MIT

import type { Message } from '../../text/message.js';
import type { ToolCall } from '../../text/tool.js';
import type { ChatContent, ChatMessage, ChatToolCall } from './chat-types.js';
import { invalid, isObject, unsupported } from './parameters.js';
import { readArguments } from './tools.js';

/** @throws APIError 400 naming the part of a message */
export function readMessages(messages: readonly ChatMessage[]): Message[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw invalid('messages', 'must be an array of at least one message');
  }
  const called = new Map<string, string>();
  return messages.map((message: ChatMessage, index) => {
    const param = `messages[${index}]`;
    if (!isObject(message)) throw invalid(param, 'must be an object');
    switch (message.role) {
      case 'system':
      case 'developer':
        return { role: 'system', content: readContent(message.content, param) };
      case 'user':
        return { role: 'user', content: readContent(message.content, param) };
      case 'assistant': {
        const answer = readAnswer(message, param);
        for (const { id, name } of answer.toolCalls ?? []) called.set(id, name);
        return answer;
      }
      case 'tool': {
        const { tool_call_id: id } = message;
        const name = called.get(id);
        if (name === undefined) throw invalid(`${param}.tool_call_id`, 'is of no call before it');
        return { role: 'tool', content: readContent(message.content, param), toolCallId: id, name };
      }
      default: {
        const { role } = message as { role: unknown };
        throw invalid(`${param}.role`, `is ${role}: system, user, assistant and tool are known`);
      }
    }
  });
}

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

function readAnswer(message: AssistantMessage, param: string): Message {
  const { content, tool_calls: given, reasoning_content: reasoning } = message;
  if ((message as { function_call?: unknown }).function_call) {
    throw unsupported(`${param}.function_call`, 'function_call is not supported: tool_calls is');
  }
  const calls = given ?? [];
  if (!Array.isArray(calls)) throw invalid(`${param}.tool_calls`, 'must be an array');
  const toolCalls = calls.map((call: ChatToolCall, index) =>
    readCall(call, `${param}.tool_calls[${index}]`),
  );
  const isCall = toolCalls.length > 0 && (content === null || content === undefined);
  return {
    role: 'assistant',
    content: isCall ? '' : readContent(content as ChatContent, param),
    ...(reasoning ? { reasoning } : {}),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  };
}

function readCall(call: ChatToolCall, param: string): ToolCall {
  if (!isObject(call)) throw invalid(param, 'must be an object');
  const { id, type, function: called } = call;
  if (type !== 'function') throw unsupported(`${param}.type`, `calls of ${type} are not supported`);
  if (typeof id !== 'string') throw invalid(`${param}.id`, 'must be a string');
  if (typeof called?.name !== 'string') throw invalid(`${param}.function.name`, 'must be a string');
  const given = readArguments(called.arguments, `${param}.function.arguments`);
  return { id, name: called.name, arguments: given };
}

function readContent(content: ChatContent, param: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalid(`${param}.content`, 'must be text, or text in parts');
  return content
    .map((part, index) => {
      if (part?.type === 'text' && typeof part.text === 'string') return part.text;
      const message = `content of type ${part?.type} is not supported`;
      throw unsupported(`${param}.content[${index}]`, message);
    })
    .join('');
}
