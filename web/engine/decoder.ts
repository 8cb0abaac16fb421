// SPDX-License-Identifier: MIT

import { otherTasks } from '../abort.js';
import type { WasmBatch, WasmModel, WasmSession } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';

/** What a text drew. */
export interface Drawn {
  /** Below zero, why there is none: `NoToken` of cpp/runtime/sampler.h. */
  token: number;
  /** How long the pass took, in milliseconds. */
  ms: number;
}

interface Draw {
  session: WasmSession;
  signal: AbortSignal;
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
   * The next token of a text, which must not ask again before it has it.
   *
   * @throws the signal's reason, when it fires before the pass
   */
  next(session: WasmSession, signal: AbortSignal): Promise<Drawn> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ session, signal, resolve, reject });
      if (!this.#running) void this.#run();
    });
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
      const tokens = this.#gather(drawing).next() >>> 2;
      this.#lastEnd = performance.now();
      const ms = this.#lastEnd - before;
      this.#lastMs = ms;
      for (const [i, { resolve }] of drawing.entries()) {
        resolve({ token: this.#wasm.module.HEAP32[tokens + i] as number, ms });
      }
    } catch (error) {
      // A trap: the others must not enter the instance again.
      for (const { reject } of [...drawing, ...this.#waiting.splice(0)]) reject(error);
    }
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
