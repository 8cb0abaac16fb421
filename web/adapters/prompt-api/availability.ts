// SPDX-License-Identifier: MIT
import { Model, type ModelSource, modelCache } from '../../index.js';
import { SharedModel } from '../shared-model.js';
import type { Availability } from './types.js';

/** Whether a model is there, or what has to come first. */
export async function availabilityOf(source: Model | ModelSource): Promise<Availability> {
  if (source instanceof Model) return 'available';
  const load = SharedModel.known(source);
  if (load) return load.loaded ? 'available' : 'downloading';
  const urls = (Array.isArray(source) ? source : [source]).flatMap(urlOf);
  if (urls.length === 0) return 'available';
  const kept = await modelCache.list().catch(() => []);
  return urls.every((url) => kept.some((entry) => entry.url === url))
    ? 'available'
    : 'downloadable';
}

// Addresses that are fetched, as the cache knows them; what else there is lies on this device.
function urlOf(part: unknown): string[] {
  if (typeof part !== 'string' && !(part instanceof URL)) return [];
  try {
    const url = new URL(part, globalThis.document?.baseURI);
    url.hash = '';
    return /^https?:$/.test(url.protocol) ? [url.href] : [];
  } catch {
    return [];
  }
}
