// SPDX-License-Identifier: MIT
import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type ToolMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import type { Message, ResponsePart, Usage } from '../../index.js';

const ROLES: Record<string, Message['role']> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
};

/** @throws TypeError for what is not text, and for messages of other kinds */
export function readMessage(message: BaseMessage): Message {
  const type = message.getType();
  const role = ROLES[type];
  if (!role) throw new TypeError(`there are no messages of the type ${type} here`);
  const read: Message = { role, content: textOf(message) };
  if (role === 'assistant') {
    const { tool_calls: calls = [], additional_kwargs: more } = message as AIMessage;
    const toolCalls = calls.map(({ id = '', name, args }) => ({ id, name, arguments: args }));
    if (toolCalls.length > 0) read.toolCalls = toolCalls;
    if (typeof more.reasoning_content === 'string') read.reasoning = more.reasoning_content;
  }
  if (role !== 'tool') return read;
  const { tool_call_id, name } = message as ToolMessage;
  return { ...read, toolCallId: tool_call_id, ...(name === undefined ? {} : { name }) };
}

// Other providers have calls and thoughts within the content; calls stand beside it too.
function textOf({ content }: BaseMessage): string {
  if (typeof content === 'string') return content;
  const besides = ['reasoning', 'thinking', 'tool_call', 'tool_use'];
  return content
    .filter(({ type }) => !besides.includes(type as string))
    .map((block) => {
      if (block.type === 'text') return String(block.text);
      throw new TypeError(`content of the type ${block.type} is not text`);
    })
    .join('');
}

/** A piece of an answer; the names of calls stand in their first one. */
export function chunkOf(part: ResponsePart, calls: string[]): AIMessageChunk | undefined {
  if (part.type === 'text') return new AIMessageChunk(part.text);
  if (part.type === 'reasoning') {
    const additional_kwargs = { reasoning_content: part.text };
    return new AIMessageChunk({ content: '', additional_kwargs });
  }
  if (part.type !== 'tool-call-delta') return undefined;
  const { id, name, delta: args } = part;
  const known = calls.indexOf(id);
  const index = known < 0 ? calls.push(id) - 1 : known;
  const begin = known < 0 ? { id, name } : {};
  return new AIMessageChunk({
    content: '',
    tool_call_chunks: [{ type: 'tool_call_chunk', ...begin, args, index }],
  });
}

export function usageMetadata(usage: Usage): UsageMetadata {
  const { promptTokens, heldTokens, completionTokens, reasoningTokens } = usage;
  return {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    input_token_details: { cache_read: heldTokens },
    output_token_details: { reasoning: reasoningTokens },
  };
}
