// SPDX-License-Identifier: MIT
/** The few things a model cache needs of a place to keep files. Names are flat. */
export interface CacheStore {
  /** Names of everything there, finished or not. */
  names(): Promise<string[]>;
  /** A file, read lazily; undefined when there is none. */
  open(name: string): Promise<Blob | undefined>;
  /** Starts an empty file; of an unfinished one nothing, a part or all may be found later. */
  create(name: string): Promise<CacheWriter>;
  /** Removes a file; false when there was none. Throws when another tab is writing it. */
  remove(name: string): Promise<boolean>;
}

/** Writes one file from front to back. */
export interface CacheWriter {
  /** Resolves when `bytes` may be reused. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the file is stored. */
  close(): Promise<void>;
  /** Gives up; the file may be removed afterwards. */
  abort(): Promise<void>;
}
