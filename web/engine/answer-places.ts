// SPDX-License-Identifier: MIT
import type { WasmSession } from '../wasm/glue.js';
import { TRAIL_TOKENS, type Trail, type Trails } from './trails.js';

/** The places after a text's own tokens: the trails that lead to them, and how far each is this text's. */
export class AnswerPlaces {
  readonly #session: WasmSession;
  readonly #trails: Trails;
  #ways: { trail: Trail; end: number }[] = [];
  #open: Trail | undefined;

  constructor(session: WasmSession, trails: Trails) {
    this.#session = session;
    this.#trails = trails;
  }

  /** To be called before each pass that draws. */
  follow(): void {
    const open = this.#open;
    if (open && this.#session.position() < open.start + TRAIL_TOKENS) return;
    this.end();
    this.#open = this.#trails.begin(this.#session);
    // Of a long text most trails are gone.
    this.#ways = this.#ways.filter(({ trail }) => trail.wasm);
    if (this.#open) this.#ways.push({ trail: this.#open, end: Number.POSITIVE_INFINITY });
  }

  /** What the text reads from now on, it has not drawn. */
  end(): void {
    if (!this.#open) return;
    this.#session.endTrail();
    this.#open.isOpen = false;
    this.#open = undefined;
  }

  /** The place from which fewest tokens are to be read to get there: how many lie before it; -1: there is none. */
  before(tokens: number): number {
    return this.#nearest(tokens).place;
  }

  /** Back to there. */
  goBack(tokens: number): void {
    const { trail, place } = this.#nearest(tokens);
    if (!trail?.wasm) return;
    this.#session.goAlong(trail.wasm, place - trail.start);
    this.#trails.touch(trail);
  }

  /** The text has been cut after so many tokens. */
  cut(tokens: number): void {
    for (const way of this.#ways) way.end = Math.min(way.end, tokens);
    const isBeyond = ({ trail }: { trail: Trail }) => trail.start > tokens;
    for (const { trail } of this.#ways.filter(isBeyond)) this.#trails.release(trail);
    this.#ways = this.#ways.filter((way) => !isBeyond(way));
  }

  /** Those of a clone. */
  clone(session: WasmSession): AnswerPlaces {
    const copy = new AnswerPlaces(session, this.#trails);
    copy.#ways = this.#ways.map((way) => ({ ...way }));
    for (const { trail } of copy.#ways) trail.users++;
    return copy;
  }

  dispose(): void {
    this.end();
    for (const { trail } of this.#ways) this.#trails.release(trail);
    this.#ways = [];
  }

  #nearest(tokens: number): { trail?: Trail; place: number } {
    let nearest: { trail?: Trail; place: number } = { place: -1 };
    for (const { trail, end } of this.#ways) {
      const place = trail.wasm && trail.start <= tokens ? Math.min(tokens, end, trail.end) : -1;
      if (place > nearest.place) nearest = { trail, place };
    }
    return nearest;
  }
}
