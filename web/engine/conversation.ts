// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { GenerationSettings } from '../options.js';
import type { ChatTemplate, Message } from '../text/chat-template.js';
import { Boundaries, type Boundary, type Place } from './boundaries.js';
import { constrained, type Generation } from './generation.js';
import { PlainText } from './plain-text.js';
import { checkRoom, prefill, type Reading, type TextMachine } from './prefill.js';

/** The draws of a text, to go on from a place in it as before. */
interface Draws {
  seed: number;
  generator: [low: number, high: number];
}

/** What a conversation is beside its state, as plain values. */
export interface Snapshot {
  messages: Message[];
  /** How many of them are never forgotten. */
  initial: number;
  held: string;
  tokens: number[];
  boundaries: Boundary[];
  thinking: boolean | undefined;
  /** Before each message, where that is known, and now. */
  draws: (Draws | null)[];
}

/** How a conversation starts. */
export interface ConversationOptions {
  thinking?: boolean;
  seed: number;
  /** Places between messages that are kept, 0 or more. */
  checkpoints: number;
}

/**
 * One text inside the engine: the wasm session and, for a chat, the messages and the text its
 * state stands for. A rendering that does not continue that text goes on from the last place between
 * messages that it passes through. A recurrent state cannot be cut back: it is kept as it was at a few
 * of those places, and from the last of them the same tokens are read again. So nothing depends on
 * which are kept, nor on a text falling into the same tokens twice.
 */
export class Conversation extends PlainText {
  /** How many messages it started with, which are never forgotten. */
  initial = 0;
  /** What was forgotten since its caller was told. */
  forgotten: Message[] = [];
  readonly #template: () => ChatTemplate;
  readonly #thinking: boolean | undefined;
  readonly #most: number;
  #messages: Message[] = [];
  /** The text of the held tokens, of which the state has read the first; after going back not all. */
  #held = '';
  /** What was held when it went back, until it has read on. */
  #left = '';
  /**
   * Where it has been rewound to. What is held after that stays until something is read, which may be
   * the same again.
   */
  #end: Place | undefined;
  #prefix: Message | undefined;
  #boundaries: Boundaries;
  /** Of the boundary before message i, at i. */
  #draws: (Draws | undefined)[] = [];

  /** A conversation of no tokens. */
  constructor(
    machine: TextMachine,
    template: () => ChatTemplate,
    { thinking, seed, checkpoints }: ConversationOptions,
  ) {
    super(machine, seed);
    this.#template = template;
    this.#thinking = thinking;
    this.#most = checkpoints;
    this.#boundaries = new Boundaries(machine.session, checkpoints);
  }

  override get messages(): readonly Message[] {
    return this.#messages;
  }

  override get tokens(): number {
    return this.#end?.tokens ?? super.tokens;
  }

  override get checkpointBytes(): number {
    return this.#boundaries.checkpointBytes;
  }

  /** Adds messages and reads what of them the template can already render. */
  async append(messages: readonly Message[], reading: Reading): Promise<void> {
    this.#template();
    this.#mark();
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

  /**
   * How many more tokens the state would hold when it is about to answer these messages, behind
   * `kept` of those before them.
   */
  async count(messages: readonly Message[], kept = this.messages): Promise<number> {
    const [asked, prefix] = splitPrefix(messages);
    const text = await this.#render(true, [...kept, ...asked]);
    const { place, rest } = this.#unread(text + this.#written(prefix));
    return place.tokens + rest.length - this.tokens;
  }

  /** The tokens of these messages after those that there are; reads nothing. */
  async tokensOf(messages: readonly Message[], addGenerationPrompt: boolean): Promise<number[]> {
    return this.#unread(await this.#render(addGenerationPrompt, messages)).rest;
  }

  /** Reads a user message and gets ready to answer it, with what a prefix has as its beginning. */
  async prompt(
    messages: readonly Message[],
    settings: GenerationSettings,
    reading: Reading,
  ): Promise<Generation> {
    this.#mark();
    const kept = this.#messages;
    const [asked, prefix] = splitPrefix(messages);
    this.#messages = [...kept, ...asked];
    try {
      const started = performance.now();
      const constraint = await constrained(this.machine, settings);
      const asked = await this.#tryRender();
      const read = await this.#read(
        (await this.#render(true)) + this.#written(prefix),
        reading,
        asked,
      );
      // The same question again reads nothing. Of fewer places, those between messages save more.
      if (this.#most > 3) this.#keep(this.#messages.length + 1, true);
      this.#prefix = prefix;
      const stops = settings.ignoreEos ? [] : this.#template().stops;
      const ends = { ...settings, stop: [...settings.stop, ...stops] };
      return this.generation(ends, read, started, constraint);
    } catch (error) {
      this.#messages = kept;
      throw error;
    }
  }

  /** Keeps what was written, whole or broken off, as the assistant's message. */
  override answered(generation: Generation): void {
    const { text, tokens } = generation.result;
    const { content = '', specialTokens } = this.#prefix ?? {};
    this.#messages.push({
      role: 'assistant',
      content: content + text,
      ...(specialTokens ? { specialTokens } : {}),
    });
    // The last token has been drawn but not read.
    const read = tokens.slice(0, -1);
    this.#held += this.machine.tokenizer.decode(read, { special: true });
    this.heldTokens = this.heldTokens.concat(read);
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
    this.#end = this.#boundaries.before(count);
    const draws = this.#draws[count];
    this.#draws.length = Math.min(this.#draws.length, count);
    if (draws) this.#draw(draws);
  }

  override clone(): Conversation {
    const copy = new Conversation(this.cloneMachine(), this.#template, {
      thinking: this.#thinking,
      seed: this.seed,
      checkpoints: this.#most,
    });
    copy.#messages = [...this.#messages];
    copy.initial = this.initial;
    copy.#held = this.#held;
    copy.heldTokens = [...this.heldTokens];
    copy.#end = this.#end;
    copy.#draws = [...this.#draws];
    copy.#boundaries = this.#boundaries.clone(copy.machine.session);
    return copy;
  }

  /** All that it is beside its machine's memory; `restore` goes on from it. */
  snapshot(): Snapshot {
    if (this.#end) this.#cut(this.#end);
    const now = { seed: this.seed, generator: this.machine.session.generator() };
    const before = Array.from(this.#messages, (_, i) => this.#draws[i] ?? null);
    return {
      messages: this.#messages,
      initial: this.initial,
      held: this.#held,
      tokens: this.heldTokens,
      boundaries: this.#boundaries.snapshot(),
      thinking: this.#thinking,
      draws: [...before, now],
    };
  }

  /** Goes on from a snapshot, in a machine whose memory is as it was then. */
  restore({ messages, initial, held, tokens, boundaries, draws }: Snapshot): void {
    const now = draws.at(-1) as Draws;
    this.#messages = messages;
    this.initial = initial;
    this.#held = held;
    this.heldTokens = tokens;
    this.#boundaries.restore(boundaries);
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

  override dispose(): void {
    this.#boundaries.dispose();
    super.dispose();
  }

  // Keeps this place between messages, and where draws are.
  #mark(): void {
    const generator = this.machine.session.generator();
    this.#draws[this.#messages.length] = { seed: this.seed, generator };
    this.#keep(this.#messages.length, false);
  }

  #keep(messages: number, withLogits: boolean): void {
    if (this.tokens === 0 || this.#end) return;
    const [length, tokens] = [this.#held.length, this.heldTokens.length];
    this.#boundaries.add({ messages, length, tokens }, withLogits);
  }

  // Holds no more than the text up to a place.
  #cut({ length, tokens }: Place): void {
    if (this.#left === '') this.#left = this.#held;
    if (this.#end && length <= this.#end.length) this.#end = undefined;
    this.#held = this.#held.slice(0, length);
    this.heldTokens.length = tokens;
    this.#boundaries.cut(length);
    this.#boundaries.goBack(tokens);
  }

  #draw({ seed, generator }: Draws): void {
    this.seed = seed;
    this.machine.session.seedSampler(...generator);
  }

  #written(prefix: Message | undefined): string {
    return prefix ? this.#template().content(prefix) : '';
  }

  async #render(addGenerationPrompt: boolean, messages = this.messages): Promise<string> {
    const template = this.#template();
    return template.render(messages, { addGenerationPrompt, thinking: this.#thinking });
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

  /**
   * Brings the state from the held text to `text`; the tokens that were read for it.
   *
   * @param asked the text without the beginning of an answer, if one comes. That place is kept too:
   * where a template renders past answers otherwise than they were written, no place behind one is
   * passed again.
   */
  async #read(text: string, reading: Reading, asked = '') {
    const { session } = this.machine;
    const { place, rest, encode } = this.#unread(text);
    checkRoom(place.tokens, rest.length, this.machine.contextWindow);
    if (place.length < this.#held.length) this.#cut(place);
    // There is to be something to draw from.
    if (rest.length === 0 && !session.hasLogits()) this.#boundaries.goBack(place.tokens - 1);
    const due = this.heldTokens.slice(session.position());
    const again = text.slice(place.length, commonLength(this.#left, text));
    const reread = due.length + (again === '' ? 0 : encode(again).length);
    const tokens = due.concat(rest);
    let kept = 0;
    if (tokens.length === 0) {
      session.undraw();
      this.#end = undefined;
      this.#left = '';
      return { tokens, reread, kept };
    }
    const question = encode(asked.slice(place.length));
    const isBefore =
      question.length > 0 &&
      question.length < rest.length &&
      question.every((token, i) => token === rest[i]);
    let answer = rest;
    const act = () => {
      this.#end = undefined;
      this.#held = asked;
      this.heldTokens = this.heldTokens.concat(question);
      this.#mark();
      answer = rest.slice(question.length);
    };
    try {
      const stops = [];
      // What had to be read again is not to be read a third time.
      const keep = () => this.#boundaries.keepState(place.length, false);
      if (due.length > 0 && rest.length > 0) stops.push({ after: due.length, act: keep });
      if (isBefore && this.#most > 0) stops.push({ after: due.length + question.length, act });
      kept = await prefill(this.machine, tokens, reading, stops);
    } catch (error) {
      // Half a prompt may have been read.
      this.#boundaries.goBack(this.heldTokens.length);
      throw error;
    }
    if (isBefore && answer === rest) act();
    this.#end = undefined;
    this.#held = text;
    this.heldTokens = this.heldTokens.concat(answer);
    this.#left = '';
    return { tokens, reread, kept };
  }

  // Up to where `text` is what is held, cut between messages, and the tokens of the rest.
  #unread(text: string) {
    const { tokenizer } = this.machine;
    const common = commonLength(this.#held, text);
    const end: Place = { length: this.#held.length, tokens: this.heldTokens.length };
    const place = this.#boundaries.within(common, end);
    // Templates write the BOS token themselves, if they want one.
    const bos = tokenizer.bosToken === undefined ? '' : tokenizer.text(tokenizer.bosToken);
    const written = place.length > 0 || (bos !== '' && text.startsWith(bos));
    const after = place.tokens > 0 ? this.heldTokens[place.tokens - 1] : undefined;
    const bosOption = written ? { bos: false } : {};
    const options = { ...bosOption, eos: false, after, marked: this.#template().markers };
    const encode = (part: string) => tokenizer.encode(part, options);
    return { place, rest: encode(text.slice(place.length)), encode };
  }
}

function without<T>(list: readonly T[], first: number, count: number): T[] {
  return [...list.slice(0, first), ...list.slice(first + count)];
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function splitPrefix(
  messages: readonly Message[],
): [asked: readonly Message[], prefix: Message | undefined] {
  const last = messages.at(-1);
  return last?.prefix ? [messages.slice(0, -1), last] : [messages, undefined];
}
