// SPDX-License-Identifier: MIT

import { nameOf, nextId, parseNames, type Version } from './file-names.js';
import { type LockOptions, Locks, type Release } from './locks.js';
import { openPieces } from './pieces.js';
import type { FileStore, SyncFile } from './store.js';
import { removeAll, Writing, type WritingOptions, writeFile } from './writing.js';

/**
 * Entries by key in a flat place for files. An entry is replaced in one step: until the new version
 * is whole the old one stays, whatever interrupts. Tabs take turns where the browser has locks; what
 * one of them reads or writes stays.
 */
export class KeyedFiles {
  readonly #store: FileStore;
  readonly #name: string;
  readonly #locks: Locks;

  /**
   * @param name of the place, for its locks
   * @param locks for tests; the browser's otherwise
   */
  constructor(store: FileStore, name: string, locks = new Locks()) {
    this.#store = store;
    this.#name = name;
    this.#locks = locks;
  }

  /** Whether two writers of a key keep out of each other's way. */
  get takesTurns(): boolean {
    return this.#locks.exist;
  }

  /** The latest whole version of each key, the least recently used first; looks at names only. */
  async list(): Promise<Version[]> {
    const { latest } = await this.#look();
    return latest.filter(({ whole }) => whole);
  }

  /** The latest that were interrupted, later than what is whole of their keys. */
  async interrupted(): Promise<Version[]> {
    const { latest } = await this.#look();
    return latest.filter(({ whole }) => !whole);
  }

  /** Whole versions of a key, the latest first; more than one where an interruption left it. */
  async versions(key: string): Promise<Version[]> {
    const { versions } = await this.#look();
    return versions.filter((version) => version.key === key && version.whole);
  }

  /** What was written down beside a version; of one that is damaged nothing. */
  async facts<Facts extends object>({ record }: Version): Promise<Partial<Facts>> {
    const file = record && (await this.#store.open(nameOf.facts(record)));
    try {
      return Object(JSON.parse(file ? await file.text() : '{}'));
    } catch {
      return {};
    }
  }

  /** Its bytes, read lazily; undefined where some are gone. It stays while it is {@link hold held}. */
  async open({ key, id, pieces, bytes }: Version): Promise<Blob | undefined> {
    const names = Array.from({ length: pieces }, (_, i) => nameOf.data(key, id, i));
    const found = await Promise.all(names.map((name) => this.#store.open(name)));
    if (found.includes(undefined)) return undefined;
    const blob = found.length === 1 ? (found[0] as Blob) : new Blob(found as Blob[]);
    return blob.size === bytes ? blob : undefined;
  }

  /** The same for reading at once, where this thread can: in dedicated workers, some browsers' alone. */
  openSync({ key, id, pieces, bytes }: Version): Promise<SyncFile | undefined> {
    const names = Array.from({ length: pieces }, (_, i) => nameOf.data(key, id, i));
    return openPieces(this.#store, names, bytes);
  }

  /** All its bytes; undefined where some are gone. */
  async read(version: Version): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const release = await this.hold(version);
    try {
      const blob = await this.open(version);
      return blob && new Uint8Array(await blob.arrayBuffer());
    } finally {
      release?.();
    }
  }

  /** Keeps a version from being removed; undefined where that is happening now. */
  hold(version: Version): Promise<Release | undefined> {
    return this.#locks.take(this.#lockOf(version), { shared: true, ifFree: true });
  }

  /** The turn to write a key; whoever has it {@link begin begins}. */
  turn(key: string, options: LockOptions & { ifFree: true }): Promise<Release | undefined>;
  turn(key: string, options?: LockOptions): Promise<Release>;
  turn(key: string, options: LockOptions = {}): Promise<Release | undefined> {
    return this.#locks.take(`${this.#name}/${key}`, options);
  }

  /** Stores an entry in the place of what had its key; until it is whole, that stays. */
  async put(key: string, facts: object, bytes: Uint8Array): Promise<void> {
    const release = await this.turn(key);
    try {
      const writing = await this.begin(key);
      try {
        await writing.write(bytes);
        await writing.finish(facts);
      } catch (error) {
        await writing.drop();
        throw error;
      }
    } finally {
      release();
    }
  }

  /** Starts a version, or goes on with one that was interrupted. For whoever has the key's turn. */
  async begin(key: string, interrupted?: Version, options?: WritingOptions): Promise<Writing> {
    const { versions } = await this.#look();
    const { id, pieces, bytes, record } = interrupted ?? {
      ...{ id: nextId(versions), pieces: 0, bytes: 0, record: undefined },
    };
    const done = () => this.#sweep(key);
    return new Writing(this.#store, { key, id, pieces, bytes, record }, done, options);
  }

  /** Makes an entry the last one to go. */
  async use({ key, id }: Version): Promise<void> {
    const { latest, versions } = await this.#look();
    const one = versions.find((version) => version.key === key && version.id === id);
    if (!one || one === latest.at(-1)) return;
    const time = Math.max(Date.now(), ...latest.map(({ used }) => used + 1));
    await writeFile(this.#store, nameOf.used(key, id, time));
    await removeAll(this.#store, one.marks);
  }

  /** Removes an entry, whole or not; false when there was none. */
  async remove(key: string): Promise<boolean> {
    const { versions } = await this.#look();
    let found = false;
    for (const version of versions.filter((one) => one.key === key)) {
      if (await this.#removeIdle(version)) {
        found ||= version.record !== undefined;
      } else if (version.whole) {
        // Another tab still reads its bytes. They are rubbish from now on.
        found = await this.#store.remove(version.record as string).catch(() => false);
      }
    }
    return found;
  }

  /** Removes a version that has turned out to be damaged. */
  async drop(version: Version): Promise<void> {
    await removeAll(this.#store, version.names);
  }

  /** Removes everything that no tab is reading or writing. */
  async clear(): Promise<void> {
    const { versions, strange } = await this.#look();
    for (const version of versions) await this.#removeIdle(version);
    await removeAll(this.#store, strange);
  }

  /**
   * Removes rubbish and, until the rest fits, the least recently used entries.
   *
   * @param most bytes of all
   * @param spare keys of entries that stay
   * @param replaced a key that does not count, as it is written anew
   * @returns whether the rest fits
   */
  async shrink(most: number, spare: readonly string[] = [], replaced?: string): Promise<boolean> {
    const latest = (await this.#sweep()).filter(({ key }) => key !== replaced);
    let bytes = latest.reduce((sum, version) => sum + version.bytes, 0);
    for (const version of latest) {
      if (bytes <= most) break;
      if (!spare.includes(version.key) && (await this.#removeIdle(version))) bytes -= version.bytes;
    }
    return bytes <= most;
  }

  // Names that mean nothing are left alone: they are another version's of this package.
  async #look() {
    const { versions, strange } = parseNames(await this.#store.names());
    const [latest, rubbish]: [Version[], Version[]] = [[], []];
    const [whole, part] = [new Set<string>(), new Set<string>()];
    for (const version of versions) {
      const { key } = version;
      // Beside what is whole only a later one, which was interrupted, is of use.
      const over = whole.has(key) || (!version.whole && part.has(key));
      if (version.record === undefined || over) {
        rubbish.push(version);
      } else {
        latest.push(version);
        (version.whole ? whole : part).add(key);
      }
    }
    latest.reverse().sort((a, b) => a.used - b.used);
    return { versions, strange, latest, rubbish };
  }

  // Removes rubbish; `ours` is a key whose turn the caller has.
  async #sweep(ours?: string): Promise<Version[]> {
    const { latest, rubbish } = await this.#look();
    for (const version of rubbish) {
      if (version.key === ours) await this.#removeUnread(version);
      else await this.#removeIdle(version);
    }
    return latest;
  }

  #removeIdle(version: Version): Promise<boolean> {
    return ifGot(this.turn(version.key, { ifFree: true }), async () => {
      // Whoever had the turn before may have finished it since it was looked at.
      const isThere =
        version.whole ||
        (await this.#look()).versions.some(
          ({ id, record }) => id === version.id && record === version.record,
        );
      return isThere && this.#removeUnread(version);
    });
  }

  #removeUnread(version: Version): Promise<boolean> {
    const lock = this.#locks.take(this.#lockOf(version), { ifFree: true });
    return ifGot(lock, () => removeAll(this.#store, version.names));
  }

  #lockOf({ key, id }: Version): string {
    return `${this.#name}/${key}+${id}`;
  }
}

// What `work` says of a lock that was free; false where it was not.
async function ifGot(
  lock: Promise<Release | undefined>,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const release = await lock;
  if (!release) return false;
  try {
    return await work();
  } finally {
    release();
  }
}
