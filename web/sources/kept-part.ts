// SPDX-License-Identifier: MIT
// Fetched with the first model that is kept.

import { ModelError } from '../errors.js';
import type { Release } from '../storage/locks.js';
import type { CacheFill, FileFacts, HeldFile, ModelCache } from '../storage/models.js';
import type { ByteSource } from './byte-source.js';
import type { CacheSettings } from './cache-settings.js';
import { type ByteFeed, ForwardSource } from './forward-source.js';
import { type HttpSource, openHttp } from './http-source.js';
import type { Keeper, Keeping } from './keeper.js';
import { openPart } from './open-part.js';

interface Kept {
  source: ByteSource;
  keeper: Keeper | undefined;
}

/**
 * Opens a kept copy, or a download that is being kept. Where another tab downloads the file it is
 * waited for, and its copy taken. A cache that fails is as none, unless it is required.
 *
 * @throws what opening a URL does; ModelError `cache_unavailable` where the cache is required; the
 * signal's reason
 */
export async function openKept(
  url: string,
  keeping: Keeping,
  signal: AbortSignal | undefined,
): Promise<Kept> {
  const { cache, key, settings, peek } = keeping;
  const luck = new Luck(settings.required);
  for (;;) {
    const held = await luck.try(() => cache.find(key));
    const fresh = await ifNeeded(url, held, settings, signal);
    if (held && !fresh) {
      const source = await openPart(held.file, { signal });
      return { source, keeper: new Copy(cache, held) };
    }
    held?.release();
    let turn: Release | undefined;
    try {
      if (!peek) turn = await luck.try(() => cache.turn(key, { ifFree: true }));
      // Another tab may have finished before it gave the turn back.
      const later = turn && (await luck.try(() => cache.find(key)));
      later?.release();
      if (peek || luck.failure) {
        turn?.();
        const source = fresh ?? (await openHttp(url, { signal }));
        return { source, keeper: luck.failure && new Failed(luck.failure) };
      }
      if (turn && (!later || later.version.id === held?.version.id)) {
        return await download(url, keeping, { fresh, luck, turn, signal });
      }
      turn?.();
      // Servers drop connections that wait.
      await fresh?.close();
      if (!turn) (await waitForTurn(keeping, signal))();
    } catch (error) {
      turn?.();
      await fresh?.close();
      throw error;
    }
  }
}

/** What the cache failed with, if anything. */
class Luck {
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

// A download where the kept copy is missing or old.
async function ifNeeded(
  url: string,
  held: HeldFile | undefined,
  { revalidate }: CacheSettings,
  signal: AbortSignal | undefined,
): Promise<HttpSource | undefined> {
  if (!held || !revalidate) return undefined;
  const { facts, version } = held;
  const unlessStill = { ...facts, bytes: version.bytes };
  try {
    return await openHttp(url, { signal, httpCache: 'no-store', unlessStill });
  } catch (error) {
    // Offline: the kept copy is what there is.
    if (error instanceof ModelError && error.code === 'network') return undefined;
    held.release();
    throw error;
  }
}

interface Turn {
  /** A download that has begun. */
  fresh: HttpSource | undefined;
  luck: Luck;
  turn: Release;
  signal: AbortSignal | undefined;
}

async function download(url: string, keeping: Keeping, own: Turn): Promise<Kept> {
  const { cache, key } = keeping;
  const { fresh, luck, turn, signal } = own;
  let from: HeldFile | undefined;
  let http = fresh;
  try {
    from = fresh ? undefined : await luck.try(() => cache.interrupted(key));
    const resume = from && {
      at: from.version.bytes,
      version: { ...from.facts, bytes: from.facts.of },
    };
    const source = fresh ?? (await openHttp(url, { signal, httpCache: 'no-store', resume }));
    http = source;
    if (from && source.position === 0) {
      const old = from;
      from = undefined;
      old.release();
      await luck.try(() => cache.drop(old));
    }
    const facts = (): FileFacts => {
      const { etag, lastModified } = source.version;
      return { key, url, date: new Date().toISOString(), etag, lastModified, of: source.size };
    };
    const keeper = new Download(keeping, { http, from, luck, turn });
    if (http.size !== undefined) await keeper.makeRoom(http.size);
    keeper.fill = await luck.try(() => cache.fill(key, facts, from));
    const feed = from && new ResumedFeed(await openPart(from.file, { signal }), http);
    return { source: feed ? new ForwardSource(feed, signal) : http, keeper };
  } catch (error) {
    from?.release();
    await http?.close();
    throw error;
  }
}

/** Waits until another tab has the file, or has given up, and says how far it is. */
async function waitForTurn(
  { cache, key, onWait }: Keeping,
  signal: AbortSignal | undefined,
): Promise<Release> {
  onWait(0, undefined);
  const channel = channelOf(key);
  if (channel) channel.onmessage = ({ data }) => onWait(data.loaded, data.total);
  try {
    return await cache.turn(key, { signal });
  } finally {
    channel?.close();
  }
}

function channelOf(key: string): BroadcastChannel | undefined {
  return typeof BroadcastChannel === 'function'
    ? new BroadcastChannel(`fastweights download ${key}`)
    : undefined;
}

/** A file that could not be kept. */
class Failed implements Keeper {
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
class Copy implements Keeper {
  readonly notKept = undefined;
  kept = true;
  #cache: ModelCache;
  #held: HeldFile;

  constructor(cache: ModelCache, held: HeldFile) {
    this.#cache = cache;
    this.#held = held;
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

/** A file on its way into the cache. */
class Download implements Keeper {
  kept = false;
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
    {
      http,
      from,
      luck,
      turn,
    }: { http: HttpSource; from?: HeldFile } & Omit<Turn, 'fresh' | 'signal'>,
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

/** What is stored of an interrupted download, and then the rest of it. */
class ResumedFeed implements ByteFeed {
  #stored: ByteSource | undefined;
  #rest: HttpSource;

  constructor(stored: ByteSource, rest: HttpSource) {
    this.#stored = stored;
    this.#rest = rest;
  }

  get name(): string {
    return this.#rest.name;
  }

  get size(): number | undefined {
    return this.#rest.size;
  }

  async pull(): Promise<Uint8Array | undefined> {
    const bytes = await this.#stored?.read();
    if (bytes) return bytes;
    this.#stored = undefined;
    return this.#rest.read();
  }

  async jump(): Promise<boolean> {
    return false;
  }

  learnEnd(end: number, padded: number): void {
    this.#rest.learnEnd(end, padded);
  }

  async release(): Promise<void> {
    await this.#stored?.close();
    await this.#rest.close();
  }
}
