// SPDX-License-Identifier: MIT
// Fetched with the first call of a session that may forget.

import { ModelError } from '../errors.js';
import type { Message } from '../text/message.js';
import type { Conversation } from './conversation.js';

/**
 * Reads `messages` by `read`, behind no more of the turns before them than leave room for a token of
 * an answer. Where reading fails, nothing has been forgotten.
 *
 * @throws ModelError `context_full` when there is no room behind the initial messages alone; what
 * `read` throws
 */
export async function readForgetting<T>(
  conversation: Conversation,
  messages: readonly Message[],
  read: () => Promise<T>,
): Promise<T> {
  const { initial, messages: all, machine } = conversation;
  const { contextWindow } = machine;
  const count = (kept: readonly Message[]) =>
    conversation.count(messages, { kept }).catch((error) => {
      if (error.code !== 'chat_template') throw error;
      // What the template does not take yet is not read yet either.
      return Number.NEGATIVE_INFINITY;
    });
  let turns = all.slice(initial);
  for (;;) {
    const needed = conversation.tokens + (await count([...all.slice(0, initial), ...turns]));
    if (needed < contextWindow) break;
    if (turns.length > 0) {
      turns = withoutOldest(turns);
      continue;
    }
    throw new ModelError(
      'context_full',
      `${needed} tokens, with the initial prompts, leave no room in the context window of ${contextWindow}`,
    );
  }
  const forgotten = all.slice(initial, all.length - turns.length);
  if (forgotten.length === 0) return read();
  const remember = conversation.forget(initial, forgotten.length);
  try {
    const value = await read();
    conversation.forgotten.push(...forgotten);
    return value;
  } catch (error) {
    remember();
    throw error;
  }
}

// Up to the user's next message, so that no answer stays without its question.
function withoutOldest(turns: Message[]): Message[] {
  const next = turns.findIndex(({ role }, index) => index > 0 && role === 'user');
  return next < 0 ? [] : turns.slice(next);
}
