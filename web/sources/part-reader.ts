// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { Sha256 } from '../storage/sha256.js';
import type { ByteSource, ModelPart } from './byte-source.js';
import { type ByteFeed, ForwardSource } from './forward-source.js';
import type { Keeper, Keeping } from './keeper.js';
import { locate } from './locate.js';
import { type Asking, openPart } from './open-part.js';

/** How the files of a model are opened. */
export interface PartOptions extends Asking {
  /** Where a download is kept; undefined to keep nothing. */
  keeping?: Keeping;
  /** Hex digest the file must have. */
  sha256?: string;
}

/** One file being read, with what has to happen when its last byte is in. */
export interface PartReader {
  readonly source: ByteSource;
  readonly phase: 'download' | 'cache' | 'file';
  /** Whether the file is in the cache, after {@link finish}, and why not if it was to be. */
  readonly keeper: Pick<Keeper, 'kept' | 'notKept' | 'keptAs'> | undefined;
  /** Reads what is left if every byte counts, verifies, and makes the cache entry. */
  finish(): Promise<void>;
  /** Forgets what is kept of a file that is not sound. */
  forget(): Promise<void>;
  /** Closes the source; without {@link finish} before it, nothing becomes an entry. */
  close(): Promise<void>;
}

/** Opens a file from the cache, the network (storing it if asked to) or the device. */
export async function openReader(part: ModelPart, options: PartOptions): Promise<PartReader> {
  const { signal, stallTimeout, rangeBytes, keeping } = options;
  const place = locate(part);
  const url = place && 'url' in place ? place.url : undefined;
  const digest = options.sha256 === undefined ? undefined : await Digest.of(options.sha256);
  if (keeping && url !== undefined && /^https?:/i.test(url)) {
    const { openKept } = await import('./kept-part.js');
    const { source, keeper } = await openKept(url, keeping, { signal, stallTimeout });
    const phase = keeper && !keeper.take && keeper.kept ? 'cache' : 'download';
    return new Reader(source, phase, { digest, signal, keeper });
  }
  const source = await openPart(part, { signal, stallTimeout, rangeBytes });
  return new Reader(source, url === undefined ? 'file' : 'download', { digest, signal });
}

interface Duties {
  digest: Digest | undefined;
  signal: AbortSignal | undefined;
  keeper?: Keeper;
}

class Reader implements PartReader {
  readonly source: ByteSource;
  readonly phase: 'download' | 'cache' | 'file';
  readonly keeper: Keeper | undefined;
  #digest: Digest | undefined;
  #everyByte: boolean;

  constructor(source: ByteSource, phase: 'download' | 'cache' | 'file', duties: Duties) {
    const { digest, keeper, signal } = duties;
    this.phase = phase;
    this.keeper = keeper;
    this.#digest = digest;
    this.#everyByte = digest !== undefined || keeper?.take !== undefined;
    this.source = this.#everyByte
      ? new ForwardSource(new TappedFeed(source, digest, keeper), signal)
      : source;
  }

  async finish(): Promise<void> {
    const { source, keeper } = this;
    if (this.#everyByte) {
      while (await source.read());
      if (source.size !== undefined && source.position !== source.size) {
        await this.forget();
        const message = `${source.name}: the file ends at byte ${source.position} of ${source.size}`;
        throw new ModelError('truncated', message, { subject: source.name });
      }
    }
    const digest = this.#digest;
    const found = digest?.hash.hex();
    if (digest && found !== digest.expected) {
      await this.forget();
      const message = `${source.name}: sha256 is ${found}, not ${digest.expected}`;
      throw new ModelError('integrity', message, { subject: source.name });
    }
    await keeper?.finish(found);
  }

  async forget(): Promise<void> {
    await this.keeper?.forget();
  }

  async close(): Promise<void> {
    await this.source.close();
    await this.keeper?.close();
  }
}

// Every byte passes here once, in order, so it never jumps.
class TappedFeed implements ByteFeed {
  #inner: ByteSource;
  #digest: Digest | undefined;
  #keeper: Keeper | undefined;

  constructor(inner: ByteSource, digest: Digest | undefined, keeper: Keeper | undefined) {
    this.#inner = inner;
    this.#digest = digest;
    this.#keeper = keeper;
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
    await this.#keeper?.take?.(bytes);
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
