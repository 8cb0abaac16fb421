// SPDX-License-Identifier: MIT

import { storageError } from '../errors.js';
import type { CacheStore } from './store.js';

/** A session that is kept in this browser. */
export interface StoredSession {
  name: string;
  bytes: number;
  /** When it was stored, as an ISO 8601 time. */
  date: string;
}

// A file is called after its session, when it was written and by chance: each save makes a new one,
// and removes the others once it is whole. What an interruption leaves behind is a file too many.
interface Save {
  file: string;
  name: string;
  time: number;
}

const MAX_NAME = 64;

/** Saved sessions by name, in storage that belongs to the page's origin. */
export class SessionStore {
  #openStore: () => Promise<CacheStore>;

  /** @param openStore gives the storage, or throws ModelError `cache_unavailable` */
  constructor(openStore: () => Promise<CacheStore>) {
    this.#openStore = openStore;
  }

  /** Keeps a session in the place of what had its name; until it is whole, that stays. */
  async save(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    await this.#guarded(async (store) => {
      const before = await saves(store, name);
      // Later than any other, whatever the clock says.
      const time = Math.max(Date.now(), ...before.map((save) => save.time + 1));
      const chance = Math.floor(Math.random() * 2 ** 32).toString(36);
      const writer = await store.create(`${encodeURIComponent(name)}+${time}+${chance}`);
      try {
        await writer.write(bytes);
        await writer.close();
      } catch (error) {
        await writer.abort().catch(() => {});
        throw error;
      }
      for (const { file } of before) await store.remove(file).catch(() => false);
    });
  }

  /** What was saved under a name, the latest first; one that was interrupted may be among them. */
  async read(name: string): Promise<Uint8Array[]> {
    checkName(name);
    return this.#guarded(async (store) => {
      const found: Uint8Array[] = [];
      for (const { file } of await saves(store, name)) {
        const blob = await store.open(file);
        if (blob) found.push(new Uint8Array(await blob.arrayBuffer()));
      }
      return found;
    });
  }

  /** The latest of each name. */
  async list(): Promise<StoredSession[]> {
    return this.#guarded(async (store) => {
      const sessions = new Map<string, StoredSession>();
      for (const { file, name, time } of await saves(store)) {
        if (sessions.has(name)) continue;
        const bytes = (await store.open(file))?.size ?? 0;
        sessions.set(name, { name, bytes, date: new Date(time).toISOString() });
      }
      return [...sessions.values()];
    });
  }

  /** Removes a session; false when there was none. */
  async delete(name: string): Promise<boolean> {
    checkName(name);
    return this.#guarded(async (store) => {
      const found = await saves(store, name);
      for (const { file } of found) await store.remove(file);
      return found.length > 0;
    });
  }

  /** Removes every session. */
  async clear(): Promise<void> {
    await this.#guarded(async (store) => {
      for (const { file } of await saves(store)) await store.remove(file);
    });
  }

  async #guarded<T>(work: (store: CacheStore) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#openStore());
    } catch (cause) {
      throw storageError(cause, 'sessions cannot be kept');
    }
  }
}

// Those of a name, or all, the latest first.
async function saves(store: CacheStore, of?: string): Promise<Save[]> {
  const found: Save[] = [];
  for (const file of await store.names()) {
    const [encoded, time] = file.split('+');
    if (encoded === undefined || !time) continue;
    const name = decodeURIComponent(encoded);
    if (of === undefined || of === name) found.push({ file, name, time: Number(time) });
  }
  return found.sort((a, b) => b.time - a.time);
}

function checkName(name: unknown): void {
  if (typeof name !== 'string') throw new TypeError('name must be a string');
  if (name.length >= 1 && name.length <= MAX_NAME) return;
  throw new RangeError(`name must have 1 to ${MAX_NAME} characters, not ${name.length}`);
}
