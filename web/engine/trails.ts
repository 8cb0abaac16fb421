// SPDX-License-Identifier: MIT
import type { WasmSession, WasmTrail } from '../wasm/glue.js';

/**
 * Tokens of a trail. More would be longer to go along (of the small story model 0.1 ms each), fewer would
 * take more bytes a token: a copy of its state is as large as 28 steps.
 */
export const TRAIL_TOKENS = 32;
/** Of all bytes, what trails may take that lead to their starts alone. */
const THIN_SHARE = 0.25;

/** A trail of one text, which others may have gone on from. */
export class Trail {
  /** None once there was no room for it. */
  wasm: WasmTrail | undefined;
  readonly start: number;
  /** Texts that may come back to it. */
  users = 1;
  /** Whether its text may still add steps. */
  isOpen = true;

  constructor(wasm: WasmTrail) {
    this.wasm = wasm;
    this.start = wasm.start;
  }

  /** Where it ends; it leads to each token from its start on. */
  get end(): number {
    return this.start + (this.wasm?.steps ?? 0);
  }
}

/**
 * All trails of a model's texts, in as many bytes as they may take. Where there is no room for another,
 * those that were used longest ago lose first their steps, then their starts: the latest text has a place
 * after each token, what lies further back one in 32, and then none.
 */
export class Trails {
  readonly #most: number;
  /** More than `TRAIL_TOKENS` that the last pass over one may add. */
  readonly #mostGuesses: number;
  /** Those used last at the end. */
  #all = new Set<Trail>();
  /** What an open one may come to. */
  #full = 0;

  constructor(most: number, mostGuesses: number) {
    this.#most = most;
    this.#mostGuesses = mostGuesses;
  }

  get bytes(): number {
    return this.#bytesOf([...this.#all]);
  }

  /** Begins one where a text is; undefined where there is no room for it. */
  begin(session: WasmSession): Trail | undefined {
    this.#full = session.trailBytes(TRAIL_TOKENS + this.#mostGuesses);
    if (!this.#makeRoom()) return undefined;
    const wasm = session.leaveTrail();
    if (!wasm) return undefined;
    const trail = new Trail(wasm);
    this.#all.add(trail);
    return trail;
  }

  /** It has been used. */
  touch(trail: Trail): void {
    if (this.#all.delete(trail)) this.#all.add(trail);
  }

  /** One text less may come back to it. */
  release(trail: Trail): void {
    trail.users--;
    if (trail.users === 0) this.#drop(trail);
  }

  #makeRoom(): boolean {
    for (;;) {
      const all = [...this.#all];
      if (this.#bytesOf(all) + this.#full <= this.#most) return true;
      const idle = all.filter(({ isOpen }) => !isOpen);
      const thin = idle.filter(({ wasm }) => wasm?.steps === 0);
      const dense = idle.find(({ wasm }) => wasm?.steps !== 0);
      const [oldest] = thin;
      if (dense && (!oldest || this.#bytesOf(thin) <= THIN_SHARE * this.#most)) dense.wasm?.thin();
      else if (oldest) this.#drop(oldest);
      else return false;
    }
  }

  #bytesOf(trails: readonly Trail[]): number {
    return trails.reduce(
      (sum, { wasm, isOpen }) => sum + (isOpen ? this.#full : (wasm?.bytes ?? 0)),
      0,
    );
  }

  #drop(trail: Trail): void {
    this.#all.delete(trail);
    trail.wasm?.delete();
    trail.wasm = undefined;
  }
}
