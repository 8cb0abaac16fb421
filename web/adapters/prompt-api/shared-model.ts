// SPDX-License-Identifier: MIT
import { abortable } from '../../abort.js';
import { type LoadProgress, loadModel, Model, type ModelSource, modelCache } from '../../index.js';
import type { Availability, CreateCoreOptions } from './types.js';

type OnProgress = (progress: LoadProgress) => void;

const loads = new Map<unknown, SharedModel>();
const keyOf = (source: ModelSource) => (source instanceof URL ? source.href : source);

/** A model that several language models of one source share; it is freed with the last of them. */
export class SharedModel {
  readonly #ended = new AbortController();
  readonly #listeners = new Set<OnProgress>();
  readonly #key: unknown;
  readonly #model: Promise<Model>;
  #users = 0;
  loaded = false;

  private constructor(source: Model | ModelSource, options: CreateCoreOptions['loadOptions']) {
    if (source instanceof Model) {
      this.#model = Promise.resolve(source);
      return;
    }
    this.#key = keyOf(source);
    loads.set(this.#key, this);
    const onProgress: OnProgress = (progress) => {
      for (const listener of this.#listeners) listener(progress);
    };
    this.#model = loadModel(source, { ...options, signal: this.#ended.signal, onProgress });
    this.#model.then(
      () => {
        this.loaded = true;
      },
      () => this.#forget(),
    );
  }

  static of(source: Model | ModelSource, options: CreateCoreOptions['loadOptions']): SharedModel {
    const known = source instanceof Model ? undefined : loads.get(keyOf(source));
    return known ?? new SharedModel(source, options);
  }

  /** The model, for one more user; whoever has got it must `release` it. */
  async take(signal: AbortSignal | undefined, onProgress: OnProgress): Promise<Model> {
    this.#users += 1;
    this.#listeners.add(onProgress);
    try {
      return await abortable(this.#model, signal);
    } catch (error) {
      this.release();
      throw error;
    } finally {
      this.#listeners.delete(onProgress);
    }
  }

  /** One more user of a model that is there. */
  share(): void {
    this.#users += 1;
  }

  release(): void {
    this.#users -= 1;
    // A model that came from outside belongs to whoever loaded it.
    if (this.#users > 0 || this.#key === undefined) return;
    this.#forget();
    this.#ended.abort();
    this.#model.then(
      (model) => model.dispose(),
      () => {},
    );
  }

  #forget(): void {
    if (loads.get(this.#key) === this) loads.delete(this.#key);
  }
}

/** Whether a model is there, or what has to come first. */
export async function availabilityOf(source: Model | ModelSource): Promise<Availability> {
  if (source instanceof Model) return 'available';
  const load = loads.get(keyOf(source));
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
