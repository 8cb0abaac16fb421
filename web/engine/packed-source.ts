// SPDX-License-Identifier: MIT

import type { Version } from '../storage/file-names.js';
import type { KeyedFiles } from '../storage/keyed-files.js';
import type { SyncFile } from '../storage/store.js';

// What a thread reads before other tasks have their turn. Each slice of a Blob crosses from another process.
const DIRECT_BYTES = 64 << 20;
const BLOB_BYTES = 16 << 20;

/** Kept bytes on their way into memory that grows by nobody else meanwhile; they come in order. */
export interface WeightBytes {
  /** How many are brought at a time, at most. */
  readonly stretchBytes: number;
  /** Brings `bytes` from `at` on to where {@link read} takes them. */
  bring(at: number, bytes: number): Promise<void>;
  /** Fills `to` with the bytes from `at` on, which have been brought; false where there are fewer. */
  read(to: Uint8Array, at: number): boolean;
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
  readonly stretchBytes = DIRECT_BYTES;
  #file: SyncFile;

  constructor(file: SyncFile) {
    this.#file = file;
  }

  async bring(): Promise<void> {}

  read(to: Uint8Array, at: number): boolean {
    return this.#file.read(to, at) === to.byteLength;
  }

  close(): void {
    this.#file.close();
  }
}

class BlobBytes implements WeightBytes {
  readonly stretchBytes = BLOB_BYTES;
  #blob: Blob;
  #slice = new Uint8Array(0);
  #start = 0;

  constructor(blob: Blob) {
    this.#blob = blob;
  }

  async bring(at: number, bytes: number): Promise<void> {
    this.#slice = new Uint8Array(await this.#blob.slice(at, at + bytes).arrayBuffer());
    this.#start = at;
  }

  read(to: Uint8Array, at: number): boolean {
    const from = at - this.#start;
    const part = this.#slice.subarray(from, from + to.byteLength);
    to.set(part);
    return part.byteLength === to.byteLength;
  }

  close(): void {
    this.#slice = new Uint8Array(0);
  }
}
