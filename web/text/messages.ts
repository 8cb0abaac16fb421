// SPDX-License-Identifier: MIT
import type { Message } from './message.js';
import { checkToolCalls } from './tool.js';

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool'];

/**
 * The messages of a call: a string is one message of the user.
 *
 * @param specialTokens of those that do not say it themselves
 * @throws TypeError naming what is wrong with which message
 */
export function checkMessages(
  input: string | readonly Message[],
  specialTokens = false,
): Message[] {
  if (typeof input === 'string')
    return checkMessages([{ role: 'user', content: input }], specialTokens);
  if (!Array.isArray(input))
    throw new TypeError('the input must be a string or an array of messages');
  return input.map((message: Message, index) => {
    if (!ROLES.includes(message?.role)) {
      throw new TypeError(`message ${index} must have a role of ${ROLES.join(', ')}`);
    }
    if (typeof message.content !== 'string') {
      throw new TypeError(`message ${index} must have a string as content`);
    }
    const { role, content, prefix, specialTokens: own = specialTokens } = message;
    if (typeof own !== 'boolean') {
      throw new TypeError(`specialTokens of message ${index} must be true or false`);
    }
    const checked: Message = { role, content, ...besides(message, index) };
    if (own) checked.specialTokens = true;
    if (!prefix) return checked;
    if (role !== 'assistant' || index !== input.length - 1) {
      throw new TypeError("only the last message, the assistant's, can be a prefix");
    }
    return { ...checked, prefix: true };
  });
}

// What an answer has beside its text, and what a tool's result says of itself.
function besides(message: Message, index: number): Partial<Message> {
  const where = `message ${index}`;
  const { role, reasoning, toolCalls, toolCallId, name } = message;
  const besides: Partial<Message> = {};
  const only = (speaker: Message['role'], key: string) => {
    if (role !== speaker) throw new TypeError(`${key} of ${where} is not for the role ${role}`);
  };
  if (reasoning !== undefined) {
    only('assistant', 'reasoning');
    besides.reasoning = text(reasoning, `reasoning of ${where}`);
  }
  if (toolCalls !== undefined) {
    only('assistant', 'toolCalls');
    besides.toolCalls = checkToolCalls(toolCalls, where);
  }
  if (toolCallId !== undefined) {
    only('tool', 'toolCallId');
    besides.toolCallId = text(toolCallId, `toolCallId of ${where}`);
  }
  if (name !== undefined) besides.name = text(name, `name of ${where}`);
  return besides;
}

function text(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${what} must be a string`);
}
