// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import { ResponseStore } from './cache-api.js';
import { OpfsStore } from './opfs.js';
import type { CacheStore } from './store.js';

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
