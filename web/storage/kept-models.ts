// SPDX-License-Identifier: MIT
import type { CacheEntry, ModelCache } from './models.js';

// Fetched by the first call: most pages keep no model.
async function cache(): Promise<ModelCache> {
  return (await import('./models.js')).modelCache;
}

/**
 * The model files that `cache: true` has kept in this browser, wherever pages and workers of this
 * origin have put them. Each call throws ModelError `cache_unavailable` where there is no storage.
 */
export const modelCache: Pick<ModelCache, 'list' | 'size' | 'delete' | 'clear'> = {
  /** Every complete file, and where asked for those that an interrupted download began. */
  async list(options?: { incomplete?: boolean }): Promise<CacheEntry[]> {
    return (await cache()).list(options);
  },
  /** Bytes of all complete files. */
  async size(): Promise<number> {
    return (await cache()).size();
  },
  /** Removes one file, by its URL or key; false when it was not there. */
  async delete(url: string): Promise<boolean> {
    return (await cache()).delete(url);
  },
  /** Removes every file that no load is reading or writing, and what interrupted loads left behind. */
  async clear(): Promise<void> {
    await (await cache()).clear();
  },
};
