// SPDX-License-Identifier: MIT
import type {
  Message,
  Model,
  PrefillOptions,
  RespondOptions,
  Session,
  ToolCall,
} from '../../index.js';
import { runTool } from './run-tool.js';
import { resultMessage, Turn } from './turn.js';
import type { Chat, ChatOptions, ChatTool, ToolResult } from './types.js';

type Shown = Pick<Chat, 'messages' | 'busy' | 'error'>;

export const NOTHING: Shown = { messages: [], busy: false, error: undefined };

const MOST_STEPS = 8;

/** A conversation that tells what is to be shown of it, from {@link NOTHING} on, until it is over. */
export class ShownChat {
  readonly #model: Model;
  #show: ((shown: Shown) => void) | undefined;
  #shown = NOTHING;
  #session: Session | undefined;
  #asking: AbortController | undefined;
  /** Results of tools that the session has not read yet. */
  #results: readonly Message[] = [];

  constructor(model: Model, show: (shown: Shown) => void) {
    this.#model = model;
    this.#show = show;
  }

  /** @param options of the session, which the first question makes */
  async send(
    input: string | readonly ToolResult[],
    { tools = [], maxSteps = MOST_STEPS, ...others }: ChatOptions,
    options?: RespondOptions,
  ): Promise<void> {
    if (this.#asking) return;
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const { messages: before } = this.#shown;
    const turn = new Turn(before, input, (messages) => this.#change({ messages }));
    this.#change({ busy: true, error: undefined });
    turn.show();
    try {
      if (!(maxSteps >= 1)) throw new RangeError(`maxSteps must be 1 or more, not ${maxSteps}`);
      // One that could not be made is made anew with the next question.
      this.#session ??= await this.#model.createSession(ending({ ...others, tools }, signal));
      await this.#converse(this.#session, turn, tools, maxSteps, ending(options, signal), signal);
    } catch (error) {
      if (!signal.aborted) this.#change({ error });
      // What was not read to its end is no part of the conversation.
      if (!turn.isRead) this.#change({ messages: before });
    }
    this.#asking = undefined;
    this.#change({ busy: false });
    // It may have been made after the end.
    if (!this.#show) this.#session?.destroy();
  }

  /** Ends the answer; what is written stays. */
  stop(): void {
    this.#asking?.abort();
  }

  /** Frees the session. */
  end(): void {
    this.#show = undefined;
    this.stop();
    this.#session?.destroy();
  }

  // Answers, runs what they ask for, and answers again.
  async #converse(
    session: Session,
    turn: Turn,
    tools: readonly ChatTool[],
    maxSteps: number,
    options: RespondOptions,
    signal: AbortSignal,
  ): Promise<void> {
    let asked: readonly Message[] = turn.asked;
    for (let step = 1; step <= maxSteps; step++) {
      const { toolChoice } = options;
      const again = toolChoice === 'none' ? toolChoice : 'auto';
      const choice = step === 1 ? toolChoice : again;
      const calls = await this.#answer(session, turn, asked, { ...options, toolChoice: choice });
      const running = calls.flatMap((call) => {
        const tool = tools.find(({ name }) => name === call.name);
        return tool?.execute ? [runTool(tool, call, signal)] : [];
      });
      const results = await Promise.all(running);
      for (const result of results) turn.add({ type: 'tool-result', ...result });
      this.#results = results.map(resultMessage);
      if (results.length === 0 || results.length < calls.length || signal.aborted) return;
      asked = [];
    }
  }

  /** Writes one answer. Gives its calls, unless it was cut short. */
  async #answer(
    session: Session,
    turn: Turn,
    asked: readonly Message[],
    options: RespondOptions,
  ): Promise<ToolCall[]> {
    const held = session.messageCount;
    const stream = session.respond([...this.#results, ...asked], options);
    try {
      for await (const part of stream) {
        if (part.type !== 'tool-call-delta' && part.type !== 'finish') turn.add(part);
      }
      const { finishReason, toolCalls } = await stream.result;
      return finishReason === 'tool-calls' ? toolCalls : [];
    } finally {
      if (session.messageCount > held) {
        turn.isRead = true;
        this.#results = [];
      }
    }
  }

  #change(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change };
    this.#show?.(this.#shown);
  }
}

// Options whose call also ends when `signal` fires.
function ending<Options extends PrefillOptions>(
  options: Options | undefined,
  signal: AbortSignal,
): Options {
  const own = options?.signal;
  return { ...options, signal: own ? AbortSignal.any([own, signal]) : signal } as Options;
}
