// SPDX-License-Identifier: MIT

import type { ChatTemplate } from '../text/chat-template.js';
import { Boundaries, type Boundary, type Place } from './boundaries.js';
import { PlainText } from './plain-text.js';
import { checkRoom, prefill, type Reading, type TextMachine } from './prefill.js';

/** The held text as plain values. */
export interface HeldText {
  held: string;
  tokens: number[];
  boundaries: Boundary[];
}

/**
 * A text that is rendered anew for each reading. A rendering that does not continue what is held goes on
 * from the last place between messages that it passes through. A recurrent state cannot be cut back: it
 * is kept as it was at a few of those places, and from the last of them the same tokens are read again.
 * So nothing depends on which are kept, nor on a text falling into the same tokens twice.
 */
export class RenderedText extends PlainText {
  protected readonly template: () => ChatTemplate;
  /** At how many places the state is kept. */
  protected readonly checkpoints: number;
  /** The text of the held tokens, of which the state has read the first; after going back not all. */
  #held = '';
  /** What was held when it went back, until it has read on. */
  #left = '';
  /**
   * Where it has been rewound to. What is held after that stays until something is read, which may be
   * the same again.
   */
  #end: Place | undefined;
  #boundaries: Boundaries;

  constructor(
    machine: TextMachine,
    template: () => ChatTemplate,
    seed: number,
    checkpoints: number,
  ) {
    super(machine, seed);
    this.template = template;
    this.checkpoints = checkpoints;
    this.#boundaries = new Boundaries(machine.session, checkpoints);
  }

  override get tokens(): number {
    return this.#end?.tokens ?? super.tokens;
  }

  override get checkpointBytes(): number {
    return this.#boundaries.checkpointBytes;
  }

  override dispose(): void {
    this.#boundaries.dispose();
    super.dispose();
  }

  protected snapshotHeld(): HeldText {
    if (this.#end) this.#cut(this.#end);
    const boundaries = this.#boundaries.snapshot();
    return { held: this.#held, tokens: this.heldTokens, boundaries };
  }

  protected restoreHeld({ held, tokens, boundaries }: HeldText): void {
    this.#held = held;
    this.heldTokens = tokens;
    this.#boundaries.restore(boundaries);
  }

  /** Holds what another text does, whose machine's clone it has. */
  protected copyHeld(from: RenderedText): void {
    this.#held = from.#held;
    this.heldTokens = [...from.heldTokens];
    this.#end = from.#end;
    this.#boundaries = from.#boundaries.clone(this.machine.session);
  }

  /** Holds tokens that it has written. */
  protected takeWritten(tokens: number[]): void {
    this.#held += this.machine.tokenizer.decode(tokens, { special: true });
    this.heldTokens = this.heldTokens.concat(tokens);
  }

  /** Ends where no more than so many messages have begun. */
  protected goBackTo(messages: number): void {
    this.#end = this.#boundaries.before(messages);
  }

  /** Keeps this place, before which so many messages have begun. */
  protected keep(messages: number, withLogits: boolean): void {
    if (this.tokens === 0 || this.#end) return;
    const [length, tokens] = [this.#held.length, this.heldTokens.length];
    this.#boundaries.add({ messages, length, tokens }, withLogits);
  }

  /** Up to where `text` is what is held, cut between messages, and the tokens of the rest. */
  protected unread(text: string) {
    const { tokenizer } = this.machine;
    const common = commonLength(this.#held, text);
    const end: Place = { length: this.#held.length, tokens: this.heldTokens.length };
    const place = this.#boundaries.within(common, end);
    // Templates write the BOS token themselves, if they want one.
    const bos = tokenizer.bosToken === undefined ? '' : tokenizer.text(tokenizer.bosToken);
    const written = place.length > 0 || (bos !== '' && text.startsWith(bos));
    const after = place.tokens > 0 ? this.heldTokens[place.tokens - 1] : undefined;
    const bosOption = written ? { bos: false } : {};
    const options = { ...bosOption, eos: false, after, marked: this.template().markers };
    const encode = (part: string) => tokenizer.encode(part, options);
    return { place, rest: encode(text.slice(place.length)), encode };
  }

  /**
   * Brings the state from the held text to `text`.
   *
   * @param asked the text without the beginning of an answer, if one comes. That place is kept too:
   * where a template renders past answers otherwise than they were written, no place behind one is
   * passed again.
   * @param atAnswer is told when the state is there
   * @returns the tokens that were read
   */
  protected async readOn(text: string, reading: Reading, asked = '', atAnswer = () => {}) {
    const { session } = this.machine;
    const { place, rest, encode } = this.unread(text);
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
      atAnswer();
      answer = rest.slice(question.length);
    };
    try {
      const stops = [];
      // What had to be read again is not to be read a third time.
      const keep = () => this.#boundaries.keepState(place.length, false);
      if (due.length > 0 && rest.length > 0) stops.push({ after: due.length, act: keep });
      if (isBefore && this.checkpoints > 0)
        stops.push({ after: due.length + question.length, act });
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

  // Holds no more than the text up to a place.
  #cut({ length, tokens }: Place): void {
    if (this.#left === '') this.#left = this.#held;
    if (this.#end && length <= this.#end.length) this.#end = undefined;
    this.#held = this.#held.slice(0, length);
    this.heldTokens.length = tokens;
    this.#boundaries.cut(length);
    this.#boundaries.goBack(tokens);
  }
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
