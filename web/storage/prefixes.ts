// SPDX-License-Identifier: MIT

import { storageError } from '../errors.js';
import type { Version } from './file-names.js';
import type { KeyedFiles } from './keyed-files.js';
import { isCount, opened, type SavedArray, sealed } from './saved-file.js';

/** A text's beginning and what a session holds after it. */
export interface Prefix {
  ids: Int32Array;
  arrays: ReadonlyMap<string, SavedArray>;
}

const kSaved = { magic: 'fwprefix', version: 2, name: 'prefix' };

/** Prefixes of all models in storage that belongs to the page's origin, the least used go first. */
export class PrefixFiles {
  #files: KeyedFiles;
  /** Bytes in all. */
  readonly most: number;
  #fingerprint: () => Promise<string>;

  /**
   * @param most bytes in all
   * @param fingerprint of the model, 64 hex digits, then what else its states go with
   */
  constructor(files: KeyedFiles, most: number, fingerprint: () => Promise<string>) {
    this.#files = files;
    this.most = most;
    this.#fingerprint = fingerprint;
  }

  /** This model's, by id; looks at names only. */
  async list(): Promise<Map<string, Version>> {
    const model = await this.#key('');
    const ours = (await this.#files.list()).filter(({ key }) => key.startsWith(model));
    return new Map(ours.map((version) => [version.key.slice(model.length), version]));
  }

  /** A prefix that is whole; files that are not are removed. */
  async read(id: string): Promise<Prefix | undefined> {
    const fingerprint = await this.#fingerprint();
    for (const version of await this.#files.versions(await this.#key(id))) {
      try {
        const bytes = await this.#files.read(version);
        if (!bytes) throw new Error('cut short');
        const saved = await opened<{ fingerprint: string; ids: number[] }>(kSaved, bytes);
        if (saved.fingerprint !== fingerprint) throw new Error('of another model');
        if (!Array.isArray(saved.ids) || !saved.ids.every(isCount)) throw new Error('of no tokens');
        return { ids: Int32Array.from(saved.ids), arrays: saved.arrays };
      } catch {
        await this.#files.drop(version);
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
    const facts = { fingerprint: await this.#fingerprint(), ids: [...ids] };
    const bytes = await sealed(kSaved, facts, () => arrays);
    if (bytes.length > this.most) return false;
    try {
      await this.#files.shrink(this.most - bytes.length);
      await this.#files.put(await this.#key(id), {}, bytes as Uint8Array<ArrayBuffer>);
      // Another tab may have written one meanwhile.
      await this.#files.shrink(this.most);
    } catch (cause) {
      throw storageError(cause, 'the prefix cannot be kept');
    }
    return true;
  }

  /** Makes it the last one to go. */
  async use(id: string): Promise<void> {
    const version = (await this.list()).get(id);
    if (version) await this.#files.use(version);
  }

  /** Removes a prefix; false when there was none. */
  async delete(id: string): Promise<boolean> {
    return this.#files.remove(await this.#key(id));
  }

  async #key(id: string): Promise<string> {
    const fingerprint = await this.#fingerprint();
    return `${fingerprint.slice(0, 16)}${fingerprint.slice(64)}-${id}`;
  }
}
