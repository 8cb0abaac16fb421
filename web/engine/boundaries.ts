// SPDX-License-Identifier: MIT
import type { WasmCheckpoint, WasmSession } from '../wasm/glue.js';

/** Where in the held text, and after how many of its tokens. */
export interface Place {
  length: number;
  tokens: number;
}

/** A place between messages, or where an answer begins. */
export interface Boundary extends Place {
  /** How many have begun before it. */
  messages: number;
}

const START: Place = { length: 0, tokens: 0 };

/**
 * The places in a text that a conversation comes back to, in the order of the text. At a few of them
 * the state is kept as it was, as a recurrent one cannot be cut back.
 */
export class Boundaries {
  readonly #session: WasmSession;
  readonly #most: number;
  #all: (Boundary & { checkpoint?: WasmCheckpoint })[] = [];

  /** @param most at how many the state is kept */
  constructor(session: WasmSession, most: number) {
    this.#session = session;
    this.#most = most;
  }

  get checkpointBytes(): number {
    return this.#kept().reduce((sum, { checkpoint }) => sum + (checkpoint?.bytes ?? 0), 0);
  }

  /** The last before which no more than so many messages have begun. */
  before(messages: number): Place {
    return this.#all.filter((boundary) => boundary.messages <= messages).at(-1) ?? START;
  }

  /** The last within so much of the text, of them and of `end`. */
  within(length: number, end: Place): Place {
    return [...this.#all, end].filter((place) => place.length <= length).at(-1) ?? START;
  }

  /** Adds one at the end of the text, where the state is, and keeps that. */
  add({ messages, length, tokens }: Boundary, withLogits: boolean): void {
    if (this.#all.at(-1)?.length !== length) this.#all.push({ messages, length, tokens });
    this.keepState(length, withLogits);
  }

  /** Keeps the state as it is at that length of the text, where a boundary is. */
  keepState(length: number, withLogits: boolean): void {
    const boundary = this.#all.find((one) => one.length === length);
    if (!boundary || boundary.checkpoint) return;
    if (this.#most === 0 || this.#session.position() !== boundary.tokens) return;
    // Without memory for it, a way back is longer.
    boundary.checkpoint = this.#session.mark(withLogits) ?? undefined;
    const kept = this.#kept();
    if (kept.length <= this.#most) return;
    // The first stays: what instructions and examples come to is the dearest to read again.
    const oldest = kept[this.#most > 1 ? 1 : 0];
    oldest?.checkpoint?.delete();
    if (oldest) oldest.checkpoint = undefined;
  }

  /** How many tokens lie before the last kept state that has read no more than so many. */
  keptBefore(tokens: number): number {
    return this.#lastKept(tokens)?.tokens ?? 0;
  }

  /** Back to that state. */
  goBack(tokens: number): void {
    const checkpoint = this.#lastKept(tokens)?.checkpoint;
    if (checkpoint) this.#session.rewind(checkpoint);
    else this.#session.reset();
  }

  /** Drops those beyond so much of the text. */
  cut(length: number): void {
    const end = this.#all.filter((boundary) => boundary.length <= length).length;
    for (const { checkpoint } of this.#all.splice(end)) checkpoint?.delete();
  }

  /** Those of a clone. */
  clone(session: WasmSession): Boundaries {
    const copy = new Boundaries(session, this.#most);
    // Nobody writes to a checkpoint: both have the same.
    copy.#all = this.#all.map((boundary) => ({
      ...boundary,
      checkpoint: boundary.checkpoint?.clone(),
    }));
    return copy;
  }

  /** Without states. */
  snapshot(): Boundary[] {
    return this.#all.map(({ checkpoint: _, ...boundary }) => boundary);
  }

  restore(boundaries: Boundary[]): void {
    this.#all = boundaries;
  }

  dispose(): void {
    for (const { checkpoint } of this.#all) checkpoint?.delete();
  }

  #lastKept(tokens: number) {
    return this.#kept()
      .filter((boundary) => boundary.tokens <= tokens)
      .at(-1);
  }

  #kept() {
    return this.#all.filter(({ checkpoint }) => checkpoint);
  }
}
