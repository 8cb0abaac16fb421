// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import { ResponseStore } from './cache-api.js';
import { KeyedFiles } from './keyed-files.js';
import { OpfsStore } from './opfs.js';
import type { FileStore, FileWriter, SyncFile } from './store.js';

// Part of every place's name, and raised with the layout of names or files: tabs of two versions of
// this package never see each other's files.
const LAYOUT = 2;

/**
 * What this browser keeps of a kind: in the origin private file system where it can be written, else
 * in the Cache API. Pages and workers of one origin may differ in what they can write, so everything
 * is read, listed and removed wherever it lies.
 *
 * @throws ModelError `cache_unavailable` when it has neither (Node, private windows, plain HTTP)
 */
export async function openFiles(kind: 'models' | 'sessions' | 'prefixes'): Promise<KeyedFiles> {
  const name = `fastweights-${kind}-${LAYOUT}`;
  const [folder, found] = await Promise.all([
    OpfsStore.open(name),
    ResponseStore.open(name, !OpfsStore.writable),
  ]);
  const writable = folder && OpfsStore.writable;
  // Where there is no folder after all, the other place is written.
  const isLost = OpfsStore.writable && !folder;
  const responses = isLost ? await ResponseStore.open(name, true) : found;
  const stores = [folder, responses].filter((store) => store !== undefined);
  if (stores.length === 0) throw unavailable();
  return new KeyedFiles(new Places(stores, writable ? folder : responses), name);
}

function unavailable(): ModelError {
  return new ModelError(
    'cache_unavailable',
    'this environment has neither an origin private file system nor the Cache API',
  );
}

/** Several places as one, of which one is written. */
class Places implements FileStore {
  #all: readonly FileStore[];
  #written: FileStore | undefined;

  constructor(all: readonly FileStore[], written: FileStore | undefined) {
    this.#all = all;
    this.#written = written;
  }

  async names(): Promise<string[]> {
    return (await Promise.all(this.#all.map((store) => store.names()))).flat();
  }

  async open(name: string): Promise<Blob | undefined> {
    for (const store of this.#all) {
      const file = await store.open(name);
      if (file) return file;
    }
    return undefined;
  }

  async openSync(name: string): Promise<SyncFile | undefined> {
    for (const store of this.#all) {
      const file = await store.openSync?.(name);
      if (file) return file;
    }
    return undefined;
  }

  async create(name: string, isChecked?: boolean): Promise<FileWriter> {
    if (!this.#written) throw unavailable();
    return this.#written.create(name, isChecked);
  }

  async remove(name: string): Promise<boolean> {
    const removed = await Promise.all(this.#all.map((store) => store.remove(name)));
    return removed.includes(true);
  }
}
