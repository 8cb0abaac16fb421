// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { Release } from '../storage/locks.js';
import type { CacheFill, HeldFile, ModelCache } from '../storage/models.js';
import type { HttpSource } from './http-source.js';
import type { Keeper, Keeping } from './keeper.js';

/** What the cache failed with, if anything. */
export class Luck {
  readonly #required: boolean;
  failure: ModelError | undefined;

  constructor(required: boolean) {
    this.#required = required;
  }

  async try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      if (!this.failure) return await work();
    } catch (error) {
      if ((error as ModelError).code !== 'cache_unavailable') throw error;
      this.fail(error as ModelError);
    }
    return undefined;
  }

  fail(failure: ModelError): void {
    this.failure ??= failure;
    if (this.#required) throw failure;
  }
}

/** A file that could not be kept. */
export class Failed implements Keeper {
  readonly kept = false;
  readonly notKept: string;

  constructor({ message }: ModelError) {
    this.notKept = message;
  }

  async finish(): Promise<void> {}
  async forget(): Promise<void> {}
  async close(): Promise<void> {}
}

/** A kept copy. */
export class Copy implements Keeper {
  readonly notKept = undefined;
  kept = true;
  #cache: ModelCache;
  #held: HeldFile;

  constructor(cache: ModelCache, held: HeldFile) {
    this.#cache = cache;
    this.#held = held;
  }

  get keptAs(): string {
    return this.#held.version.id;
  }

  async finish(): Promise<void> {
    // A full disk forgets when it was used.
    await this.#cache.use(this.#held).catch(() => {});
  }

  async forget(): Promise<void> {
    this.kept = false;
    await this.#cache.drop(this.#held).catch(() => {});
  }

  async close(): Promise<void> {
    this.#held.release();
  }
}

/** One who downloads a file, alone among the tabs. */
export interface Turn {
  luck: Luck;
  turn: Release;
}

/** A file on its way into the cache. */
export class Download implements Keeper {
  kept = false;
  keptAs: string | undefined;
  fill: CacheFill | undefined;
  #keeping: Keeping;
  #http: HttpSource;
  #luck: Luck;
  #releases: Release[];
  /** Bytes that are stored already, and were read from there. */
  #stored: number;
  #read = 0;
  #channel: BroadcastChannel | undefined;
  #told = 0;

  constructor(
    keeping: Keeping,
    { http, from, luck, turn }: { http: HttpSource; from?: HeldFile } & Turn,
  ) {
    this.#keeping = keeping;
    this.#http = http;
    this.#luck = luck;
    this.#releases = from ? [from.release, turn] : [turn];
    this.#stored = http.position;
  }

  get notKept(): string | undefined {
    return this.#luck.failure?.message;
  }

  /** Makes room for so many bytes, or gives up. */
  async makeRoom(bytes: number): Promise<void> {
    const { cache, key, settings } = this.#keeping;
    const { budgetBytes } = settings;
    const keys = settings.keys.filter((one) => one !== undefined);
    const room = await this.#luck.try(() => cache.makeRoom(key, bytes, budgetBytes, keys));
    if (room !== false) return;
    await this.#drop();
    const message = `the model cannot be cached: it takes more than the ${budgetBytes} bytes that are left to it`;
    this.#luck.fail(new ModelError('cache_unavailable', message, { subject: key }));
  }

  async take(bytes: Uint8Array): Promise<void> {
    const { byteLength } = bytes;
    this.#read += byteLength;
    this.#tell();
    if (this.#read <= this.#stored) return;
    const { fill } = this;
    if (!fill) return;
    const fresh = bytes.subarray(Math.max(0, byteLength - (this.#read - this.#stored)));
    await this.#luck.try(() => fill.write(fresh, this.#http.resumable));
    if (this.#luck.failure) this.fill = undefined;
    if (fill.bytes > this.#keeping.settings.budgetBytes) await this.makeRoom(fill.bytes);
  }

  async finish(sha256: string | undefined): Promise<void> {
    if (this.fill) await this.makeRoom(this.fill.bytes);
    const { fill } = this;
    if (!fill) return;
    await this.#luck.try(() => fill.commit(sha256));
    this.kept = this.#luck.failure === undefined;
    if (this.kept) this.keptAs = fill.id;
  }

  async forget(): Promise<void> {
    await this.#drop();
  }

  async close(): Promise<void> {
    this.#channel?.close();
    this.#channel = undefined;
    if (!this.kept) await this.fill?.leave(this.#http.resumable).catch(() => {});
    this.fill = undefined;
    for (const release of this.#releases.splice(0)) release();
  }

  async #drop(): Promise<void> {
    const { fill } = this;
    this.fill = undefined;
    await fill?.drop();
  }

  #tell(): void {
    const now = Date.now();
    if (now - this.#told < 100) return;
    this.#told = now;
    // Opened late: whoever fails before the first bytes is closed by nobody.
    this.#channel ??= channelOf(this.#keeping.key);
    this.#channel?.postMessage({ loaded: this.#read, total: this.#http.size });
  }
}

/** Where tabs tell each other how far a download is; undefined where they cannot. */
export function channelOf(key: string): BroadcastChannel | undefined {
  return typeof BroadcastChannel === 'function'
    ? new BroadcastChannel(`fastweights download ${key}`)
    : undefined;
}
