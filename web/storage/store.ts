// SPDX-License-Identifier: MIT
/** A flat place for files: a folder of the origin private file system, a cache of responses. */
export interface FileStore {
  /** Names of everything there, finished or not. */
  names(): Promise<string[]>;
  /** A file, read lazily; undefined when there is none. */
  open(name: string): Promise<Blob | undefined>;
  /** Starts an empty file; of an unfinished one nothing, a part or all may be found later. */
  create(name: string): Promise<FileWriter>;
  /** Removes a file; false when there was none. May throw when another tab is writing it. */
  remove(name: string): Promise<boolean>;
}

/** Writes one file from front to back. */
export interface FileWriter {
  /** Resolves when `bytes` may be reused. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the file is stored. */
  close(): Promise<void>;
  /** Gives up; the file may be removed afterwards. */
  abort(): Promise<void>;
}
