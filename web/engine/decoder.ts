// SPDX-License-Identifier: MIT

import { otherTasks } from '../abort.js';
import type { WasmBatch, WasmModel, WasmSession } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import type { Guesses } from './guess-policy.js';

/** What a text drew. */
export interface Drawn {
  /** One, and more where it had guesses. Below zero, why there is none: `NoToken` of cpp/runtime/sampler.h. */
  tokens: number[];
  /** Whether the guesses that came with the call were checked. */
  guessed: boolean;
  /** How long the pass took, in milliseconds. */
  ms: number;
}

interface Draw {
  session: WasmSession;
  signal: AbortSignal;
  guesses: Guesses | undefined;
  resolve(drawn: Drawn): void;
  reject(reason: unknown): void;
}

// Of the last pass: as long are those waited for that drew in it. Its whole cost is lost to whoever
// comes just too late, and a reader in another thread takes a fraction of a millisecond.
const PATIENCE = 0.1;

/**
 * Draws the next tokens of all texts that want one at the same time, with one pass over the weights.
 * Texts join and leave between tokens, by asking or not.
 */
export class Decoder {
  readonly #wasm: Wasm;
  /** Texts that draw together at most. */
  readonly #most: number;
  #batch: WasmBatch | undefined;
  /** Those of the last pass, as the batch has them. */
  #members: WasmSession[] = [];
  #waiting: Draw[] = [];
  #running = false;
  #lastMs = 0;
  #lastEnd = 0;

  constructor(wasm: Wasm, model: WasmModel) {
    this.#wasm = wasm;
    this.#most = model.logitRows();
  }

  /**
   * The next token of a text, which must not ask again before it has it. With guesses, when nobody else
   * draws, as many as were right and one more.
   *
   * @throws the signal's reason, when it fires before the pass
   */
  next(session: WasmSession, signal: AbortSignal, guesses?: Guesses): Promise<Drawn> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ session, signal, guesses, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  /** Whether the last pass was over several texts. */
  get isShared(): boolean {
    return this.#members.length > 1;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await otherTasks();
      const patience = this.#lastEnd + PATIENCE * this.#lastMs;
      while (this.#isIncomplete() && performance.now() < patience) await otherTasks();
      this.#pass();
    }
    this.#running = false;
  }

  #isIncomplete(): boolean {
    if (this.#waiting.length >= this.#most) return false;
    return this.#members.some((member) => !this.#waiting.some(({ session }) => session === member));
  }

  #pass(): void {
    const waiting = this.#waiting.filter(({ signal, reject }) => {
      if (signal.aborted) reject(signal.reason);
      return !signal.aborted;
    });
    const drawing = waiting.slice(0, this.#most);
    this.#waiting = waiting.slice(this.#most);
    if (drawing.length === 0) return;
    try {
      const before = performance.now();
      // Guesses are rows of a pass, which several texts need for themselves.
      const [first, another] = drawing;
      const guesses = another ? undefined : first?.guesses;
      const tokens =
        first && guesses ? [this.#guessed(first.session, guesses)] : this.#together(drawing);
      this.#lastEnd = performance.now();
      const ms = this.#lastEnd - before;
      this.#lastMs = ms;
      const guessed = guesses !== undefined;
      for (const [i, { resolve }] of drawing.entries()) {
        resolve({ tokens: tokens[i] as number[], guessed, ms });
      }
    } catch (error) {
      // A trap: the others must not enter the instance again.
      for (const { reject } of [...drawing, ...this.#waiting.splice(0)]) reject(error);
    }
  }

  /** Of each text the token that it drew. */
  #together(drawing: readonly Draw[]): number[][] {
    const at = this.#gather(drawing).next() >>> 2;
    return drawing.map((_, i) => [this.#wasm.module.HEAP32[at + i] as number]);
  }

  // In the heap: the guesses, as many tokens and one more, and as many masks.
  #guessed(session: WasmSession, { tokens, allowed }: Guesses): number[] {
    const { module } = this.#wasm;
    const count = tokens.length;
    const words = allowed?.[0]?.length ?? 0;
    return this.#wasm.withBlock(4 * (2 * count + 1 + words * (count + 1)), (guesses) => {
      const drawn = guesses + 4 * count;
      const masks = drawn + 4 * (count + 1);
      module.HEAP32.set(tokens, guesses >>> 2);
      allowed?.forEach((mask, i) => {
        module.HEAP32.set(mask, (masks >>> 2) + i * words);
      });
      const found = session.nextGuessed(guesses, count, allowed ? masks : 0, drawn);
      return [...module.HEAP32.subarray(drawn >>> 2, (drawn >>> 2) + found)];
    });
  }

  #gather(drawing: readonly Draw[]): WasmBatch {
    this.#batch ??= new this.#wasm.module.Batch();
    const members = this.#members;
    if (drawing.length === members.length && drawing.every((d, i) => d.session === members[i])) {
      return this.#batch;
    }
    this.#batch.clear();
    this.#members = drawing.map(({ session }) => session);
    for (const session of this.#members) this.#batch.add(session);
    return this.#batch;
  }
}
