// SPDX-License-Identifier: MIT
import { fetchError, ModelError } from '../errors.js';
import { isNode } from '../node.js';
import type { CallOptions, EngineHost, Given, Method, Methods, Value } from './calls.js';
import { Threads } from './page-threads.js';
import { fromPlain, type Reply, type Request, received, send } from './protocol.js';
import { failureOf, startWorker } from './start-worker.js';

/** Whether models run in workers where nobody says: in browsers. */
export const usesWorkers = (): boolean => typeof Worker === 'function' && !isNode();

/**
 * Starts what holds an engine.
 *
 * @param worker whether that is a worker; the caller's own, or its address
 * @throws TypeError where there are none; ModelError `worker` where it may not be started
 */
export async function startHost(worker: boolean | Worker | string | URL): Promise<EngineHost> {
  if (worker === false) return localHost();
  if (typeof Worker !== 'function') {
    throw new TypeError('worker: this environment has no Worker');
  }
  return new WorkerHost(worker === true ? undefined : worker);
}

/** An engine in this thread; it lets other tasks run between tokens. */
async function localHost(): Promise<EngineHost> {
  // A page whose models run in workers never downloads the engine itself.
  const { Engine } = await import('./engine.js').catch((cause: unknown) => {
    throw fetchError(cause, 'models');
  });
  const engine = new Engine() as unknown as Methods;
  return {
    async call(method, args, { signal = new AbortController().signal, onProgress }) {
      const tell = (progress: never) => {
        if (!signal.aborted) onProgress?.(progress);
      };
      return engine[method]?.(...args, { signal, tell }) as Promise<never>;
    },
    terminate() {},
  };
}

// A worker that has not said a word by then never will: its file was emptied by a bundler, or is
// another one. A file that cannot be had at all is an error event, and earlier.
const START_MS = 20_000;

interface Pending {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  onProgress: ((progress: never) => void) | undefined;
}

/** An engine in a worker: numbers its calls, and settles each exactly once. */
export class WorkerHost implements EngineHost {
  readonly #worker: Worker;
  readonly #threads = new Threads((message) => this.#post(message));
  #next = 1;
  #pending = new Map<number, Pending>();
  /** Why there is no engine any more. */
  #lost: ModelError | undefined;
  #starting: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param given the caller's own worker of `fastweights/worker`, its address, or undefined for the
   * package's
   */
  constructor(given: Worker | string | URL | undefined) {
    const { worker, name } = startWorker(given);
    this.#worker = worker;
    worker.addEventListener('message', this.#onMessage);
    worker.addEventListener('error', this.#onError);
    worker.addEventListener('messageerror', this.#onError);
    this.#starting = setTimeout(() => {
      const why = 'does it import fastweights/worker, and did the bundler keep that import?';
      const text = `${name} has not answered for ${START_MS / 1000} s: ${why}`;
      this.terminate(new ModelError('worker', text));
    }, START_MS);
    send(worker, { kind: 'ping' });
  }

  call<Name extends Method>(
    method: Name,
    args: Given<Name>,
    { signal, onProgress, transfer }: CallOptions<Name>,
  ): Promise<Value<Name>> {
    if (this.#lost) return Promise.reject(this.#lost);
    const call = this.#next++;
    const onAbort = () => this.#post({ kind: 'abort', call });
    const hears = (progress: never) => {
      if (!signal?.aborted) onProgress?.(progress);
    };
    const settled = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(call, { resolve, reject, onProgress: onProgress && hears });
      signal?.addEventListener('abort', onAbort, { once: true });
      const heard = onProgress !== undefined;
      this.#post({ kind: 'call', call, method, args: args as unknown[], heard }, transfer);
    });
    return settled.finally(() => {
      this.#pending.delete(call);
      signal?.removeEventListener('abort', onAbort);
    }) as Promise<Value<Name>>;
  }

  terminate(reason: ModelError): void {
    if (this.#lost) return;
    this.#lost = reason;
    clearTimeout(this.#starting);
    this.#worker.removeEventListener('message', this.#onMessage);
    this.#worker.removeEventListener('error', this.#onError);
    this.#worker.removeEventListener('messageerror', this.#onError);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#threads.endAll();
    this.#worker.terminate();
  }

  #post(message: Request, transfer?: Transferable[]): void {
    if (!this.#lost) send(this.#worker, message, transfer);
  }

  readonly #onMessage = (event: Event) => {
    const message = received<Reply>(event);
    if (!message) return;
    clearTimeout(this.#starting);
    if (message.kind === 'ready') return;
    if ('thread' in message) {
      this.#threads.hear(message);
      return;
    }
    const pending = this.#pending.get(message.call);
    if (message.kind === 'progress') this.#tell(message, pending);
    if (message.kind === 'value') pending?.resolve(message.value);
    if (message.kind === 'error') pending?.reject(fromPlain(message.error));
  };

  // What a listener throws ends the call that it listens to, as it does without a worker.
  #tell({ call, progress }: Reply & { kind: 'progress' }, pending: Pending | undefined): void {
    try {
      pending?.onProgress?.(progress as never);
    } catch (error) {
      this.#post({ kind: 'abort', call });
      pending?.reject(error);
    }
  }

  readonly #onError = (event: Event) => this.terminate(failureOf(event));
}
