// SPDX-License-Identifier: MIT

import type { GenerationResult } from '../engine/types.js';
import type { GenerationStream } from '../generation-stream.js';
import type { Model } from '../model.js';
import type { GenerationOptions } from '../options.js';
import type { Session } from '../session.js';
import type { Message } from '../text/chat-template.js';

/** What a call is answered with, and how. */
export interface Question {
  messages: readonly Message[];
  options: GenerationOptions;
  thinking?: boolean;
}

/** Tokens that an answer took. */
export interface Usage {
  prompt: number;
  /** Those of the prompt that were not read: held from the call before, or kept as a prefix. */
  held: number;
  completion: number;
}

/** An answer under way. */
export interface Answer {
  stream: GenerationStream;
  /** Rejects as the stream does. */
  done: Promise<{ result: GenerationResult; usage: Usage }>;
}

interface Held {
  session: Session;
  messages: readonly Message[];
  thinking: boolean | undefined;
}

/**
 * Answers for callers that send the whole conversation with each call. The session of the last one
 * is held, so that a call which goes on from it reads only what is new.
 */
export class Chats {
  readonly #model: Model;
  #held: Held | undefined;

  constructor(model: Model) {
    this.#model = model;
  }

  /** @throws as {@link Session.promptStreaming} does; the session is freed then */
  async answer(question: Question): Promise<Answer> {
    const { session, unread } = await this.#begin(question);
    try {
      return this.#answer(question, session, session.promptStreaming(unread, question.options));
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  /** Several answers to one question, which is read once; they are written together. */
  async answers(question: Question, count: number): Promise<Answer[]> {
    if (count === 1) return [await this.answer(question)];
    const { session, unread } = await this.#begin(question);
    const before = session.contextUsage;
    try {
      const all = await session.alternatives(unread, count, question.options);
      return all.map((one) => this.#answer(question, one.session, one.stream, before));
    } finally {
      session.destroy();
    }
  }

  async #begin({ messages, options: { signal }, thinking }: Question) {
    const held = this.#take(messages, thinking);
    const session = held?.session ?? (await this.#model.createSession({ thinking, signal }));
    return { session, unread: messages.slice(held?.messages.length ?? 0) };
  }

  #answer(
    { messages, options: { signal }, thinking }: Question,
    session: Session,
    stream: GenerationStream,
    before?: number,
  ): Answer {
    const drop = () => session.destroy();
    // A reader that has gone away does not see the abort.
    signal?.addEventListener('abort', drop, { once: true });
    const deaf = () => signal?.removeEventListener('abort', drop);
    const done = stream.result.finally(deaf).then((result) => {
      const usage = usageOf(session, result, before);
      this.#hold({ session, thinking, messages: [...messages, answerOf(result)] });
      return { result, usage };
    });
    done.catch(drop);
    return { stream, done };
  }

  // Whoever takes the session has it alone: a call at the same time starts a new one.
  #take(messages: readonly Message[], thinking: boolean | undefined): Held | undefined {
    const held = this.#held;
    if (!held || held.thinking !== thinking || held.messages.length >= messages.length) return;
    const same = held.messages.every(
      ({ role, content }, i) => messages[i]?.role === role && messages[i]?.content === content,
    );
    if (!same) return;
    this.#held = undefined;
    return held;
  }

  #hold(held: Held): void {
    this.#held?.session.destroy();
    this.#held = held;
  }
}

const answerOf = ({ text }: GenerationResult): Message => ({ role: 'assistant', content: text });

function usageOf(
  session: Session,
  { tokens, promptTokens, prefixTokens }: GenerationResult,
  before?: number,
): Usage {
  // The last token has been drawn but not read.
  const prompt = session.contextUsage - Math.max(0, tokens.length - 1);
  const held = before ?? prompt - (promptTokens.length - prefixTokens);
  return { prompt, held, completion: tokens.length };
}
