// SPDX-License-Identifier: MIT

import type { Version } from '../storage/file-names.js';
import type { KeyedFiles } from '../storage/keyed-files.js';
import type { SyncFile } from '../storage/store.js';

// Each slice of a Blob crosses from another process.
const BLOB_BYTES = 16 << 20;

/** Kept bytes on their way into memory that grows by nobody else meanwhile. */
export interface WeightBytes {
  /** Fills `to` with the bytes from `at` on, which come in order; false where there are fewer. */
  read(to: Uint8Array, at: number): Promise<boolean> | boolean;
  close(): void;
}

/** Reads into the memory itself where this thread can, else by way of slices of a Blob. */
export async function openWeights(
  files: KeyedFiles,
  version: Version,
): Promise<WeightBytes | undefined> {
  const file = await files.openSync(version);
  if (file) return new DirectBytes(file);
  const blob = await files.open(version);
  return blob && new BlobBytes(blob);
}

class DirectBytes implements WeightBytes {
  #file: SyncFile;

  constructor(file: SyncFile) {
    this.#file = file;
  }

  read(to: Uint8Array, at: number): boolean {
    return this.#file.read(to, at) === to.byteLength;
  }

  close(): void {
    this.#file.close();
  }
}

class BlobBytes implements WeightBytes {
  #blob: Blob;
  #slice = new Uint8Array(0);
  #start = 0;

  constructor(blob: Blob) {
    this.#blob = blob;
  }

  async read(to: Uint8Array, at: number): Promise<boolean> {
    for (let filled = 0; filled < to.byteLength; ) {
      const from = at + filled - this.#start;
      const part = this.#slice.subarray(from, from + to.byteLength - filled);
      if (part.byteLength === 0) {
        this.#start = at + filled;
        const slice = this.#blob.slice(this.#start, this.#start + BLOB_BYTES);
        this.#slice = new Uint8Array(await slice.arrayBuffer());
        if (this.#slice.byteLength === 0) return false;
      }
      to.set(part, filled);
      filled += part.byteLength;
    }
    return true;
  }

  close(): void {
    this.#slice = new Uint8Array(0);
  }
}
