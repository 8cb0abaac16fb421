// SPDX-License-Identifier: MIT
import type { Engine } from '../engine/engine.js';
import { ModelError } from '../errors.js';

/** The engine as its user sees it, in this thread or behind a worker: every call is a promise. */
export type RemoteEngine = {
  [Name in keyof Engine]: Engine[Name] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Promise<Value>
    : never;
};

/** An engine and what holds it. */
export interface EngineHost {
  readonly engine: RemoteEngine;
  /** Rejects when the worker is lost; never resolves. */
  readonly failed: Promise<never>;
  /** Ends the worker, if there is one. */
  terminate(): void;
}

/** Numbers the calls to one engine, and makes abort signals and a lost worker end them. */
export class Calls {
  readonly #host: EngineHost;
  #next = 1;
  #disposed = false;

  constructor(host: EngineHost) {
    this.#host = host;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Runs one call on the engine. */
  async run<T>(work: (engine: RemoteEngine) => Promise<T>): Promise<T> {
    if (this.#disposed) throw new ModelError('disposed', 'the model has been disposed of');
    return Promise.race([work(this.#host.engine), this.#host.failed]);
  }

  /**
   * Runs one call that `signal` can end. Whatever the engine says then, the caller gets the
   * signal's reason, once the engine has let go.
   */
  async abortable<T>(
    signal: AbortSignal | undefined,
    work: (engine: RemoteEngine, call: number) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const call = this.#next++;
    const onAbort = () => void this.run((engine) => engine.abort(call)).catch(() => {});
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.run((engine) => work(engine, call));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** A number for a call of several steps, such as a generation. */
  number(): number {
    return this.#next++;
  }

  /** Frees the engine's model and ends its worker. */
  async dispose(): Promise<void> {
    if (this.#disposed) return;
    const freed = this.run((engine) => engine.dispose()).catch(() => {});
    this.#disposed = true;
    await freed;
    this.#host.terminate();
  }
}
