// SPDX-License-Identifier: MIT
import { StopStrings } from '../text/stop-strings.js';
import type { Thought } from '../text/thought.js';
import type { ToolCall } from '../text/tool.js';
import type { CallReader } from './format.js';

/** A piece of an answer, as it is written. */
export type AnswerPart =
  /** What the model thinks before it answers. */
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  /** More of a call's arguments: all its deltas, one after the other, are their JSON. */
  | { type: 'tool-call-delta'; id: string; name: string; delta: string }
  /** A call, whole. */
  | ({ type: 'tool-call' } & ToolCall);

/** What an answer is read by. */
export interface AnswerSyntax {
  thought: Thought;
  /** Texts around a thought. */
  think: string;
  thoughtEnd: string;
  /** Texts around calls, where there may be any; `end` may be the end of the answer. */
  calls: { begin: string; end: string; reader: CallReader } | undefined;
  /** Whether nothing but calls may come. */
  onlyCalls: boolean;
  /** What ends its text. */
  stop: readonly string[];
  /** Of the first call. */
  nextId: number;
}

type Mode = 'start' | 'thought' | 'thought-over' | 'text' | 'calls' | 'calls-over';

// White space that is held back, as a call may follow it.
const MOST_BLANKS = 256;

/** Tells thoughts, text and calls of tools apart, in the pieces of an answer. */
export class AnswerReader {
  readonly #syntax: AnswerSyntax;
  readonly #stops: StopStrings;
  #mode: Mode;
  /** What has not been told apart yet. */
  #held = '';
  #nextId: number;
  /** Whether a call has begun and is not over. */
  #within = false;
  #call: { id: string; name: string; json: string } | undefined;
  readonly #texts: string[] = [];
  readonly #thoughts: string[] = [];
  readonly toolCalls: ToolCall[] = [];

  constructor(syntax: AnswerSyntax) {
    this.#syntax = syntax;
    this.#stops = new StopStrings(syntax.stop);
    this.#nextId = syntax.nextId;
    this.#mode = ({ open: 'thought', may: 'start', none: 'text' } as const)[syntax.thought];
  }

  /** The answer's text so far. */
  get text(): string {
    return joined(this.#texts);
  }

  /** What was thought before it; undefined where nothing was. */
  get reasoning(): string | undefined {
    return this.#thoughts.length > 0 ? joined(this.#thoughts) : undefined;
  }

  /** Whether what comes next is thought. */
  get thinks(): boolean {
    return this.#mode === 'thought';
  }

  /** The stop string that has ended the text. */
  get stopped(): string | undefined {
    return this.#stops.met;
  }

  push(piece: string): AnswerPart[] {
    const parts: AnswerPart[] = [];
    this.#held += piece;
    while (this.stopped === undefined && this.#step(parts));
    return parts;
  }

  /** What was held back, once the last piece is in; a call that is not whole is none. */
  finish(): AnswerPart[] {
    const parts: AnswerPart[] = [];
    const rest = this.#held;
    this.#held = '';
    if (this.stopped !== undefined) return parts;
    if (this.#mode === 'thought') this.#think(parts, rest.trimEnd());
    const says = this.#mode === 'start' || this.#mode === 'text';
    if (says && !this.#begins(rest)) this.#say(parts, rest);
    const last = this.#stops.finish();
    if (last) this.#show(parts, last);
    return parts;
  }

  // Whether it is a call or a thought that was cut short, where there can be no text.
  #begins(rest: string): boolean {
    const { calls, onlyCalls, think } = this.#syntax;
    if (!onlyCalls && this.toolCalls.length === 0) return false;
    const begin = rest.trimStart();
    return calls?.begin.startsWith(begin) || (this.#mode === 'start' && think.startsWith(begin));
  }

  // Whether there may be another step without more text.
  #step(parts: AnswerPart[]): boolean {
    const { think, thoughtEnd, calls } = this.#syntax;
    switch (this.#mode) {
      case 'start': {
        const text = this.#held.trimStart();
        if (think.startsWith(text) && text !== think) return false;
        const isThought = text.startsWith(think);
        if (isThought) this.#held = text.slice(think.length);
        this.#mode = isThought ? 'thought' : 'text';
        return true;
      }
      case 'thought':
        if (this.#thoughts.length === 0) this.#held = this.#held.trimStart();
        return this.#upTo(thoughtEnd, 'thought-over', (text) => this.#think(parts, text));
      case 'thought-over':
      case 'calls-over': {
        this.#held = this.#held.trimStart();
        if (this.#held === '') return false;
        this.#mode = 'text';
        return true;
      }
      case 'text': {
        const say = (text: string) => this.#say(parts, text);
        if (calls) return this.#upTo(calls.begin, 'calls', say);
        say(this.#held);
        this.#held = '';
        return false;
      }
      default:
        return this.#read(parts);
    }
  }

  // Takes what comes before a text, but for white space right before it.
  #upTo(text: string, then: Mode, take: (before: string) => void): boolean {
    const at = this.#held.indexOf(text);
    const end = at < 0 ? this.#held.length - overlap(this.#held, text) : at;
    const before = this.#held.slice(0, end);
    const blankless = before.trimEnd();
    const own = before.length - blankless.length > MOST_BLANKS ? before : blankless;
    if (own) take(own);
    this.#held = this.#held.slice(at < 0 ? own.length : at + text.length);
    if (at >= 0) this.#mode = then;
    return at >= 0;
  }

  #think(parts: AnswerPart[], text: string): void {
    if (!text) return;
    this.#thoughts.push(text);
    parts.push({ type: 'reasoning', text });
  }

  #say(parts: AnswerPart[], text: string): void {
    const shown = this.#stops.push(text);
    if (shown) this.#show(parts, shown);
  }

  #show(parts: AnswerPart[], text: string): void {
    this.#texts.push(text);
    parts.push({ type: 'text', text });
  }

  #read(parts: AnswerPart[]): boolean {
    const { end, reader } = this.#syntax.calls as NonNullable<AnswerSyntax['calls']>;
    if (!this.#within) {
      // Between calls there are no letters.
      this.#held = this.#held.replace(/^[\s,[\]}]+/, '');
      if (this.#held === '' || (end.startsWith(this.#held) && this.#held !== end)) return false;
      if (end && this.#held.startsWith(end)) {
        this.#held = this.#held.slice(end.length);
        this.#mode = 'calls-over';
        return true;
      }
    }
    this.#within = true;
    const { events, rest } = reader.push(this.#held);
    this.#held = rest ?? '';
    for (const event of events) {
      if (event.type === 'call') {
        this.#call = { id: `call_${this.#nextId++}`, name: event.name, json: '' };
      } else if (this.#call) {
        const { id, name } = this.#call;
        this.#call.json += event.json;
        parts.push({ type: 'tool-call-delta', id, name, delta: event.json });
      }
    }
    if (rest === undefined) return false;
    this.#over(parts);
    return true;
  }

  #over(parts: AnswerPart[]): void {
    const { id, name, json } = this.#call as { id: string; name: string; json: string };
    const call: ToolCall = { id, name, arguments: JSON.parse(json) };
    this.#call = undefined;
    this.#within = false;
    this.toolCalls.push(call);
    parts.push({ type: 'tool-call', ...call });
  }
}

// Pieces that are added one by one to a text each keep an object of their own.
function joined(pieces: string[]): string {
  if (pieces.length > 1) pieces.splice(0, pieces.length, pieces.join(''));
  return pieces[0] ?? '';
}

/** How much of the end of `text` is a beginning of `word`. */
function overlap(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}
