// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import { ResponseStore } from './cache-api.js';
import { OpfsStore } from './opfs.js';

/** The few things a model cache needs of a place to keep files. Names are flat. */
export interface CacheStore {
  /** Names of everything there, finished or not. */
  names(): Promise<string[]>;
  /** A file, read lazily; undefined when there is none. */
  open(name: string): Promise<Blob | undefined>;
  /** Starts an empty file; of an unfinished one nothing, a part or all may be found later. */
  create(name: string): Promise<CacheWriter>;
  /** Removes a file; false when there was none. Throws when another tab is writing it. */
  remove(name: string): Promise<boolean>;
}

/** Writes one file from front to back. */
export interface CacheWriter {
  /** Resolves when `bytes` may be reused. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the file is stored. */
  close(): Promise<void>;
  /** Gives up; the file may be removed afterwards. */
  abort(): Promise<void>;
}

/**
 * The best place this browser has: the origin private file system, else the Cache API.
 *
 * @param place a folder of its own
 * @throws ModelError `cache_unavailable` when it has neither (Node, private windows, plain HTTP)
 */
export async function openCacheStore(
  place: 'models' | 'sessions' | 'prefixes' = 'models',
): Promise<CacheStore> {
  const name = `fastweights-${place}`;
  const store = (await OpfsStore.open(name)) ?? (await ResponseStore.open(name));
  if (store) return store;
  throw new ModelError(
    'cache_unavailable',
    'this environment has neither an origin private file system nor the Cache API',
  );
}
