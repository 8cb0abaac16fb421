// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { CacheEntry, CacheFill, ModelCache } from '../storage/models.js';
import type { Sha256 } from '../storage/sha256.js';
import type { ByteSource, ModelPart } from './byte-source.js';
import { type ByteFeed, ForwardSource } from './forward-source.js';
import { type HttpSource, openHttp } from './http-source.js';
import type { Validators } from './http-version.js';
import { locate } from './locate.js';
import { openPart } from './open-part.js';

/** How the files of a model are opened. */
export interface PartOptions {
  signal?: AbortSignal;
  /** Where downloads are kept; undefined to keep nothing. */
  cache?: ModelCache;
  revalidate?: boolean;
  /** Hex digest the file must have. */
  sha256?: string;
}

/** One file being read, with what has to happen when its last byte is in. */
export interface PartReader {
  readonly source: ByteSource;
  readonly phase: 'download' | 'cache' | 'file';
  /** Reads what is left if every byte counts, verifies, and makes the cache entry. */
  finish(): Promise<void>;
  /** Closes the source; without {@link finish} before it, nothing is kept. */
  close(): Promise<void>;
}

/** Opens a file from the cache, the network (storing it if asked to) or the device. */
export async function openReader(part: ModelPart, options: PartOptions): Promise<PartReader> {
  const { signal, cache } = options;
  const place = locate(part);
  const url = place && 'url' in place ? place.url : undefined;
  const digest = options.sha256 === undefined ? undefined : await Digest.of(options.sha256);
  if (!cache || url === undefined || !/^https?:/i.test(url)) {
    const source = await openPart(part, { signal });
    return new Reader(source, url === undefined ? 'file' : 'download', { digest, signal });
  }
  const found = await cache.find(url);
  const fresh = await download(url, found?.entry, options);
  if (!fresh && found) {
    const source = await openPart(found.file, { signal });
    return new Reader(source, 'cache', { digest, signal, drop: () => cache.delete(url) });
  }
  const source = fresh as HttpSource;
  let fill: CacheFill;
  try {
    fill = await cache.fill(url);
  } catch (error) {
    await source.close();
    throw error;
  }
  return new Reader(source, 'download', { digest, signal, fill, version: source.version });
}

async function download(
  url: string,
  entry: CacheEntry | undefined,
  { signal, revalidate }: PartOptions,
): Promise<HttpSource | undefined> {
  if (!entry) return openHttp(url, { signal, httpCache: 'no-store' });
  if (!revalidate) return undefined;
  try {
    return await openHttp(url, { signal, httpCache: 'no-store', unlessStill: entry });
  } catch (error) {
    // Offline: the kept copy is what there is.
    if (error instanceof ModelError && error.code === 'network') return undefined;
    throw error;
  }
}

interface Duties {
  digest: Digest | undefined;
  signal: AbortSignal | undefined;
  fill?: CacheFill;
  version?: Validators;
  /** Forgets the kept copy. */
  drop?: () => Promise<unknown>;
}

class Reader implements PartReader {
  readonly source: ByteSource;
  readonly phase: 'download' | 'cache' | 'file';
  #duties: Duties;
  #everyByte: boolean;

  constructor(source: ByteSource, phase: 'download' | 'cache' | 'file', duties: Duties) {
    const { digest, fill, signal } = duties;
    this.phase = phase;
    this.#duties = duties;
    this.#everyByte = digest !== undefined || fill !== undefined;
    this.source = this.#everyByte
      ? new ForwardSource(new TappedFeed(source, digest, fill), signal)
      : source;
  }

  async finish(): Promise<void> {
    const { digest, fill, version, drop } = this.#duties;
    if (!this.#everyByte) return;
    const { source } = this;
    while (await source.read());
    if (source.size !== undefined && source.position !== source.size) {
      const message = `${source.name}: the file ends at byte ${source.position} of ${source.size}`;
      throw new ModelError('truncated', message, { subject: source.name });
    }
    const found = digest?.hash.hex();
    if (digest && found !== digest.expected) {
      await drop?.();
      const message = `${source.name}: sha256 is ${found}, not ${digest.expected}`;
      throw new ModelError('integrity', message, { subject: source.name });
    }
    const { etag, lastModified } = version ?? {};
    await fill?.commit({ etag, lastModified, sha256: found });
  }

  async close(): Promise<void> {
    await this.source.close();
    await this.#duties.fill?.abort();
  }
}

// Every byte passes here once, in order, so it never jumps.
class TappedFeed implements ByteFeed {
  #inner: ByteSource;
  #digest: Digest | undefined;
  #fill: CacheFill | undefined;

  constructor(inner: ByteSource, digest: Digest | undefined, fill: CacheFill | undefined) {
    this.#inner = inner;
    this.#digest = digest;
    this.#fill = fill;
  }

  get name(): string {
    return this.#inner.name;
  }

  get size(): number | undefined {
    return this.#inner.size;
  }

  async pull(): Promise<Uint8Array | undefined> {
    const bytes = await this.#inner.read();
    if (!bytes) return undefined;
    this.#digest?.hash.add(bytes);
    await this.#fill?.write(bytes);
    return bytes;
  }

  async jump(): Promise<boolean> {
    return false;
  }

  learnEnd(end: number, padded: number): void {
    this.#inner.learnEnd(end, padded);
  }

  release(): Promise<void> {
    return this.#inner.close();
  }
}

class Digest {
  private constructor(
    readonly expected: string,
    readonly hash: Sha256,
  ) {}

  static async of(expected: string): Promise<Digest> {
    if (!/^[0-9a-f]{64}$/i.test(expected)) throw new TypeError('sha256 must be 64 hex digits');
    const { Sha256 } = await import('../storage/sha256.js');
    return new Digest(expected.toLowerCase(), new Sha256());
  }
}
