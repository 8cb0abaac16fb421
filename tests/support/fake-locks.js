// SPDX-License-Identifier: MIT

/** The locks of an origin, as the Web Locks API has them, for tabs that may die. */
export class LockSpace {
  /** By name, those that have it and those that wait, in the order of their requests. */
  #queues = new Map();

  /** What `navigator.locks` is in a new tab. */
  tab() {
    const tab = {
      request: (name, options, work) => this.#request(tab, name, options, work),
    };
    return tab;
  }

  /** Ends a tab: what it has and waits for is gone. */
  kill(tab) {
    for (const [name, queue] of this.#queues) {
      this.#queues.set(
        name,
        queue.filter((entry) => entry.tab !== tab),
      );
      this.#grant(name);
    }
  }

  /** Names of the locks that are taken or waited for. */
  get names() {
    return [...this.#queues].filter(([, queue]) => queue.length > 0).map(([name]) => name);
  }

  async #request(tab, name, { mode = 'exclusive', ifAvailable = false, signal }, work) {
    if (ifAvailable && signal) throw new DOMException('not both', 'NotSupportedError');
    await undefined;
    signal?.throwIfAborted();
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    const free = queue.every((entry) => mode === 'shared' && entry.mode === 'shared');
    if (ifAvailable && !free) return work(null);
    const entry = { tab, mode, granted: false };
    const leave = () => {
      this.#queues.set(
        name,
        this.#queues.get(name).filter((other) => other !== entry),
      );
      this.#grant(name);
    };
    await new Promise((resolve, reject) => {
      entry.grant = resolve;
      signal?.addEventListener('abort', () => {
        if (entry.granted) return;
        leave();
        reject(signal.reason);
      });
      queue.push(entry);
      this.#grant(name);
    });
    try {
      return await work({ name, mode });
    } finally {
      leave();
    }
  }

  #grant(name) {
    const queue = this.#queues.get(name);
    for (const [i, entry] of queue.entries()) {
      const before = queue.slice(0, i);
      const shares = entry.mode === 'shared' && before.every(({ mode }) => mode === 'shared');
      if (i > 0 && !shares) return;
      if (entry.granted) continue;
      entry.granted = true;
      entry.grant();
    }
  }
}
