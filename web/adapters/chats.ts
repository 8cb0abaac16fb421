// SPDX-License-Identifier: MIT

import type { GenerationResult } from '../engine/types.js';
import type { Model } from '../model.js';
import { laterSeed, randomSeed } from '../options.js';
import type { RespondOptions } from '../respond-options.js';
import { type ResponsePart, type ResponseStream, type Usage, usageOf } from '../response-stream.js';
import type { Session } from '../session.js';
import type { Message } from '../text/message.js';
import { checkTools, type ToolCall } from '../text/tool.js';

/** What a call is answered with, and how. */
export interface Question {
  messages: readonly Message[];
  /** Its tools are those of the whole conversation. */
  options: RespondOptions;
}

/** An answer under way. */
export interface Answer {
  stream: AsyncIterable<ResponsePart>;
  /** Settles once the stream is read; rejects as it does. */
  done: Promise<{ result: GenerationResult; usage: Usage }>;
}

interface Held {
  session: Session;
  messages: readonly Message[];
  /** What it was made with. */
  talk: string;
}

/**
 * Answers for callers that send the whole conversation with each call. The sessions of the last ones
 * are held, so that a call which goes on from one of them, or from an earlier place of it, reads
 * only what is new.
 */
export class Chats {
  readonly #model: Model;
  readonly #most: number;
  /** The latest one last. */
  #held: Held[] = [];

  /** @param most sessions that are held */
  constructor(model: Model, most = 1) {
    this.#model = model;
    this.#most = most;
  }

  /** @throws as {@link Session.respond} does; the session is freed then */
  async answer(question: Question): Promise<Answer> {
    const { session, unread, seed } = await this.#begin(question);
    return this.#answer(question, session, unread, { ...question.options, seed });
  }

  /** Several answers to one question, which is read once; they are written together. */
  async answers(question: Question, count: number): Promise<Answer[]> {
    if (count === 1) return [await this.answer(question)];
    const { options } = question;
    const { session, unread, seed } = await this.#begin(question);
    const before = session.contextUsage;
    const sessions = [session];
    try {
      const { signal, onPrefill } = options;
      await session.append(unread, { signal, onPrefill });
      while (sessions.length < count) sessions.push(await session.clone());
      const first = seed ?? randomSeed();
      return sessions.map((one, i) => {
        const own = { ...options, seed: laterSeed(first, i) };
        return this.#answer(question, one, [], own, before);
      });
    } catch (error) {
      for (const one of sessions) one.destroy();
      throw error;
    }
  }

  async #begin({ messages, options }: Question) {
    const { tools, signal, seed } = options;
    const found = this.#longest(messages, talkOf(options));
    if (!found) {
      const thinking = mayThink(options);
      const session = await this.#model.createSession({ tools, thinking, signal });
      return { session, unread: messages, seed };
    }
    const { held, shared } = found;
    const unread = messages.slice(shared);
    if (held.messages.length === shared) return { session: this.#take(held), unread, seed };
    // Another branch of the conversation; the one that is there stays while there is room for both.
    const isLeaving = this.#held[0] === held && this.#held.length >= this.#most;
    const session = isLeaving ? this.#take(held) : await held.session.clone();
    try {
      await session.rewind(shared);
    } catch (error) {
      session.destroy();
      throw error;
    }
    // Draws went back too, and would be those of the branch that is there.
    return { session, unread, seed: seed ?? randomSeed() };
  }

  /** @param before tokens of the session that were held, where the question has been read since */
  #answer(
    { messages, options: asked }: Question,
    session: Session,
    unread: readonly Message[],
    // The session has the tools.
    { tools: _, ...options }: RespondOptions,
    before?: number,
  ): Answer {
    const { signal } = options;
    const drop = () => session.destroy();
    let stream: ResponseStream;
    try {
      stream = session.respond(unread, options);
    } catch (error) {
      drop();
      throw error;
    }
    // A reader that has gone away does not see the abort.
    signal?.addEventListener('abort', drop, { once: true });
    const deaf = () => signal?.removeEventListener('abort', drop);
    const done = stream.result.finally(deaf).then((result) => {
      const usage = usageOf({ result, use: { tokens: session.contextUsage } });
      const message = answerOf(result);
      this.#hold({ session, messages: [...messages, message], talk: talkOf(asked) });
      return { result, usage: before === undefined ? usage : { ...usage, heldTokens: before } };
    });
    done.catch(drop);
    return { stream, done };
  }

  /** The session that has read most of the messages; the last one is always read again. */
  #longest(messages: readonly Message[], talk: string) {
    let best: { held: Held; shared: number } | undefined;
    for (const held of this.#held) {
      if (held.talk !== talk) continue;
      const shared = sharedOf(held.messages, messages.slice(0, -1));
      const isWhole = held.messages.length === shared;
      if (shared > (best?.shared ?? 0) || (isWhole && shared === best?.shared)) {
        best = { held, shared };
      }
    }
    return best;
  }

  // Whoever takes a session has it alone: a call at the same time starts another one.
  #take(held: Held): Session {
    this.#held = this.#held.filter((other) => other !== held);
    return held.session;
  }

  #hold(held: Held): void {
    this.#held.push(held);
    while (this.#held.length > this.#most) this.#held.shift()?.session.destroy();
  }
}

/** How many messages both begin with. */
function sharedOf(held: readonly Message[], given: readonly Message[]): number {
  const differs = held.findIndex((message, i) => !given[i] || !isSame(message, given[i]));
  return differs < 0 ? held.length : differs;
}

const mayThink = ({ thinking }: RespondOptions) =>
  thinking === undefined ? undefined : thinking !== false;

const talkOf = (options: RespondOptions) =>
  JSON.stringify([mayThink(options) ?? null, checkTools(options.tools ?? [])]);

/** What an answer is in the conversation. */
export function answerOf({ text, reasoning, toolCalls }: GenerationResult): Message {
  return { role: 'assistant', content: text, reasoning, toolCalls };
}

// Most callers do not send back what was thought: that is no other message.
function isSame(held: Message, given: Message): boolean {
  return (
    held.role === given.role &&
    held.content === given.content &&
    held.toolCallId === given.toolCallId &&
    (given.reasoning === undefined || held.reasoning === given.reasoning) &&
    callsText(held) === callsText(given)
  );
}

function callsText({ toolCalls = [] }: Message): string {
  return JSON.stringify(
    toolCalls.map(({ id, name, arguments: given }: ToolCall) => [id, name, given]),
  );
}
