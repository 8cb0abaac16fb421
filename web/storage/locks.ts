// SPDX-License-Identifier: MIT

/** Gives a lock back. */
export type Release = () => void;

/** How a lock is taken. */
export interface LockOptions {
  /** Beside others that share it; alone otherwise. */
  shared?: boolean;
  /** Not at all where it would have to wait. */
  ifFree?: boolean;
  /** Ends the wait. */
  signal?: AbortSignal;
}

/**
 * Locks of this origin, across its tabs and workers, which the browser gives back for whoever goes
 * away. Where it has none (before 2022, plain HTTP) all are free.
 */
export class Locks {
  #manager: LockManager | undefined;

  constructor(manager: LockManager | undefined = globalThis.navigator?.locks) {
    this.#manager = manager;
  }

  /** Whether a lock keeps others out. */
  get exist(): boolean {
    return this.#manager !== undefined;
  }

  /**
   * @returns undefined where it is taken and `ifFree`
   * @throws the signal's reason
   */
  async take(name: string, options: LockOptions & { ifFree: true }): Promise<Release | undefined>;
  async take(name: string, options?: LockOptions): Promise<Release>;
  async take(
    name: string,
    { shared, ifFree, signal }: LockOptions = {},
  ): Promise<Release | undefined> {
    signal?.throwIfAborted();
    const manager = this.#manager;
    if (!manager) return () => {};
    const mode = shared ? 'shared' : 'exclusive';
    // The browser refuses both together.
    const wait = ifFree ? { ifAvailable: true } : signal ? { signal } : {};
    try {
      return await new Promise<Release | undefined>((resolve, reject) => {
        const hold = (lock: Lock | null) =>
          lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined);
        manager.request(name, { mode, ...wait }, hold).catch(reject);
      });
    } catch (error) {
      signal?.throwIfAborted();
      // Pages that may not use storage may not use locks; the storage will say so itself.
      if ((error as DOMException).name === 'SecurityError') return () => {};
      throw error;
    }
  }
}
