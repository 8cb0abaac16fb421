// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { GenerationSettings } from '../options.js';
import type { ChatTemplate } from '../text/chat-template.js';
import type { Message } from '../text/message.js';
import type { Tool } from '../text/tool.js';
import type { ToolFormatName } from '../tools/format-names.js';
import type { Generation } from './generation.js';
import { constrained } from './generation-parts.js';
import type { Reading, TextMachine } from './prefill.js';
import { type HeldText, type PlaceSettings, RenderedText } from './rendered-text.js';
import { ToolUse } from './tool-use.js';
import type { AnswerSettings } from './types.js';

/** The draws of a text, to go on from a place in it as before. */
interface Draws {
  seed: number;
  generator: [low: number, high: number];
}

/** What a conversation is beside its state, as plain values. */
export interface Snapshot extends HeldText {
  messages: Message[];
  /** How many of them are never forgotten. */
  initial: number;
  thinking: boolean | undefined;
  /** In files from before there were any, nothing. */
  tools?: readonly Tool[];
  toolFormat?: ToolFormatName;
  /** Before each message, where that is known, and now. */
  draws: (Draws | null)[];
}

/** What {@link Conversation.count} counts beside the messages, and behind which. */
interface CountSettings {
  kept?: readonly Message[];
  generationPrompt?: boolean;
}

/** How a conversation starts. */
export interface ConversationOptions extends PlaceSettings {
  thinking?: boolean;
  /** What the model may call. */
  tools?: readonly Tool[];
  /** How it writes calls, where the template's text is not to say. */
  toolFormat?: ToolFormatName;
  seed: number;
}

/** A chat: its messages, whose rendering the state stands for, and where draws were between them. */
export class Conversation extends RenderedText {
  /** How many messages it started with, which are never forgotten. */
  initial = 0;
  /** What was forgotten since its caller was told. */
  forgotten: Message[] = [];
  readonly #thinking: boolean | undefined;
  readonly #toolUse: ToolUse;
  #tools: readonly Tool[];
  #messages: Message[] = [];
  #prefix: Message | undefined;
  /** Of the boundary before message i, at i. */
  #draws: (Draws | undefined)[] = [];

  /** A conversation of no tokens. */
  constructor(
    machine: TextMachine,
    template: () => ChatTemplate,
    { thinking, tools = [], toolFormat, seed, ...places }: ConversationOptions,
  ) {
    super(machine, template, seed, places);
    this.#thinking = thinking;
    this.#tools = tools;
    this.#toolUse = new ToolUse(template, toolFormat);
  }

  override get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Adds messages and reads what of them the template can already render. */
  async append(messages: readonly Message[], reading: Reading): Promise<void> {
    this.template();
    this.#mark();
    const kept = this.#messages;
    this.#messages = [...kept, ...messages];
    try {
      const text = await this.#tryRender();
      if (text !== undefined) await this.readOn(text, reading);
    } catch (error) {
      this.#messages = kept;
      throw error;
    }
  }

  /**
   * How many more tokens the state would hold when it is about to answer these messages, or, without
   * `generationPrompt`, when they have been appended, behind `kept` of those before them.
   */
  async count(
    messages: readonly Message[],
    { kept = this.messages, generationPrompt = true }: CountSettings = {},
  ): Promise<number> {
    const [asked, prefix] = splitPrefix(messages);
    // Some templates write a system message of their own, but not before there is another one.
    if (!generationPrompt && kept.length + messages.length === 0) return 0;
    const text = await this.#render(generationPrompt || prefix !== undefined, [...kept, ...asked]);
    const { place, rest } = this.unread(text + this.#written(prefix));
    return place.tokens + rest.length - this.tokens;
  }

  /** The tokens of these messages after those that there are; reads nothing. */
  async tokensOf(messages: readonly Message[], addGenerationPrompt: boolean): Promise<number[]> {
    return this.unread(await this.#render(addGenerationPrompt, messages)).rest;
  }

  /**
   * Reads a user message and gets ready to answer it, with what a prefix has as its beginning.
   *
   * @param answer how the answer is told apart, if it is to be
   */
  async prompt(
    messages: readonly Message[],
    settings: GenerationSettings,
    reading: Reading,
    answer?: AnswerSettings,
  ): Promise<Generation> {
    this.#mark();
    const [kept, tools] = [this.#messages, this.#tools];
    const [asked, prefix] = splitPrefix(messages);
    this.#messages = [...kept, ...asked];
    this.#tools = answer?.tools ?? tools;
    const thinking = answer?.thinking ?? this.#thinking;
    try {
      const started = performance.now();
      const stops = settings.ignoreEos ? [] : this.template().stops;
      const ends = { ...settings, stop: [...settings.stop, ...stops] };
      const asked = await this.#tryRender(thinking);
      const text = await this.#render(true, this.messages, thinking);
      const told =
        answer &&
        (await this.#toolUse.answering(
          this.machine.tokenizer,
          { text, prefix: prefix?.content ?? '', messages: this.messages, tools: this.#tools },
          ends,
          { ...answer, thinking },
        ));
      const constraint = told
        ? told.constraint
        : await constrained(this.machine, settings, prefix?.content);
      const read = await this.readOn(text + this.#written(prefix), reading, asked, () =>
        this.#mark(),
      );
      // The same question again reads nothing. Of fewer places, those between messages save more.
      if (this.checkpoints > 3) this.keep(this.#messages.length + 1, true);
      this.#prefix = prefix;
      // Those that end an answer's text do not end calls.
      const own = told ? { ...ends, stop: [] } : ends;
      return this.generation(own, read, started, constraint, told?.reading);
    } catch (error) {
      this.#messages = kept;
      this.#tools = tools;
      throw error;
    }
  }

  /** Keeps what was written, whole or broken off, as the assistant's message. */
  override answered(generation: Generation): void {
    const { text, tokens, reasoning, toolCalls } = generation.written();
    const { content = '', specialTokens } = this.#prefix ?? {};
    this.#messages.push({
      role: 'assistant',
      content: content + text,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(toolCalls.length > 0 ? { toolCalls } : {}),
      ...(specialTokens ? { specialTokens } : {}),
    });
    this.takeWritten(tokens);
  }

  /** As if all but the first `count` messages, and what was drawn for them, had never been. */
  rewind(count: number): void {
    if (!(Number.isInteger(count) && count >= 0 && count <= this.#messages.length)) {
      throw new RangeError(
        `there are ${this.#messages.length} messages: cannot go back to ${count}`,
      );
    }
    if (count === this.#messages.length) return;
    this.#messages = this.#messages.slice(0, count);
    this.initial = Math.min(this.initial, count);
    this.goBackTo(count);
    const draws = this.#draws[count];
    this.#draws.length = Math.min(this.#draws.length, count);
    if (draws) this.#draw(draws);
  }

  override clone(): Conversation {
    const copy = new Conversation(this.cloneMachine(), this.template, {
      thinking: this.#thinking,
      tools: this.#tools,
      toolFormat: this.#toolUse.name,
      seed: this.seed,
      checkpoints: this.checkpoints,
    });
    copy.#messages = [...this.#messages];
    copy.initial = this.initial;
    copy.#draws = [...this.#draws];
    copy.copyHeld(this);
    return copy;
  }

  /** All that it is beside its machine's memory; `restore` goes on from it. */
  snapshot(): Snapshot {
    const held = this.snapshotHeld();
    const now = { seed: this.seed, generator: this.machine.session.generator() };
    const before = Array.from(this.#messages, (_, i) => this.#draws[i] ?? null);
    return {
      messages: this.#messages,
      initial: this.initial,
      ...held,
      thinking: this.#thinking,
      tools: this.#tools,
      toolFormat: this.#toolUse.name,
      draws: [...before, now],
    };
  }

  /** Goes on from a snapshot, in a machine whose memory is as it was then. */
  restore({ messages, initial, draws, ...held }: Snapshot): void {
    const now = draws.at(-1) as Draws;
    this.#messages = messages;
    this.initial = initial;
    this.restoreHeld(held);
    this.#draws = draws.slice(0, -1).map((known) => known ?? undefined);
    this.#draw(now);
  }

  /** As if `count` messages from `first` on had never been; what is returned takes that back. */
  forget(first: number, count: number): () => void {
    const [messages, draws] = [this.#messages, this.#draws];
    // The next reading finds out what of the state goes with fewer messages.
    this.#messages = without(messages, first, count);
    this.#draws = without(draws, first, count);
    return () => {
      this.#messages = messages;
      this.#draws = draws;
    };
  }

  // Keeps this place between messages, and where draws are.
  #mark(): void {
    const generator = this.machine.session.generator();
    this.#draws[this.#messages.length] = { seed: this.seed, generator };
    this.keep(this.#messages.length, false);
  }

  #draw({ seed, generator }: Draws): void {
    this.seed = seed;
    this.machine.session.seedSampler(...generator);
  }

  #written(prefix: Message | undefined): string {
    return prefix ? this.template().content(prefix) : '';
  }

  async #render(
    addGenerationPrompt: boolean,
    messages = this.messages,
    thinking = this.#thinking,
  ): Promise<string> {
    const tools = this.#tools;
    const writer = await this.#toolUse.writer(messages, tools);
    return this.template().render(messages, { addGenerationPrompt, thinking, tools, writer });
  }

  // Some templates want a user message first: theirs are rendered with the next prompt.
  async #tryRender(thinking?: boolean): Promise<string | undefined> {
    try {
      return await this.#render(false, this.messages, thinking);
    } catch (error) {
      if (error instanceof ModelError && error.code === 'chat_template') return undefined;
      throw error;
    }
  }
}

function without<T>(list: readonly T[], first: number, count: number): T[] {
  return [...list.slice(0, first), ...list.slice(first + count)];
}

function splitPrefix(
  messages: readonly Message[],
): [asked: readonly Message[], prefix: Message | undefined] {
  const last = messages.at(-1);
  return last?.prefix ? [messages.slice(0, -1), last] : [messages, undefined];
}
