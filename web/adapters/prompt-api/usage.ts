// SPDX-License-Identifier: MIT
import { type Message, type Model, ModelError, type Session } from '../../index.js';

/**
 * What a conversation takes of its context window, and what messages would take: as much as
 * appending them adds. An answer is closed only when something follows it; here it counts as closed,
 * so that usage grows by what its question and it are measured to take.
 */
export class Usage {
  readonly #model: Model;
  readonly #session: Session;
  /** Tokens that close the last answer, which the session has not read. */
  #closing = 0;

  constructor(model: Model, session: Session) {
    this.#model = model;
    this.#session = session;
  }

  get tokens(): number {
    return this.#session.contextUsage + this.#closing;
  }

  /** The session has read or written: what closes its last answer is counted when its turn comes. */
  changed(): void {
    this.#closing = 0;
    // One that is destroyed has nothing to close.
    this.#count([]).then(
      (tokens) => {
        this.#closing = tokens;
      },
      () => {},
    );
  }

  /** A copy for a copy of the session. */
  clone(session: Session): Usage {
    const copy = new Usage(this.#model, session);
    copy.#closing = this.#closing;
    return copy;
  }

  /**
   * Messages that begin a conversation, with a system message, are counted by themselves; so are those
   * that the chat template refuses behind what there is.
   *
   * @throws ModelError `chat_template` where the template refuses them by themselves, too
   */
  async measure(messages: readonly Message[]): Promise<number> {
    if (messages.length === 0) return 0;
    const alone = () => this.#model.countTokens(messages);
    if (messages[0]?.role === 'system') return alone();
    try {
      // Both in the same state: calls have their turns in order.
      const [all, open] = await Promise.all([this.#count(messages), this.#count([])]);
      return all - open;
    } catch (error) {
      if (error instanceof ModelError && error.code === 'chat_template') return alone();
      throw error;
    }
  }

  #count(messages: readonly Message[]): Promise<number> {
    return this.#session.countTokens(messages, { generationPrompt: false });
  }
}
