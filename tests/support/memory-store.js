// SPDX-License-Identifier: MIT
// A cache store in memory that behaves as the origin private file system does where it matters: a
// file exists as soon as it is created, shows what was written in place so far, cannot be removed
// while it is written, and a tab that dies leaves it as it is.

export class MemoryStore {
  files = new Map();
  /** Bytes that fit in all. */
  quota = Infinity;
  /** Writes that still succeed before the tab "dies"; nothing works after that until `revive()`. */
  budget = Infinity;
  /** Of files that were read at once. */
  closed = 0;
  #locked = new Set();
  #tails = new Map();

  /** Like opening the page again: locks of the dead tab are gone. */
  revive() {
    this.budget = Infinity;
    this.#locked.clear();
    for (const name of this.files.keys()) this.#settle(name);
  }

  async names() {
    this.#alive();
    return [...this.files.keys()];
  }

  async open(name) {
    this.#alive();
    this.#settle(name);
    const bytes = this.files.get(name);
    return bytes && new Blob([bytes]);
  }

  async openSync(name) {
    this.#alive();
    this.#settle(name);
    const bytes = this.files.get(name);
    if (!bytes || this.#locked.has(name)) return undefined;
    return {
      size: bytes.length,
      read: (to, at) => bytes.copy(to, 0, at),
      close: () => {
        this.closed += 1;
      },
    };
  }

  async remove(name) {
    this.#alive();
    if (this.#locked.has(name)) throw new DOMException('locked', 'NoModificationAllowedError');
    return this.files.delete(name);
  }

  async create(name) {
    this.#alive();
    if (this.#locked.has(name)) throw new DOMException('locked', 'NoModificationAllowedError');
    this.#step();
    this.#locked.add(name);
    this.files.set(name, Buffer.alloc(0));
    const release = () => this.#locked.delete(name);
    return {
      write: async (bytes) => {
        for (let at = 0; at < bytes.length; at += 16384) {
          this.#step(() => this.#append(name, bytes.subarray(at, at + 5)));
          this.#append(name, bytes.subarray(at, at + 16384));
        }
      },
      close: async () => {
        this.#step();
        this.#settle(name);
        release();
      },
      abort: async () => {
        this.#alive();
        this.#settle(name);
        release();
      },
    };
  }

  #append(name, bytes) {
    const waiting = [...this.#tails.values()].flat();
    const used = [...this.files.values(), ...waiting].reduce(
      (total, { length }) => total + length,
      0,
    );
    if (used + bytes.length > this.quota) throw new DOMException('full', 'QuotaExceededError');
    const tail = this.#tails.get(name) ?? [];
    this.#tails.set(name, [...tail, Buffer.from(bytes)]);
    if (tail.length > 30) this.#settle(name);
  }

  // Appended pieces are joined now and then only, or large files would take for ever.
  #settle(name) {
    const tail = this.#tails.get(name);
    if (tail && this.files.has(name))
      this.files.set(name, Buffer.concat([this.files.get(name), ...tail]));
    this.#tails.delete(name);
  }

  #step(tear) {
    this.#alive();
    this.budget -= 1;
    if (this.budget < 0) {
      tear?.();
      throw new Error('the tab is gone');
    }
  }

  #alive() {
    if (this.budget < 0) throw new Error('the tab is gone');
  }
}
