// SPDX-License-Identifier: MIT

import type { LoadOptions } from './load-model.js';
import type { ModelSource } from './sources/byte-source.js';
import { cacheSettings } from './sources/cache-settings.js';
import { checkpointParts, possibleFolder } from './sources/checkpoint-parts.js';
import { modelCache } from './storage/kept-models.js';

/**
 * Whether everything that a load would download is kept in this browser: what does not come from an
 * http URL is. Asks no server, so `cache.revalidate` may still find a kept file to be old.
 *
 * @param cache as it will be given to {@link loadModel}, whose `cacheKey` says what files are called
 * @throws TypeError or RangeError naming an option
 */
export async function isKept(
  source: ModelSource,
  { cache = true }: Pick<LoadOptions, 'cache'> = {},
): Promise<boolean> {
  const settings = cacheSettings(source, cache || true);
  const folder = checkpointParts(source)?.folder;
  if (settings && folder !== undefined) {
    const { isFolderKept } = await import('./checkpoints/kept-checkpoint.js');
    return isFolderKept(folder, settings);
  }
  const keys = settings?.keys.filter((key) => key !== undefined) ?? [];
  if (keys.length === 0) return true;
  const entries = await modelCache.list().catch(() => []);
  const kept = new Set(entries.map(({ key }) => key));
  if (keys.every((key) => kept.has(key))) return true;
  const other = possibleFolder(source);
  return other !== undefined && isKept(other, { cache });
}
