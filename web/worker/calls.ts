// SPDX-License-Identifier: MIT
import type { Call } from '../engine/calls.js';
import type { Engine } from '../engine/engine.js';
import { ModelError } from '../errors.js';
import { isDevelopment } from '../node.js';

/** What an engine can be asked, in this thread or behind a worker. */
export type Method = keyof Engine;

/** An engine as what has methods, for whoever passes calls on. */
export type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** What a method takes, but for the `Call` that may go with it. */
export type Given<Name extends Method> =
  Parameters<Engine[Name]> extends [...infer Args, Call<never>] ? Args : Parameters<Engine[Name]>;

export type Value<Name extends Method> = Awaited<ReturnType<Engine[Name]>>;

type Progress<Name extends Method> =
  Parameters<Engine[Name]> extends [...unknown[], Call<infer Told>] ? Told : never;

/** What goes with a call. */
export interface CallOptions<Name extends Method> {
  /** Ends it. */
  signal?: AbortSignal | undefined;
  /** Hears how far it is, until it is aborted. */
  onProgress?: ((progress: Progress<Name>) => void) | undefined;
  /** What of its arguments the engine is given and this side loses. */
  transfer?: Transferable[];
}

/** An engine and what holds it. */
export interface EngineHost {
  call<Name extends Method>(
    method: Name,
    args: Given<Name>,
    options: CallOptions<Name>,
  ): Promise<Value<Name>>;
  /** Ends it and whatever calls are left. May be called more than once. */
  terminate(reason: ModelError): void;
}

// An engine frees what it has within one batch of a prompt. One that is stuck is ended all the same.
const DISPOSE_MS = 2000;

// Of engines whose users have all been dropped without `dispose`.
const dropped = new FinalizationRegistry<EngineHost>((host) => {
  warnDropped('model', 'dispose');
  void end(host);
});

/** The calls to one engine: what its users hold. Without any of them, the engine ends. */
export class Calls {
  readonly #host: EngineHost;
  #ended: Promise<void> | undefined;

  constructor(host: EngineHost) {
    this.#host = host;
    dropped.register(this, host, this);
  }

  get disposed(): boolean {
    return this.#ended !== undefined;
  }

  /**
   * Runs one call.
   *
   * @param late called in the place of the return with a value that came after the signal had fired,
   * to take it back. Without it, a call that had been done by then is done.
   * @throws the signal's reason, whatever the engine says then; ModelError `disposed`
   */
  async run<Name extends Method>(
    method: Name,
    args: Given<Name>,
    options: CallOptions<Name> & { late?: (value: Value<Name>) => void } = {},
  ): Promise<Value<Name>> {
    if (this.disposed) throw isDisposed();
    const { signal, late } = options;
    signal?.throwIfAborted();
    let value: Value<Name>;
    try {
      value = await this.#host.call(method, args, options);
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
    if (late && signal?.aborted) {
      late(value);
      throw signal.reason;
    }
    return value;
  }

  /** Runs one call whose value, and whose failure, nobody waits for. */
  post<Name extends Method>(method: Name, args: Given<Name>): void {
    void this.run(method, args).catch(() => {});
  }

  /** Frees the engine's model and ends its worker. */
  dispose(): Promise<void> {
    dropped.unregister(this);
    this.#ended ??= end(this.#host);
    return this.#ended;
  }
}

async function end(host: EngineHost): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DISPOSE_MS);
  });
  const freed = host.call('dispose', [], {}).catch(() => {});
  await Promise.race([freed, patience]);
  clearTimeout(timer);
  host.terminate(isDisposed());
}

function isDisposed(): ModelError {
  return new ModelError('disposed', 'the model has been disposed of');
}

/** Tells a developer of what was dropped and had to be freed by the garbage collector. */
export function warnDropped(what: string, method: string): void {
  const { location, isSecureContext } = globalThis as {
    location?: Location;
    isSecureContext?: boolean;
  };
  // Without TLS, only a page of this very machine is secure.
  const isOwnPage = isSecureContext && location?.protocol === 'http:';
  if (!isDevelopment() && !isOwnPage) return;
  console.warn(`fastweights: a ${what} was dropped without ${method}(); its memory is freed now`);
}
