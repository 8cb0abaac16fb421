// SPDX-License-Identifier: MIT

import { type CacheSettings, urlKey } from '../sources/cache-settings.js';
import { FILE_NAMES, inFolder } from '../sources/checkpoint-parts.js';
import { modelCache } from '../storage/models.js';
import { shardsOf } from './shard-index.js';

/** Whether all that a load would need of a checkpoint's folder is in the cache. */
export async function isFolderKept(folder: string, settings: CacheSettings): Promise<boolean> {
  const keyOf = (name: string) =>
    settings.folder === undefined ? urlKey(inFolder(folder, name)) : settings.folder + name;
  // Not on the network: there is nothing to keep.
  if (urlKey(folder) === undefined) return true;
  const kept = new Set((await modelCache.list().catch(() => [])).map(({ key }) => key));
  const has = (name: string) => kept.has(keyOf(name) as string);
  if (!has(FILE_NAMES.config)) return false;
  if (has('model.safetensors')) return true;
  const index = await modelCache.find(keyOf(FILE_NAMES.index) as string).catch(() => undefined);
  if (!index) return false;
  try {
    return shardsOf(await index.file.text(), FILE_NAMES.index).files.every(has);
  } catch {
    return false;
  } finally {
    index.release();
  }
}
