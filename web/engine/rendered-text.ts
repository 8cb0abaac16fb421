// SPDX-License-Identifier: MIT

import type { ChatTemplate } from '../text/chat-template.js';
import { AnswerPlaces } from './answer-places.js';
import { Boundaries, type Boundary, type Place } from './boundaries.js';
import { PlainText } from './plain-text.js';
import { checkRoom, prefill, type Reading, type TextMachine } from './prefill.js';

/** The held text as plain values. */
export interface HeldText {
  held: string;
  tokens: number[];
  boundaries: Boundary[];
}

/** Which places a text can come back to by a copy of its state. */
export interface PlaceSettings {
  /** At how many places between messages the state is kept, 0 or more. */
  checkpoints: number;
  /** Whether those between an answer's tokens can be come back to. */
  answerPlaces?: boolean;
}

/**
 * A text that is rendered anew for each reading. A rendering that does not continue what is held goes on
 * from the last place between messages that it passes through. A recurrent state cannot be cut back: it
 * is kept as it was at a few of those places, and from the last of them the same tokens are read again.
 * So nothing depends on which are kept, nor on a text falling into the same tokens twice.
 *
 * A rendering that ends after one of the tokens of an answer goes on from there.
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
  /** How they are come back to without reading, if that is wanted. */
  #places: AnswerPlaces | undefined;
  /** After each held token that it has written, how long the text is; holes elsewhere. */
  #ends: number[] = [];
  /** What it has drawn last, which is not held. */
  #drawn: { token: number; text: string } | undefined;

  constructor(
    machine: TextMachine,
    template: () => ChatTemplate,
    seed: number,
    { checkpoints, answerPlaces = false }: PlaceSettings,
  ) {
    super(machine, seed);
    this.template = template;
    this.checkpoints = checkpoints;
    this.#boundaries = new Boundaries(machine.session, checkpoints);
    if (answerPlaces) this.#places = new AnswerPlaces(machine.session, machine.trails);
  }

  override get tokens(): number {
    return this.#end?.tokens ?? super.tokens;
  }

  override get checkpointBytes(): number {
    return this.#boundaries.checkpointBytes;
  }

  override dispose(): void {
    this.#places?.dispose();
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
    this.#places = from.#places?.clone(this.machine.session);
    this.#ends = from.#ends.slice();
    this.#drawn = from.#drawn;
  }

  protected override get onPass(): (() => void) | undefined {
    const places = this.#places;
    return places && (() => places.follow());
  }

  /** Holds tokens that it has written, but for the last one, which it has drawn and not read. */
  protected takeWritten(written: number[]): void {
    const { tokenizer } = this.machine;
    const tokens = written.slice(0, -1);
    if (this.#places) {
      this.#places.end();
      const ends = textEnds(tokens.map((token) => tokenizer.bytes(token)));
      for (const [i, end] of ends) this.#ends[this.heldTokens.length + i] = this.#held.length + end;
      const last = written.slice(-1);
      this.#drawn =
        last[0] === undefined ? undefined : { token: last[0], text: tokenizer.decode(last) };
    }
    this.#held += tokenizer.decode(tokens, { special: true });
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
    const drawn = common === this.#held.length ? this.#drawn : undefined;
    const isDrawn = drawn !== undefined && text.slice(common) === drawn.text;
    const place = isDrawn
      ? end
      : (this.#written(text, common) ?? this.#boundaries.within(common, end));
    // Templates write the BOS token themselves, if they want one.
    const bos = tokenizer.bosToken === undefined ? '' : tokenizer.text(tokenizer.bosToken);
    const written = place.length > 0 || (bos !== '' && text.startsWith(bos));
    const after = place.tokens > 0 ? this.heldTokens[place.tokens - 1] : undefined;
    const bosOption = written ? { bos: false } : {};
    const options = { ...bosOption, eos: false, after, marked: this.template().markers };
    const encode = (part: string) => tokenizer.encode(part, options);
    const rest = isDrawn ? [drawn.token] : encode(text.slice(place.length));
    return { place, rest, encode };
  }

  // After the token of an answer that the text ends with. Where it goes on, that token might be another.
  #written(text: string, common: number): Place | undefined {
    const token = common === text.length ? this.#ends.indexOf(common) : -1;
    return token < 0 ? undefined : { length: common, tokens: token + 1 };
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
    if (rest.length === 0 && !session.hasLogits()) this.#goBack(place.tokens - 1);
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
      this.#goBack(this.heldTokens.length);
      throw error;
    }
    if (isBefore && answer === rest) act();
    this.#end = undefined;
    this.#held = text;
    this.heldTokens = this.heldTokens.concat(answer);
    this.#drawn = undefined;
    this.#left = '';
    return { tokens, reread, kept };
  }

  // Holds no more than the text up to a place.
  #cut({ length, tokens }: Place): void {
    if (this.#left === '') this.#left = this.#held;
    if (this.#end && length <= this.#end.length) this.#end = undefined;
    this.#held = this.#held.slice(0, length);
    this.heldTokens.length = tokens;
    this.#ends.length = Math.min(this.#ends.length, tokens);
    this.#drawn = undefined;
    this.#boundaries.cut(length);
    this.#places?.cut(tokens);
    this.#goBack(tokens);
  }

  // Where the state has read more than that, to the last place that is kept.
  #goBack(tokens: number): void {
    if (this.machine.session.position() <= tokens) return;
    const places = this.#places;
    if (places && places.before(tokens) >= this.#boundaries.keptBefore(tokens))
      places.goBack(tokens);
    else this.#boundaries.goBack(tokens);
  }
}

/** Which of a text's tokens end with a whole code point, and how much of the text there is then. */
function* textEnds(tokens: readonly Uint8Array[]): Generator<[token: number, length: number]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let length = 0;
  // Bytes that the code point still lacks.
  let lacks = 0;
  for (const [i, bytes] of tokens.entries()) {
    length += decoder.decode(bytes, { stream: true }).length;
    for (const byte of bytes) {
      if (byte >= 0xc0) lacks = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
      else lacks = byte >= 0x80 ? Math.max(0, lacks - 1) : 0;
    }
    if (lacks === 0) yield [i, length];
  }
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
