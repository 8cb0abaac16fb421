// SPDX-License-Identifier: MIT
import { abortable } from '../abort.js';
import {
  type LoadOptions,
  type LoadProgress,
  loadModel,
  Model,
  type ModelSource,
} from '../index.js';

/** How a shared model is loaded: for whom, and how long, its users decide together. */
export type SharedLoadOptions = Omit<LoadOptions, 'signal' | 'onProgress'>;

type OnProgress = (progress: LoadProgress) => void;

const loads = new Map<unknown, SharedModel>();

/** What tells sources apart: addresses by their text, anything else by identity. */
export const sourceKey = (source: ModelSource | undefined): unknown =>
  source instanceof URL ? source.href : source;

/** A model that several users of one source share; it is freed with the last of them. */
export class SharedModel {
  readonly #ended = new AbortController();
  readonly #listeners = new Set<OnProgress>();
  readonly #key: unknown;
  readonly #model: Promise<Model>;
  #progress: LoadProgress | undefined;
  #users = 0;
  loaded = false;

  private constructor(source: Model | ModelSource, options: SharedLoadOptions | undefined) {
    if (source instanceof Model) {
      this.#model = Promise.resolve(source);
      return;
    }
    this.#key = sourceKey(source);
    loads.set(this.#key, this);
    const onProgress: OnProgress = (progress) => {
      this.#progress = progress;
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

  /** The one of a source, if it is there or on its way. */
  static known(source: ModelSource): SharedModel | undefined {
    return loads.get(sourceKey(source));
  }

  /** @param options of the load; where there is one already, they are not looked at */
  static of(source: Model | ModelSource, options?: SharedLoadOptions): SharedModel {
    const known = source instanceof Model ? undefined : SharedModel.known(source);
    return known ?? new SharedModel(source, options);
  }

  /** The model, for one more user; whoever has got it must `release` it. */
  async take(signal: AbortSignal | undefined, onProgress: OnProgress): Promise<Model> {
    this.#users += 1;
    this.#listeners.add(onProgress);
    if (this.#progress) onProgress(this.#progress);
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
    if (this.#key === undefined) return;
    // One user leaves and the next comes within a task: React's StrictMode takes every component away
    // once and puts it back, and what one page shows the next one may.
    setTimeout(() => this.#users > 0 || this.#end());
  }

  #end(): void {
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
