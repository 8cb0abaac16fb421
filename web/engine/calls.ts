// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { PlainText } from './plain-text.js';

interface Call {
  controller: AbortController;
  /** The text it works on or waits for. */
  on: PlainText | undefined;
  /** Ends what of it outlasts its abort. */
  settle: (() => Promise<unknown>) | undefined;
}

/** The calls of an engine that are under way, by the numbers that their callers gave them. */
export class EngineCalls {
  readonly #onTrap: () => void;
  #calls = new Map<number, Call>();
  /** What of the calls has not settled yet. */
  #pending = new Set<Promise<unknown>>();

  /** @param onTrap the instance is in no known state: it must not be entered again */
  constructor(onTrap: () => void) {
    this.#onTrap = onTrap;
  }

  /** Begins a call that lasts until `close`; its signal fires with `abort`. */
  open(id: number, on?: PlainText, settle?: () => Promise<unknown>): AbortSignal {
    const controller = new AbortController();
    this.#calls.set(id, { controller, on, settle });
    return controller.signal;
  }

  close(id: number): void {
    this.#calls.delete(id);
  }

  abort(id: number): void {
    this.#calls.get(id)?.controller.abort();
  }

  /** Ends the calls on one text, or all of them, and gives their turns back. */
  async end(reason: ModelError, text?: PlainText): Promise<void> {
    for (const { controller, on, settle } of [...this.#calls.values()]) {
      if (text && on !== text) continue;
      controller.abort(reason);
      await settle?.();
    }
  }

  /** Runs a call that `abort` can end. */
  async run<T>(id: number, work: (signal: AbortSignal) => Promise<T>, on?: PlainText): Promise<T> {
    const signal = this.open(id, on);
    try {
      return await this.track(work(signal));
    } finally {
      this.close(id);
    }
  }

  /** Waits for a part of a call. @throws ModelError `wasm` for a trap */
  async track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    try {
      return await work;
    } catch (error) {
      const message = trapMessage(error);
      if (message === undefined) throw error;
      const text = `the WebAssembly code failed: ${message}`;
      const failure = new ModelError('wasm', text, { cause: error });
      this.#onTrap();
      // Nobody gives back the turns that they wait for.
      for (const { controller } of this.#calls.values()) controller.abort(failure);
      throw failure;
    } finally {
      this.#pending.delete(work);
    }
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}

function trapMessage(error: unknown): string | undefined {
  if (error instanceof WebAssembly.RuntimeError) return error.message;
  // What Emscripten throws in the thread that waits for one that trapped.
  return error === 'unwind' ? 'a thread ended' : undefined;
}
