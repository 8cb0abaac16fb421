// SPDX-License-Identifier: MIT
import type { FileStore, FileWriter } from './store.js';

// A key only: nothing is ever requested from it.
const KEY_PREFIX = 'https://model-cache.invalid/';

/** Files as responses of the Cache API, for browsers without a writable private file system. */
export class ResponseStore implements FileStore {
  #cache: Cache;

  private constructor(cache: Cache) {
    this.#cache = cache;
  }

  /**
   * Undefined where the browser has no Cache API, as on plain HTTP.
   *
   * @param create false: undefined also where nothing was ever kept there
   */
  static async open(name: string, create: boolean): Promise<ResponseStore | undefined> {
    if (typeof globalThis.caches?.open !== 'function') return undefined;
    try {
      if (!create && !(await caches.has(name))) return undefined;
      return new ResponseStore(await caches.open(name));
    } catch {
      return undefined;
    }
  }

  async names(): Promise<string[]> {
    const requests = await this.#cache.keys();
    return requests
      .filter(({ url }) => url.startsWith(KEY_PREFIX))
      .map(({ url }) => url.slice(KEY_PREFIX.length));
  }

  async open(name: string): Promise<Blob | undefined> {
    const response = await this.#cache.match(KEY_PREFIX + name);
    return response?.blob();
  }

  async create(name: string): Promise<FileWriter> {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const stored = this.#cache.put(KEY_PREFIX + name, new Response(readable));
    return new PutWriter(writable.getWriter(), stored);
  }

  remove(name: string): Promise<boolean> {
    return this.#cache.delete(KEY_PREFIX + name);
  }
}

class PutWriter implements FileWriter {
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  #stored: Promise<void>;
  #failed: Promise<never>;

  constructor(writer: WritableStreamDefaultWriter<Uint8Array>, stored: Promise<void>) {
    this.#writer = writer;
    this.#stored = stored;
    // A put that fails stops reading, and a write nobody reads would wait for ever.
    this.#failed = new Promise((_, reject) => stored.catch(reject));
    this.#failed.catch(() => {});
    writer.closed.catch(() => {});
  }

  async write(bytes: Uint8Array): Promise<void> {
    const written = this.#writer.write(bytes.slice());
    written.catch(() => {});
    await Promise.race([this.#failed, written]);
  }

  async close(): Promise<void> {
    this.#writer.close().catch(() => {});
    await this.#stored;
  }

  async abort(): Promise<void> {
    await this.#writer.abort().catch(() => {});
  }
}
