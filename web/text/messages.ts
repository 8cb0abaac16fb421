// SPDX-License-Identifier: MIT
import type { Message } from './chat-template.js';

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
    const checked: Message = own ? { role, content, specialTokens: true } : { role, content };
    if (!prefix) return checked;
    if (role !== 'assistant' || index !== input.length - 1) {
      throw new TypeError("only the last message, the assistant's, can be a prefix");
    }
    return { ...checked, prefix: true };
  });
}
