// SPDX-License-Identifier: MIT

import { checkNames, type NamesOf } from '../option-names.js';
import type { CacheOptions } from '../storage/models.js';
import type { ModelPart, ModelSource } from './byte-source.js';
import { checkpointParts } from './checkpoint-parts.js';
import { locate } from './locate.js';
import { listParts } from './split-files.js';

/** {@link CacheOptions} as they cross to a worker, which functions cannot. */
export interface CacheSettings {
  revalidate: boolean;
  required: boolean;
  budgetBytes: number;
  packed: boolean;
  /** What each file of the model is called; undefined of those that are not downloaded. */
  keys: (string | undefined)[];
  /** Of a checkpoint's folder that is called something: with the name of a file, the file's key. */
  folder?: string;
}

const NAMES: NamesOf<CacheOptions> = {
  cacheKey: true,
  revalidate: true,
  required: true,
  persist: true,
  budgetBytes: true,
  packed: true,
};

/**
 * @returns undefined where nothing is to be kept
 * @throws TypeError or RangeError naming the option
 */
export function cacheSettings(
  source: ModelSource,
  cache: boolean | CacheOptions | undefined,
): CacheSettings | undefined {
  if (cache === undefined || cache === false) return undefined;
  if (cache !== true && !(cache && typeof cache === 'object')) {
    throw new TypeError('cache must be true, false or an object');
  }
  if (cache !== true) checkNames(cache, NAMES, 'cache.');
  const options = cache === true ? {} : cache;
  const { cacheKey: key, revalidate, required, persist, budgetBytes, packed } = options;
  for (const [name, value] of Object.entries({ revalidate, required, persist, packed })) {
    if (value !== undefined && typeof value !== 'boolean') {
      throw new TypeError(`cache.${name} must be true or false`);
    }
  }
  if (key !== undefined && typeof key !== 'function' && (typeof key !== 'string' || key === '')) {
    throw new TypeError('cache.cacheKey must be a string, not empty, or a function');
  }
  return {
    revalidate: revalidate ?? false,
    required: required ?? false,
    budgetBytes: budget(budgetBytes),
    packed: packed ?? false,
    ...keysOf(source, key),
  };
}

/** What a file is called unless the load says otherwise; undefined of what is not downloaded. */
export function urlKey(part: ModelPart): string | undefined {
  const place = locate(part);
  if (!place || !('url' in place) || !/^https?:/i.test(place.url)) return undefined;
  return place.url.replace(/#.*$/s, '');
}

function budget(bytes: unknown): number {
  if (bytes === undefined) return Number.POSITIVE_INFINITY;
  if (typeof bytes !== 'number') throw new TypeError('cache.budgetBytes must be a number');
  if (bytes >= 0) return bytes;
  throw new RangeError(`cache.budgetBytes must be 0 or more, not ${bytes}`);
}

function keysOf(
  source: ModelSource,
  key: CacheOptions['cacheKey'],
): Pick<CacheSettings, 'keys' | 'folder'> {
  const checkpoint = checkpointParts(source);
  if (checkpoint?.folder !== undefined) {
    if (typeof key !== 'function') return { keys: [], folder: key && `${key}/` };
    throw new TypeError('cache.cacheKey must be a string for a model that is given by its folder');
  }
  const names = checkpoint?.files.map(({ name }) => name);
  const parts = checkpoint
    ? checkpoint.files.map(({ part }) => part)
    : listParts(source as ModelPart | ModelPart[]);
  const keys = parts.map((part, i) => {
    const url = urlKey(part);
    if (url === undefined || key === undefined) return url;
    if (typeof key === 'string') {
      if (names) return `${key}/${names[i]}`;
      return parts.length === 1 ? key : `${key}-${i + 1}-of-${parts.length}`;
    }
    const given = key(url);
    if (typeof given === 'string' && given !== '') return given;
    throw new TypeError('cache.cacheKey must give a string, not empty');
  });
  return { keys };
}
