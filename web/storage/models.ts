// SPDX-License-Identifier: MIT

import { type ModelError, storageError } from '../errors.js';
import type { Version } from './file-names.js';
import { keyOf } from './key-of.js';
import type { KeyedFiles } from './keyed-files.js';
import type { LockOptions, Release } from './locks.js';
import type { SyncFile } from './store.js';
import type { Writing } from './writing.js';

/** How a load uses the cache. */
export interface CacheOptions {
  /**
   * Ask the server whether its file changed, by ETag or date, before the kept copy is used. Without
   * a connection the kept copy is used. Default false.
   */
  revalidate?: boolean;
  /**
   * What the file is called in the cache, or a function that says so of its absolute URL. Default: the
   * URL without fragment, so that addresses which are signed anew each time never meet. Files of a
   * split model called by one string get their numbers added.
   */
  cacheKey?: string | ((url: string) => string);
  /**
   * Fail the load, with ModelError `cache_unavailable`, where its file cannot be kept. By default it
   * goes on, and `model.facts` says in `kept` and `notKept` what became of it.
   */
  required?: boolean;
  /**
   * Most bytes of all model files together: those used least recently are removed for a new one, and
   * one that is larger by itself is not kept. Default: as many as the browser allows.
   */
  budgetBytes?: number;
  /**
   * Ask the browser, with `navigator.storage.persist()`, not to remove kept files when its disk is
   * full. Some browsers ask their user. Default true.
   */
  persist?: boolean;
  /**
   * Keep the weights beside their file as they lie in memory, too, which takes as many bytes of storage
   * again: the next load reads them from there and packs nothing. They are written after the load, where
   * there is room for them without removing another file. Where the package, the build, the processor or
   * `weights` is another one, or bytes are damaged, the file is read as if they were not there. Of GGUF
   * files only. Default false.
   */
  packed?: boolean;
}

/** A model file that is kept in this browser. */
export interface CacheEntry {
  /** What it is called: where it came from unless the load's `cacheKey` said otherwise. */
  key: string;
  /** Where it came from, without fragment. */
  url: string;
  bytes: number;
  /** Of its weights as they lie in memory, beside the file, where `packed` keeps them. */
  packedBytes?: number;
  /** When it was stored, as an ISO 8601 time. */
  date: string;
  /** When it was last loaded, likewise. */
  used: string;
  etag?: string;
  /** The server's Last-Modified. */
  lastModified?: string;
  /** Hex digest, if the load that stored it verified one. */
  sha256?: string;
  /** Of a download that was interrupted: bytes of the whole file, when known. */
  of?: number;
  /** Of a download that was interrupted: the next load of it goes on from there. */
  incomplete?: true;
}

/** What is written down with a file. */
export type FileFacts = Pick<
  CacheEntry,
  'key' | 'url' | 'date' | 'etag' | 'lastModified' | 'sha256' | 'of'
>;

/** @internal A file that is not removed until it is released. */
export interface HeldFile {
  version: Version;
  facts: FileFacts;
  file: Blob;
  /** The same for reading at once, where this thread can. */
  openSync(): Promise<SyncFile | undefined>;
  release: Release;
}

/** Model files by URL or by what their loads called them, in storage that belongs to the page's origin. */
export class ModelCache {
  #open: () => Promise<KeyedFiles>;

  /** @param open gives the storage, or throws ModelError `cache_unavailable` */
  constructor(open: () => Promise<KeyedFiles>) {
    this.#open = open;
  }

  /** Every complete file, and where asked for those that an interrupted download began. */
  async list({ incomplete = false } = {}): Promise<CacheEntry[]> {
    return this.#guarded(async (files) => {
      const entries: CacheEntry[] = [];
      const packed = new Map<string, number>();
      const versions: Version[] = [];
      for (const version of await files.list()) {
        const owner = ownerOf(version);
        if (owner === undefined) versions.push(version);
        else packed.set(owner, (packed.get(owner) ?? 0) + version.bytes);
      }
      if (incomplete) versions.push(...(await files.interrupted()));
      for (const version of versions) {
        const facts = await files.facts<FileFacts>(version);
        if (!isSound(facts) || !(await files.open(version))) continue;
        const used = new Date(version.used).toISOString();
        const { bytes, key, whole } = version;
        const packedBytes = whole ? packed.get(key) : undefined;
        const more = {
          ...(packedBytes && { packedBytes }),
          ...(!whole && { incomplete: true as const }),
        };
        entries.push({ ...facts, bytes, used, ...more });
      }
      return entries;
    });
  }

  /** Removes one file, by its URL or key; false when it was not there. */
  async delete(url: string): Promise<boolean> {
    return this.#guarded(async (files) => {
      for (const key of new Set([keyOf(url), keyOf(canonical(url))])) {
        const packed = (await files.list()).filter((version) => ownerOf(version) === key);
        for (const version of packed) await files.remove(version.key);
        if (await files.remove(key)) return true;
      }
      return false;
    });
  }

  /** Removes every file that no load is reading or writing, and what interrupted loads left behind. */
  async clear(): Promise<void> {
    await this.#guarded((files) => files.clear());
  }

  /** Bytes of all complete files, and of what is packed beside them. */
  async size(): Promise<number> {
    const entries = await this.list();
    return entries.reduce((total, { bytes, packedBytes = 0 }) => total + bytes + packedBytes, 0);
  }

  /** @internal Where all of it lies. */
  async files(): Promise<KeyedFiles> {
    return this.#guarded(async (files) => files);
  }

  /** @internal The kept copy. */
  async find(key: string): Promise<HeldFile | undefined> {
    return this.#guarded(async (files) => {
      const version = (await files.list()).find((one) => one.key === keyOf(key));
      return version && hold(files, version, key);
    });
  }

  /** @internal What an interrupted download left; only for whoever has the key's turn. */
  async interrupted(key: string): Promise<HeldFile | undefined> {
    return this.#guarded(async (files) => {
      // Without turns it may be another tab's that goes on.
      if (!files.takesTurns) return undefined;
      const version = (await files.interrupted()).find((one) => one.key === keyOf(key));
      return version && hold(files, version, key);
    });
  }

  /** @internal The turn to download a file. */
  async turn(key: string, options: LockOptions & { ifFree: true }): Promise<Release | undefined>;
  async turn(key: string, options: LockOptions): Promise<Release>;
  async turn(key: string, options: LockOptions): Promise<Release | undefined> {
    const files = await this.#guarded(async (opened) => opened);
    return files.turn(keyOf(key), options);
  }

  /** @internal Starts to store a file, or goes on with an interrupted one. */
  async fill(key: string, facts: () => FileFacts, from?: HeldFile): Promise<CacheFill> {
    return this.#guarded(async (files) => {
      const writing = await files.begin(keyOf(key), from?.version);
      return new CacheFill(writing, facts, files.takesTurns);
    });
  }

  /**
   * @internal Removes files used least recently until there is room for a new one; false where there
   * is none.
   *
   * @param spare keys of files that stay
   */
  async makeRoom(key: string, bytes: number, most: number, spare: string[]): Promise<boolean> {
    return this.#guarded((files) => files.shrink(most - bytes, spare.map(keyOf), keyOf(key)));
  }

  /** @internal Makes a file the last one to go. */
  async use({ version }: HeldFile): Promise<void> {
    await this.#guarded((files) => files.use(version));
  }

  /** @internal Removes a copy that is not what it should be. */
  async drop({ version }: HeldFile): Promise<void> {
    await this.#guarded((files) => files.drop(version));
  }

  async #guarded<T>(work: (files: KeyedFiles) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** @internal One file on its way into the cache: no entry until {@link commit}. */
export class CacheFill {
  #writing: Writing;
  #facts: () => FileFacts;
  #mayGoOn: boolean;

  /** @param mayGoOn whether another load may go on with what this one leaves */
  constructor(writing: Writing, facts: () => FileFacts, mayGoOn: boolean) {
    this.#writing = writing;
    this.#facts = facts;
    this.#mayGoOn = mayGoOn;
  }

  get bytes(): number {
    return this.#writing.bytes;
  }

  /** That of its version. */
  get id(): string {
    return this.#writing.id;
  }

  /**
   * Stores the next bytes.
   *
   * @param resumable whether the server could be asked for what follows
   * @throws ModelError `cache_unavailable`, after giving up
   */
  async write(bytes: Uint8Array, resumable: boolean): Promise<void> {
    try {
      const full = await this.#writing.write(bytes);
      if (full && resumable && this.#mayGoOn) await this.#writing.note(this.#facts());
    } catch (error) {
      await this.#writing.drop();
      throw unavailable(error);
    }
  }

  /** Makes the file an entry, in place of an older one. */
  async commit(sha256: string | undefined): Promise<void> {
    try {
      const { of: _, ...facts } = this.#facts();
      await this.#writing.finish({ ...facts, date: new Date().toISOString(), sha256 });
    } catch (error) {
      await this.#writing.drop();
      throw unavailable(error);
    }
  }

  /** Gives up; what there is stays for the next load if that could go on from it. */
  async leave(resumable: boolean): Promise<void> {
    if (resumable && this.#mayGoOn && this.bytes > 0) await this.#writing.leave(this.#facts());
    else await this.#writing.drop();
  }

  /** Gives up; nothing stays. */
  async drop(): Promise<void> {
    await this.#writing.drop();
  }
}

/** @internal What the packed weights of a file are called. */
export const packedKey = (key: string, form: string): string => `${keyOf(key)}-packed-${form}`;

// The key of the file that packed weights were made of; undefined of files.
const ownerOf = ({ key }: Version) => /^(.*)-packed-/.exec(key)?.[1];

/** The cache that `load` uses. Throws ModelError `cache_unavailable` where there is no storage. */
export const modelCache: ModelCache = new ModelCache(async () => {
  const { openFiles } = await import('./open-files.js');
  return openFiles('models');
});

/** What a URL is called in the cache unless the load says otherwise. */
export function canonical(url: string): string {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  try {
    const parsed = new URL(url, base);
    parsed.hash = '';
    return parsed.href;
  } catch {
    return url;
  }
}

async function hold(
  files: KeyedFiles,
  version: Version,
  key: string,
): Promise<HeldFile | undefined> {
  const release = await files.hold(version);
  if (!release) return undefined;
  const facts = await files.facts<FileFacts>(version);
  const file = await files.open(version);
  if (file && isSound(facts) && facts.key === key) {
    return { version, facts, file, openSync: () => files.openSync(version), release };
  }
  release();
  return undefined;
}

function isSound(facts: Partial<FileFacts>): facts is FileFacts {
  return typeof facts.key === 'string' && typeof facts.url === 'string';
}

function unavailable(cause: unknown): ModelError {
  return storageError(cause, 'the model cannot be cached');
}
