// SPDX-License-Identifier: MIT
import type { Message } from './chat-template.js';

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool'];

/**
 * The messages of a call: a string is one message of the user.
 *
 * @throws TypeError naming what is wrong with which message
 */
export function checkMessages(input: string | readonly Message[]): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input))
    throw new TypeError('the input must be a string or an array of messages');
  return input.map((message: Message, index) => {
    if (!ROLES.includes(message?.role)) {
      throw new TypeError(`message ${index} must have a role of ${ROLES.join(', ')}`);
    }
    if (typeof message.content !== 'string') {
      throw new TypeError(`message ${index} must have a string as content`);
    }
    const { role, content, prefix } = message;
    if (!prefix) return { role, content };
    if (role !== 'assistant' || index !== input.length - 1) {
      throw new TypeError("only the last message, the assistant's, can be a prefix");
    }
    return { role, content, prefix: true };
  });
}
