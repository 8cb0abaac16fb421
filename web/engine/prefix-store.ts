// SPDX-License-Identifier: MIT
import type { Prefix, PrefixFiles } from '../storage/prefixes.js';
import type { KeptPrefix } from './types.js';

interface Held extends Prefix {
  bytes: number;
  used: number;
}

// A prefix is called after its length and its hash, and is what it is only if its tokens are.
type Hash = number;
const next = (hash: Hash, id: number): Hash =>
  Math.imul(((hash << 5) | (hash >>> 27)) ^ (id + 1), 0x9e3779b1);
const called = (tokens: number, hash: Hash) =>
  `${tokens}-${(hash >>> 0).toString(16).padStart(8, '0')}`;

/** @returns what a prefix of these tokens is called */
export function prefixId(ids: ArrayLike<number>): string {
  return called(ids.length, Array.from(ids).reduce(next, 0));
}

/** Prefixes in memory, and in files where there are any; in both the least recently used go first. */
export class PrefixStore {
  #most: number;
  #files: PrefixFiles | undefined;
  /** The least recently used first. */
  #held = new Map<string, Held>();
  #bytes = 0;

  /** @param most bytes in memory */
  constructor(most: number, files: PrefixFiles | undefined) {
    this.#most = most;
    this.#files = files;
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The longest prefix of these tokens; a storage that fails has none. */
  async find(ids: readonly number[]): Promise<Prefix | undefined> {
    const stored = await this.#files?.list().catch(() => undefined);
    const known = new Set([...this.#held.keys(), ...(stored?.keys() ?? [])]);
    for (const id of beginnings(ids, known)) {
      const held = this.#held.get(id);
      const prefix = held && begins(ids, held.ids) ? held : await this.#read(id);
      if (!prefix || !begins(ids, prefix.ids)) continue;
      this.#hold(id, prefix);
      if (stored?.has(id)) await this.#files?.use(id).catch(() => {});
      return prefix;
    }
    return undefined;
  }

  /**
   * Keeps a prefix wherever it fits.
   *
   * @throws RangeError where it fits nowhere; ModelError `cache_unavailable` where it fits in a
   * storage only and that fails
   */
  async add(prefix: Prefix): Promise<KeptPrefix> {
    const id = prefixId(prefix.ids);
    const inMemory = this.#hold(id, prefix);
    let inFiles = false;
    if (this.#files) {
      try {
        inFiles = (await this.#files.list()).has(id) || (await this.#files.write(id, prefix));
      } catch (error) {
        if (!inMemory) throw error;
      }
    }
    const { length } = prefix.ids;
    const bytes = bytesOf(prefix);
    if (inMemory || inFiles) return { id, tokens: length, bytes, inMemory, stored: inFiles };
    throw tooLarge(length, bytes);
  }

  /** @throws RangeError where so many bytes fit nowhere */
  checkRoom(tokens: number, bytes: number): void {
    if (bytes > Math.max(this.#most, this.#files?.most ?? 0)) throw tooLarge(tokens, bytes);
  }

  /** The latest used first. */
  async list(): Promise<KeptPrefix[]> {
    const stored =
      (await this.#files?.list()) ?? new Map<string, { bytes: number; used: number }>();
    const used = (id: string) => Math.max(this.#held.get(id)?.used ?? 0, stored.get(id)?.used ?? 0);
    // In memory they are in the order of their use, which within a millisecond only that tells.
    return [...new Set([...[...this.#held.keys()].reverse(), ...stored.keys()])]
      .sort((a, b) => used(b) - used(a))
      .map((id) => ({
        id,
        tokens: Number.parseInt(id, 10),
        bytes: (this.#held.get(id) ?? stored.get(id))?.bytes ?? 0,
        inMemory: this.#held.has(id),
        stored: stored.has(id),
      }));
  }

  /** Forgets a prefix, or this model's all; false when there was none. */
  async delete(id?: string): Promise<boolean> {
    const ids = id === undefined ? (await this.list()).map((one) => one.id) : [id];
    let found = false;
    for (const one of ids) {
      if (this.#drop(one)) found = true;
      if (await this.#files?.delete(one)) found = true;
    }
    return found;
  }

  async #read(id: string): Promise<Prefix | undefined> {
    return this.#files?.read(id).catch(() => undefined);
  }

  // As the latest one; false where it has no room.
  #hold(id: string, prefix: Prefix): boolean {
    this.#drop(id);
    const bytes = bytesOf(prefix);
    if (bytes > this.#most) return false;
    const { ids, arrays } = prefix;
    this.#held.set(id, { ids, arrays, bytes, used: Date.now() });
    this.#bytes += bytes;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#most) break;
      this.#drop(oldest);
    }
    return true;
  }

  #drop(id: string): boolean {
    this.#bytes -= this.#held.get(id)?.bytes ?? 0;
    return this.#held.delete(id);
  }
}

function tooLarge(tokens: number, bytes: number): RangeError {
  return new RangeError(
    `a prefix of ${tokens} tokens takes ${bytes} bytes: more than prefixes may take`,
  );
}

function bytesOf({ ids, arrays }: Prefix): number {
  let bytes = ids.byteLength;
  for (const array of arrays.values()) {
    bytes += 'type' in array ? array.bytes.length : array.byteLength;
  }
  return bytes;
}

// What beginnings of a text are called, of those that are known, the longest first: one pass.
function beginnings(ids: readonly number[], known: ReadonlySet<string>): string[] {
  const lengths = new Set([...known].map((id) => Number.parseInt(id, 10)));
  const longest = Math.min(ids.length, Math.max(0, ...lengths));
  const found: string[] = [];
  let hash: Hash = 0;
  for (let i = 0; i < longest; i++) {
    hash = next(hash, ids[i] as number);
    if (!lengths.has(i + 1)) continue;
    const id = called(i + 1, hash);
    if (known.has(id)) found.push(id);
  }
  return found.reverse();
}

function begins(ids: readonly number[], prefix: Int32Array): boolean {
  return prefix.length <= ids.length && prefix.every((id, i) => id === ids[i]);
}
