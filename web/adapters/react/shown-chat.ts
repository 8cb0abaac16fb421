// SPDX-License-Identifier: MIT
import type {
  GenerationOptions,
  Model,
  PrefillOptions,
  Session,
  SessionOptions,
} from '../../index.js';
import type { Chat } from './types.js';

type Shown = Pick<Chat, 'messages' | 'busy' | 'error'>;

export const NOTHING: Shown = { messages: [], busy: false, error: undefined };

/** A conversation that tells what is to be shown of it, from {@link NOTHING} on, until it is over. */
export class ShownChat {
  readonly #model: Model;
  #show: ((shown: Shown) => void) | undefined;
  #shown = NOTHING;
  #session: Session | undefined;
  #asking: AbortController | undefined;

  constructor(model: Model, show: (shown: Shown) => void) {
    this.#model = model;
    this.#show = show;
  }

  /** @param options of the session, which the first question makes */
  async send(text: string, options: SessionOptions, generation?: GenerationOptions): Promise<void> {
    if (this.#asking) return;
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const before = this.#shown.messages;
    const asked = [...before, { role: 'user', content: text } as const];
    let content = '';
    const write = (piece: string) => {
      content += piece;
      this.#change({ messages: [...asked, { role: 'assistant', content }] });
    };
    this.#change({ busy: true, error: undefined });
    write('');
    let held = 0;
    try {
      // One that could not be made is made anew with the next question.
      this.#session ??= await this.#model.createSession(ending(options, signal));
      held = this.#session.messageCount;
      const answer = this.#session.promptStreaming(text, ending(generation, signal));
      for await (const piece of answer) write(piece);
    } catch (error) {
      if (!signal.aborted) this.#change({ error });
      // What was not read to its end is no part of the conversation.
      if (!this.#session || this.#session.messageCount === held) this.#change({ messages: before });
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
