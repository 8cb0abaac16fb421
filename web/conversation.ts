// SPDX-License-Identifier: MIT
import { abortable } from './abort.js';
import type { ChatTemplate, Message } from './chat-template.js';
import type { ConstrainedText } from './constrain.js';
import { ModelError } from './errors.js';
import {
  checkRoom,
  constrained,
  Generation,
  prefill,
  type Reading,
  type TextMachine,
} from './generation.js';
import type { GenerationSettings } from './options.js';

/**
 * One text inside the engine: the wasm session and, for a chat, the messages and the text its
 * state stands for. A recurrent state cannot be cut back, so a rendering that does not continue
 * the held text is read again from the start.
 */
export class Conversation {
  readonly machine: TextMachine;
  readonly #template: () => Promise<ChatTemplate>;
  readonly #thinking: boolean | undefined;
  #messages: Message[] = [];
  #held = '';
  #seed: number;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(
    machine: TextMachine,
    template: () => Promise<ChatTemplate>,
    options: { thinking?: boolean; seed: number },
  ) {
    this.machine = machine;
    this.#template = template;
    this.#thinking = options.thinking;
    this.#seed = options.seed;
  }

  /** A conversation of no tokens, whose draws begin with the seed. */
  static start(
    machine: TextMachine,
    template: () => Promise<ChatTemplate>,
    options: { thinking?: boolean; seed: number },
  ): Conversation {
    const conversation = new Conversation(machine, template, options);
    conversation.#reseed(options.seed);
    return conversation;
  }

  /** Tokens that the state has read. */
  get tokens(): number {
    return this.machine.session.position();
  }

  /**
   * Takes turns with the other calls on this conversation; `release` ends the turn.
   *
   * @throws the signal's reason, when it fires before the turn has come
   */
  async turn(signal?: AbortSignal): Promise<() => void> {
    const before = this.#running;
    let release = () => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#running = Promise.all([before, mine]);
    try {
      await abortable(before, signal);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Adds messages and reads what of them the template can already render. */
  async append(messages: readonly Message[], reading: Reading): Promise<void> {
    await this.#template();
    const kept = this.#messages;
    this.#messages = [...kept, ...messages];
    try {
      const text = await this.#tryRender();
      if (text !== undefined) await this.#read(text, reading);
    } catch (error) {
      this.#messages = kept;
      throw error;
    }
  }

  /** Reads a user message and gets ready to answer it. */
  async prompt(
    messages: readonly Message[],
    settings: GenerationSettings,
    reading: Reading,
  ): Promise<Generation> {
    const kept = this.#messages;
    this.#messages = [...kept, ...messages];
    try {
      const started = performance.now();
      const constraint = await constrained(this.machine, settings);
      const tokens = await this.#read(await this.#render(true), reading);
      return this.#generation(settings, tokens, started, constraint);
    } catch (error) {
      this.#messages = kept;
      throw error;
    }
  }

  /** Reads raw text, special tokens in it included, or tokens, and gets ready to go on from it. */
  async complete(
    prompt: string | number[],
    settings: GenerationSettings,
    reading: Reading,
  ): Promise<Generation> {
    const started = performance.now();
    const tokens = typeof prompt === 'string' ? this.machine.tokenizer.encode(prompt) : prompt;
    if (tokens.length === 0) throw new RangeError('the prompt has no tokens');
    const constraint = await constrained(this.machine, settings);
    await prefill(this.machine, tokens, reading);
    return this.#generation(settings, tokens, started, constraint);
  }

  /** Keeps what was written, whole or broken off, as the assistant's message. */
  answered(generation: Generation): void {
    const { text, tokens } = generation.result;
    this.#messages.push({ role: 'assistant', content: text });
    // The last token has been drawn but not read.
    this.#held += this.machine.tokenizer.decode(tokens.slice(0, -1), { special: true });
  }

  /** Another conversation that goes on from here, with its own state. */
  clone(): Conversation {
    const session = this.machine.session.clone();
    if (!session) throw new ModelError('out_of_memory', 'no memory for another session');
    const copy = new Conversation({ ...this.machine, session }, this.#template, {
      thinking: this.#thinking,
      seed: this.#seed,
    });
    copy.#messages = [...this.#messages];
    copy.#held = this.#held;
    return copy;
  }

  dispose(): void {
    this.machine.session.delete();
  }

  #generation(
    settings: GenerationSettings,
    tokens: number[],
    started: number,
    constraint: ConstrainedText | undefined,
  ): Generation {
    if (settings.seed !== undefined) this.#reseed(settings.seed);
    const prefillMs = performance.now() - started;
    const prompt = { tokens, started, prefillMs, seed: this.#seed };
    return new Generation(this.machine, settings, prompt, constraint);
  }

  #reseed(seed: number): void {
    this.#seed = seed;
    this.machine.session.seedSampler(seed >>> 0, Math.floor(seed / 2 ** 32));
  }

  async #render(addGenerationPrompt: boolean): Promise<string> {
    const template = await this.#template();
    return template.render(this.#messages, {
      addGenerationPrompt,
      thinking: this.#thinking,
    });
  }

  // Some templates want a user message first: theirs are rendered with the next prompt.
  async #tryRender(): Promise<string | undefined> {
    try {
      return await this.#render(false);
    } catch (error) {
      if (error instanceof ModelError && error.code === 'chat_template') return undefined;
      throw error;
    }
  }

  /** Brings the state from the held text to `text`; returns the tokens that were read for it. */
  async #read(text: string, reading: Reading): Promise<number[]> {
    const { tokenizer, contextWindow } = this.machine;
    const held = text.startsWith(this.#held) ? this.#held : '';
    // Templates write the BOS token themselves, if they want one.
    const bos = tokenizer.bosToken === undefined ? '' : tokenizer.text(tokenizer.bosToken);
    const written = held !== '' || (bos !== '' && text.startsWith(bos));
    const tokens = tokenizer.encode(text.slice(held.length), written ? { bos: false } : {});
    checkRoom(held === '' ? 0 : this.tokens, tokens.length, contextWindow);
    if (held === '') this.#forget();
    if (tokens.length === 0) return tokens;
    try {
      await prefill(this.machine, tokens, reading);
    } catch (error) {
      // Half a prompt may have been read: start from nothing the next time.
      this.#forget();
      throw error;
    }
    this.#held = text;
    return tokens;
  }

  #forget(): void {
    this.machine.session.reset();
    this.#held = '';
  }
}
