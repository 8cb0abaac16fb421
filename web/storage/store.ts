// SPDX-License-Identifier: MIT
/** A flat place for files: a folder of the origin private file system, a cache of responses. */
export interface FileStore {
  /** Names of everything there, finished or not. */
  names(): Promise<string[]>;
  /** A file, read lazily; undefined when there is none. */
  open(name: string): Promise<Blob | undefined>;
  /** The same for reading at once; undefined also where this thread cannot, or another tab has it. */
  openSync?(name: string): Promise<SyncFile | undefined>;
  /**
   * Starts an empty file; of an unfinished one nothing, a part or all may be found later.
   *
   * @param isChecked whoever reads it looks whether it is whole: so may be what is closed, after a crash
   */
  create(name: string, isChecked?: boolean): Promise<FileWriter>;
  /** Removes a file; false when there was none. May throw when another tab is writing it. */
  remove(name: string): Promise<boolean>;
}

/** A file whose bytes are there as soon as they are asked for. */
export interface SyncFile {
  readonly size: number;
  /** Fills `to` from byte `at` on; how many it was given, fewer only at the end. */
  read(to: Uint8Array, at: number): number;
  close(): void;
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
