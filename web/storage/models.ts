// SPDX-License-Identifier: MIT

import { type ModelError, storageError } from '../errors.js';
import type { CacheStore, CacheWriter } from './store.js';

/** How a load uses the cache. */
export interface CacheOptions {
  /**
   * Ask the server whether its file changed, by ETag or date, before the kept copy is used. Without
   * a connection the kept copy is used. Default false.
   */
  revalidate?: boolean;
}

/** A model file that is kept in this browser. */
export interface CacheEntry {
  /** Where it came from, without fragment. */
  url: string;
  bytes: number;
  /** When it was stored, as an ISO 8601 time. */
  date: string;
  etag?: string;
  /** The server's Last-Modified. */
  lastModified?: string;
  /** Hex digest, if the load that stored it verified one. */
  sha256?: string;
}

// An entry exists when its record does, is whole, and names a data file of the stated size. The
// record is written last, so nothing that was interrupted is ever taken for a model.
interface CacheRecord extends CacheEntry {
  file: string;
}

/** What the server and the loader say about a file that is now complete. */
export type FillFacts = Pick<CacheEntry, 'etag' | 'lastModified' | 'sha256'>;

const RECORD = '.json';

/** Whole model files by URL, in storage that belongs to the page's origin. */
export class ModelCache {
  #openStore: () => Promise<CacheStore>;

  /** @param openStore gives the storage, or throws ModelError `cache_unavailable` */
  constructor(openStore: () => Promise<CacheStore>) {
    this.#openStore = openStore;
  }

  /** Every complete file. */
  async list(): Promise<CacheEntry[]> {
    return this.#guarded(async (store) => {
      const entries: CacheEntry[] = [];
      for (const name of await store.names()) {
        if (!name.endsWith(RECORD)) continue;
        const found = await readRecord(store, name);
        if (!found) continue;
        const { file: _, ...entry } = found.record;
        entries.push(entry);
      }
      return entries;
    });
  }

  /** Removes one file; false when it was not there. */
  async delete(url: string): Promise<boolean> {
    return this.#guarded(async (store) => {
      const key = await keyOf(url);
      const known = await readRecord(store, key + RECORD);
      await store.remove(key + RECORD);
      await removeLeftovers(store, key);
      return known !== undefined;
    });
  }

  /** Removes every file, and what interrupted loads left behind. */
  async clear(): Promise<void> {
    await this.#guarded(async (store) => {
      const names = await store.names();
      // Records first: an interruption must not leave one without its file.
      names.sort((a, b) => Number(b.endsWith(RECORD)) - Number(a.endsWith(RECORD)));
      for (const name of names) await removeIfIdle(store, name);
    });
  }

  /** Bytes of all complete files. */
  async size(): Promise<number> {
    return (await this.list()).reduce((total, entry) => total + entry.bytes, 0);
  }

  /** @internal The kept copy of a URL. */
  async find(url: string): Promise<{ entry: CacheEntry; file: Blob } | undefined> {
    return this.#guarded(async (store) => {
      const found = await readRecord(store, (await keyOf(url)) + RECORD);
      return found?.record.url === canonical(url)
        ? { entry: found.record, file: found.file }
        : undefined;
    });
  }

  /** @internal Starts to store a URL's file. */
  async fill(url: string): Promise<CacheFill> {
    return this.#guarded(async (store) => {
      const key = await keyOf(url);
      const file = `${key}-${Math.random().toString(36).slice(2, 10)}`;
      await removeLeftovers(store, key);
      return new CacheFill(store, canonical(url), key, file, await store.create(file));
    });
  }

  async #guarded<T>(work: (store: CacheStore) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#openStore());
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** @internal One file on its way into the cache: invisible until {@link commit}. */
export class CacheFill {
  #store: CacheStore;
  #url: string;
  #key: string;
  #file: string;
  #writer: CacheWriter;
  #bytes = 0;
  #done = false;

  constructor(store: CacheStore, url: string, key: string, file: string, writer: CacheWriter) {
    this.#store = store;
    this.#url = url;
    this.#key = key;
    this.#file = file;
    this.#writer = writer;
  }

  /** Stores the next bytes. Throws ModelError `cache_unavailable`, after giving up. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#writer.write(bytes);
      this.#bytes += bytes.byteLength;
    } catch (error) {
      await this.abort();
      throw unavailable(error);
    }
  }

  /** Makes the file an entry, in place of an older one. */
  async commit(facts: FillFacts): Promise<void> {
    try {
      await this.#writer.close();
      const record: CacheRecord = {
        url: this.#url,
        bytes: this.#bytes,
        date: new Date().toISOString(),
        file: this.#file,
        ...facts,
      };
      const writer = await this.#store.create(this.#key + RECORD);
      await writer.write(new TextEncoder().encode(JSON.stringify(record)));
      await writer.close();
      this.#done = true;
      await removeLeftovers(this.#store, this.#key);
    } catch (error) {
      await this.abort();
      throw unavailable(error);
    }
  }

  /** Gives up; nothing stays. Does nothing after {@link commit}. */
  async abort(): Promise<void> {
    if (this.#done) return;
    this.#done = true;
    await this.#writer.abort().catch(() => {});
    await removeIfIdle(this.#store, this.#file);
  }
}

/** The cache that `load` uses. Throws ModelError `cache_unavailable` where there is no storage. */
export const modelCache: ModelCache = new ModelCache(async () => {
  const { openCacheStore } = await import('./open-store.js');
  return openCacheStore();
});

async function readRecord(
  store: CacheStore,
  name: string,
): Promise<{ record: CacheRecord; file: Blob } | undefined> {
  const text = await (await store.open(name))?.text();
  if (text === undefined) return undefined;
  let record: CacheRecord;
  try {
    record = JSON.parse(text) as CacheRecord;
  } catch {
    return undefined;
  }
  if (typeof record?.file !== 'string' || typeof record.url !== 'string') return undefined;
  const file = await store.open(record.file);
  return file && file.size === record.bytes ? { record, file } : undefined;
}

// Data files of a key that its record does not name.
async function removeLeftovers(store: CacheStore, key: string): Promise<void> {
  const found = await readRecord(store, key + RECORD);
  for (const name of await store.names()) {
    if (name.startsWith(`${key}-`) && name !== found?.record.file) await removeIfIdle(store, name);
  }
}

// A file that another tab is writing cannot be removed, and need not be.
async function removeIfIdle(store: CacheStore, name: string): Promise<void> {
  await store.remove(name).catch(() => false);
}

function canonical(url: string): string {
  const parsed = new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  parsed.hash = '';
  return parsed.href;
}

async function keyOf(url: string): Promise<string> {
  const { Sha256 } = await import('./sha256.js');
  const hash = new Sha256();
  hash.add(new TextEncoder().encode(canonical(url)));
  return hash.hex();
}

function unavailable(cause: unknown): ModelError {
  return storageError(cause, 'the model cannot be cached');
}
