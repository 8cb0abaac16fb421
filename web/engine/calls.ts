// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { PlainText } from './plain-text.js';

/** What goes with a call of the engine that takes long: what ends it, and who hears how far it is. */
export interface Call<Progress = unknown> {
  readonly signal: AbortSignal;
  tell(progress: Progress): void;
}

interface Running {
  controller: AbortController;
  /** The text it works on or waits for. */
  on: PlainText | undefined;
  /** Ends what of it outlasts its abort. */
  settle: (() => Promise<unknown>) | undefined;
}

/** A call that is under way until it is closed. */
export interface OpenCall {
  /** Fires with the caller's signal, until `unlink`, and when the engine ends the call. */
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** From now on the caller's signal has no part in it. */
  unlink(): void;
  close(): void;
}

/** The calls of an engine that are under way, so that it can end them. */
export class CallsUnderWay {
  readonly #onTrap: (failure: ModelError) => void;
  #running = new Set<Running>();
  /** What of the calls has not settled yet. */
  #pending = new Set<Promise<unknown>>();

  /** @param onTrap the instance is in no known state: it must not be entered again */
  constructor(onTrap: (failure: ModelError) => void) {
    this.#onTrap = onTrap;
  }

  open(outer: AbortSignal, on?: PlainText, settle?: () => Promise<unknown>): OpenCall {
    const controller = new AbortController();
    const running = { controller, on, settle };
    const onAbort = () => controller.abort(outer.reason);
    const unlink = () => outer.removeEventListener('abort', onAbort);
    if (outer.aborted) onAbort();
    else outer.addEventListener('abort', onAbort, { once: true });
    this.#running.add(running);
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      unlink,
      close: () => {
        unlink();
        this.#running.delete(running);
      },
    };
  }

  /** Runs a call that its signal can end. */
  async run<T>(
    outer: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
    on?: PlainText,
  ): Promise<T> {
    const call = this.open(outer, on);
    try {
      return await this.track(work(call.signal));
    } finally {
      call.close();
    }
  }

  /** Ends the calls on one text, or all of them, and gives their turns back. */
  async end(reason: ModelError, text?: PlainText): Promise<void> {
    for (const { controller, on, settle } of [...this.#running]) {
      if (text && on !== text) continue;
      controller.abort(reason);
      await settle?.();
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
      this.#onTrap(failure);
      // Nobody gives back the turns that they wait for.
      for (const { controller } of this.#running) controller.abort(failure);
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
