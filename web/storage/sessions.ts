// SPDX-License-Identifier: MIT

import { storageError } from '../errors.js';
import { keyOf } from './key-of.js';
import type { KeyedFiles } from './keyed-files.js';

/** A session that is kept in this browser. */
export interface StoredSession {
  name: string;
  bytes: number;
  /** When it was stored, as an ISO 8601 time. */
  date: string;
}

const MAX_NAME = 64;
// Another tab may save between the look at what there is and the read of it, and remove that.
const LOOKS = 3;

/** Saved sessions by name, in storage that belongs to the page's origin. */
export class SessionStore {
  #open: () => Promise<KeyedFiles>;

  /** @param open gives the storage, or throws ModelError `cache_unavailable` */
  constructor(open: () => Promise<KeyedFiles>) {
    this.#open = open;
  }

  /** Keeps a session in the place of what had its name; until it is whole, that stays. */
  async save(name: string, bytes: Uint8Array): Promise<void> {
    checkName(name);
    await this.#guarded((files) => files.put(keyOf(name), { name }, bytes));
  }

  /** What was saved under a name, the latest first; more than one where a save was interrupted. */
  async read(name: string): Promise<Uint8Array[]> {
    checkName(name);
    return this.#guarded(async (files) => {
      const found: Uint8Array[] = [];
      for (let look = 0; look < LOOKS && found.length === 0; look++) {
        for (const version of await files.versions(keyOf(name))) {
          const bytes = await files.read(version);
          if (bytes) found.push(bytes);
        }
      }
      return found;
    });
  }

  /** The latest of each name. */
  async list(): Promise<StoredSession[]> {
    return this.#guarded(async (files) => {
      const sessions: StoredSession[] = [];
      for (const version of await files.list()) {
        const { name } = await files.facts<{ name: string }>(version);
        const { bytes, time } = version;
        const date = new Date(time).toISOString();
        if (name !== undefined) sessions.push({ name, bytes, date });
      }
      return sessions;
    });
  }

  /** Removes a session; false when there was none. */
  async delete(name: string): Promise<boolean> {
    checkName(name);
    return this.#guarded((files) => files.remove(keyOf(name)));
  }

  /** Removes every session. */
  async clear(): Promise<void> {
    await this.#guarded((files) => files.clear());
  }

  async #guarded<T>(work: (files: KeyedFiles) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (cause) {
      throw storageError(cause, 'sessions cannot be kept');
    }
  }
}

function checkName(name: unknown): void {
  if (typeof name !== 'string') throw new TypeError('name must be a string');
  if (name.length >= 1 && name.length <= MAX_NAME) return;
  throw new RangeError(`name must have 1 to ${MAX_NAME} characters, not ${name.length}`);
}
