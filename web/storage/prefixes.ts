// SPDX-License-Identifier: MIT

import { storageError } from '../errors.js';
import { opened, type SavedArray, sealed } from './saved-file.js';
import type { CacheStore } from './store.js';

/** A text's beginning and what a session holds after it. */
export interface Prefix {
  ids: Int32Array;
  arrays: ReadonlyMap<string, SavedArray>;
}

const kSaved = { magic: 'fwprefix', version: 2, name: 'prefix' };

// A file's name has what can be asked without opening it: the model, the prefix, its bytes, when it
// was written, and by chance something of its own. An empty file with `used` in the place of the
// bytes says when it was used: files cannot be renamed.
const NAME = /^([0-9a-f]{16}-\w+-\w+)-(\d+-[0-9a-f]{8})\+(\d+|used)\+(\d+)\+[0-9a-z]+$/;

interface Found {
  key: string;
  model: string;
  id: string;
  /** The latest first. */
  files: string[];
  marks: string[];
  bytes: number;
  used: number;
}

/** Prefixes of all models in storage that belongs to the page's origin, the least used go first. */
export class PrefixFiles {
  #store: CacheStore;
  /** Bytes in all. */
  readonly most: number;
  #fingerprint: () => Promise<string>;

  /**
   * @param most bytes in all
   * @param fingerprint of the model, 64 hex digits, then what else its states go with
   */
  constructor(store: CacheStore, most: number, fingerprint: () => Promise<string>) {
    this.#store = store;
    this.most = most;
    this.#fingerprint = fingerprint;
  }

  /** This model's, by id; looks at names only. */
  async list(): Promise<Map<string, { bytes: number; used: number }>> {
    const model = await this.#model();
    const { found } = await this.#found();
    return new Map(found.filter((one) => one.model === model).map((one) => [one.id, one]));
  }

  /** A prefix that is whole; files that are not are removed. */
  async read(id: string): Promise<Prefix | undefined> {
    const fingerprint = await this.#fingerprint();
    for (const file of (await this.#of(id))?.files ?? []) {
      try {
        const blob = await this.#store.open(file);
        if (!blob) continue;
        const bytes = new Uint8Array(await blob.arrayBuffer());
        const saved = await opened<{ fingerprint: string; ids: number[] }>(kSaved, bytes);
        if (saved.fingerprint !== fingerprint) throw new Error('of another model');
        return { ids: Int32Array.from(saved.ids), arrays: saved.arrays };
      } catch {
        // One that another tab is writing cannot be removed.
        await this.#store.remove(file).catch(() => false);
      }
    }
    return undefined;
  }

  /**
   * Stores a prefix in the place of those used least recently.
   *
   * @returns whether it is no larger than all may be together
   * @throws ModelError `cache_unavailable`
   */
  async write(id: string, { ids, arrays }: Prefix): Promise<boolean> {
    const fingerprint = await this.#fingerprint();
    const facts = { fingerprint, ids: [...ids] };
    const bytes = await sealed(kSaved, facts, () => arrays);
    if (bytes.length > this.most) return false;
    const key = await this.#key(id);
    try {
      const kept = await this.#shrink(this.most - bytes.length);
      await this.#create(nameOf(key, `${bytes.length}`, kept), bytes);
      // Another tab may have written one meanwhile.
      await this.#shrink(this.most);
    } catch (cause) {
      throw storageError(cause, 'the prefix cannot be kept');
    }
    return true;
  }

  /** Makes it the last one to go. */
  async use(id: string): Promise<void> {
    const key = await this.#key(id);
    const { found } = await this.#found();
    const one = found.find((other) => other.key === key);
    if (!one || one === found.at(-1)) return;
    await this.#create(nameOf(key, 'used', found));
    await this.#remove(one.marks);
  }

  /** Removes a prefix; false when there was none. */
  async delete(id: string): Promise<boolean> {
    const one = await this.#of(id);
    if (one) await this.#remove([...one.files, ...one.marks]);
    return one !== undefined;
  }

  async #of(id: string): Promise<Found | undefined> {
    const key = await this.#key(id);
    return (await this.#found()).found.find((one) => one.key === key);
  }

  async #key(id: string): Promise<string> {
    return `${await this.#model()}-${id}`;
  }

  async #model(): Promise<string> {
    const fingerprint = await this.#fingerprint();
    return fingerprint.slice(0, 16) + fingerprint.slice(64);
  }

  // The least recently used first, and names that mean nothing here.
  async #found(): Promise<{ found: Found[]; strange: string[] }> {
    const byKey = new Map<string, Found>();
    const strange: string[] = [];
    const parsed = (await this.#store.names()).flatMap((name) => {
      const [, model = '', id = '', bytes = '', time] = NAME.exec(name) ?? [];
      if (time) return { name, model, id, bytes, time: Number(time) };
      strange.push(name);
      return [];
    });
    for (const { name, model, id, bytes, time } of parsed.sort((a, b) => b.time - a.time)) {
      const key = `${model}-${id}`;
      const none = { key, model, id, files: [], marks: [], bytes: 0, used: time };
      const one = byKey.get(key) ?? none;
      byKey.set(key, one);
      if (bytes === 'used') {
        one.marks.push(name);
      } else {
        one.files.push(name);
        one.bytes += Number(bytes);
      }
    }
    const all = [...byKey.values()].reverse().sort((a, b) => a.used - b.used);
    for (const { files, marks } of all) if (files.length === 0) strange.push(...marks);
    return { found: all.filter(({ files }) => files.length > 0), strange };
  }

  // Removes what means nothing and, until the rest fits, the least recently used; what there was.
  async #shrink(most: number): Promise<Found[]> {
    const { found, strange } = await this.#found();
    await this.#remove(strange);
    let bytes = found.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of found) {
      if (bytes <= most) break;
      if (await this.#remove([...one.files, ...one.marks])) bytes -= one.bytes;
    }
    return found;
  }

  // Those that another tab is writing stay.
  async #remove(names: string[]): Promise<boolean> {
    let all = true;
    for (const name of names) {
      await this.#store.remove(name).catch(() => {
        all = false;
      });
    }
    return all;
  }

  async #create(name: string, bytes?: Uint8Array): Promise<void> {
    const writer = await this.#store.create(name);
    try {
      if (bytes) await writer.write(bytes);
      await writer.close();
    } catch (error) {
      await writer.abort().catch(() => {});
      await this.#store.remove(name).catch(() => false);
      throw error;
    }
  }
}

// Later than any other, whatever the clock says.
function nameOf(key: string, what: string, others: readonly Found[]): string {
  const time = Math.max(Date.now(), (others.at(-1)?.used ?? 0) + 1);
  return `${key}+${what}+${time}+${Math.floor(Math.random() * 2 ** 32).toString(36)}`;
}
