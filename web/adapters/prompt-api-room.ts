// SPDX-License-Identifier: MIT
import type { GenerationOptions, Message, Model, Session } from '../index.js';
import { ModelError } from '../index.js';
import { quotaExceeded } from './prompt-api-errors.js';
import type { SharedModel } from './prompt-api-model.js';

/** What a language model is made of. */
export interface Parts {
  shared: SharedModel;
  model: Model;
  session: Session;
  initial: Message[];
  /** What followed the initial prompts, to begin again without its oldest part. */
  history: Message[];
  defaults: GenerationOptions;
}

/** A session that has read its initial prompts. @throws QuotaExceededError when they do not fit */
export async function start(
  model: Model,
  initialPrompts: Message[],
  defaults: GenerationOptions,
  signal: AbortSignal | undefined,
): Promise<Session> {
  try {
    return await model.createSession({ ...defaults, initialPrompts, signal });
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'context_full') throw error;
    const text = initialPrompts.map(({ content }) => content).join('');
    throw quotaExceeded(await model.countTokens(text), model.contextWindow);
  }
}

/**
 * Where messages do not fit, a session that has forgotten the oldest that are not initial prompts.
 *
 * @throws QuotaExceededError when they do not fit behind the initial prompts alone; nothing is
 * forgotten then
 */
export async function makeRoom(
  { model, session, initial, defaults, history: all }: Parts,
  messages: Message[],
  signal: AbortSignal | undefined,
): Promise<Pick<Parts, 'session' | 'history'> | undefined> {
  const room = model.contextWindow;
  if (room === Number.POSITIVE_INFINITY) return undefined;
  // An answer takes a token at least.
  if (session.contextUsage + (await session.countTokens(messages)) < room) return undefined;
  let history = all;
  const fresh = await start(model, [], defaults, signal);
  try {
    for (;;) {
      const needed = await fresh.countTokens([...initial, ...history, ...messages]);
      if (needed < room) break;
      if (history.length === 0) throw quotaExceeded(needed, room);
      history = withoutOldest(history);
    }
    const kept = [...initial, ...history];
    if (kept.length > 0) await fresh.append(kept, { signal });
    return { session: fresh, history };
  } catch (error) {
    fresh.destroy();
    throw error;
  }
}

// Up to the user's next message, so that no answer stays without its question.
function withoutOldest(history: Message[]): Message[] {
  const next = history.findIndex(({ role }, index) => index > 0 && role === 'user');
  return next === -1 ? [] : history.slice(next);
}
