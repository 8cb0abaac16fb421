// SPDX-License-Identifier: MIT

import { otherTasks } from '../abort.js';
import type { WasmBatch, WasmModel, WasmSession } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';

/** How a pass went for a text. */
export interface Drawn {
  /** Whether the guesses that came with the call were checked. */
  guessed: boolean;
  /** Whether others drew in it, too. */
  shared: boolean;
  /** How long the pass took, in milliseconds, and whoever took what it drew. */
  ms: number;
}

export interface CheckedGuesses {
  tokens: readonly number[];
  /** A bit for each of them that is all that its constraint will allow there. */
  decided: number;
}

/** What a text draws with. */
export interface Draws {
  session: WasmSession;
  signal: AbortSignal;
  /** What may follow the token that it drew last, to be read in the same pass when nobody else draws. */
  guesses: CheckedGuesses | undefined;
  /**
   * Takes a token as soon as it is drawn; below zero, why there is none: `NoToken` of
   * cpp/runtime/sampler.h. Where that was the next guess, and it wants another, the one after it is drawn.
   *
   * @returns whether it wants another
   */
  take(token: number): boolean;
}

interface Draw extends Draws {
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
   * Draws the next token of a text, which must not ask again before that. With guesses as many as were
   * right and one more.
   *
   * @throws the signal's reason, when it fires before the pass; what `take` throws
   */
  next(draws: Draws): Promise<Drawn> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...draws, resolve, reject });
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
      const [first, another] = drawing as [Draw, Draw?];
      const guesses = another ? undefined : first.guesses;
      const found = guesses
        ? [this.#guessed(first, guesses)]
        : this.#together(drawing).map((token, i) => taken(drawing[i] as Draw, token));
      this.#lastEnd = performance.now();
      const ms = this.#lastEnd - before;
      this.#lastMs = ms;
      const drawn = { guessed: guesses !== undefined, shared: drawing.length > 1, ms };
      for (const [i, { resolve, reject }] of drawing.entries()) {
        const failure = found[i]?.failure;
        if (failure) reject(failure.error);
        else resolve(drawn);
      }
    } catch (error) {
      // A trap: the others must not enter the instance again.
      for (const { reject } of [...drawing, ...this.#waiting.splice(0)]) reject(error);
    }
  }

  /** Of each text the token that it drew. */
  #together(drawing: readonly Draw[]): number[] {
    const at = this.#gather(drawing).next() >>> 2;
    return [...this.#wasm.module.HEAP32.subarray(at, at + drawing.length)];
  }

  // Nobody else enters the instance before the text has ended where its reader wants.
  #guessed(draw: Draw, { tokens, decided }: CheckedGuesses): Taken {
    const { session } = draw;
    const ids = this.#wasm.putIds(tokens);
    if (!session.readGuesses(ids, tokens.length, decided)) return taken(draw, -1);
    for (let i = 0; ; i++) {
      const token = session.drawGuess();
      const found = taken(draw, token);
      if (found.wants && token === tokens[i]) continue;
      session.endGuesses();
      return found;
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

/** What became of a token. */
interface Taken {
  wants: boolean;
  failure?: { error: unknown };
}

// What is wrong with one text ends no other.
function taken(draw: Draw, token: number): Taken {
  try {
    return { wants: draw.take(token) };
  } catch (error) {
    return { wants: false, failure: { error } };
  }
}
