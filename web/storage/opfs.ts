// SPDX-License-Identifier: MIT
import type { FileStore, FileWriter, SyncFile } from './store.js';

const BLOCK_BYTES = 1 << 20;

// In TypeScript's worker library only.
interface SyncAccessHandle {
  getSize(): number;
  read(bytes: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}
type WorkerFileHandle = FileSystemFileHandle & {
  createSyncAccessHandle?: (options?: { mode: 'read-only' }) => Promise<SyncAccessHandle>;
};
type Directory = FileSystemDirectoryHandle & { keys(): AsyncIterableIterator<string> };

/** Files in the origin private file system. */
export class OpfsStore implements FileStore {
  #directory: Directory;

  private constructor(directory: FileSystemDirectoryHandle) {
    this.#directory = directory as Directory;
  }

  /** Undefined where the browser has none. */
  static async open(directory: string): Promise<OpfsStore | undefined> {
    const storage = globalThis.navigator?.storage;
    if (typeof storage?.getDirectory !== 'function') return undefined;
    try {
      const root = await storage.getDirectory();
      return new OpfsStore(await root.getDirectoryHandle(directory, { create: true }));
    } catch {
      return undefined;
    }
  }

  /** Whether files can be written here; some browsers let only workers do it, but pages read and delete. */
  static get writable(): boolean {
    const prototype = globalThis.FileSystemFileHandle?.prototype as WorkerFileHandle | undefined;
    if (!prototype) return false;
    return 'createWritable' in prototype || (inWorker() && 'createSyncAccessHandle' in prototype);
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#directory.keys()) names.push(name);
    return names;
  }

  async open(name: string): Promise<Blob | undefined> {
    try {
      return await (await this.#directory.getFileHandle(name)).getFile();
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async openSync(name: string): Promise<SyncFile | undefined> {
    if (!inWorker()) return undefined;
    try {
      const file: WorkerFileHandle = await this.#directory.getFileHandle(name);
      // Several tabs may read at once where the browser knows the mode (Chromium 121).
      const handle = await file.createSyncAccessHandle?.({ mode: 'read-only' });
      return handle && new SyncReader(handle);
    } catch {
      return undefined;
    }
  }

  async create(name: string, isChecked = false): Promise<FileWriter> {
    const file: WorkerFileHandle = await this.#directory.getFileHandle(name, { create: true });
    // Only dedicated workers have it. It writes in place, with neither a copy nor a final rename.
    if (inWorker() && file.createSyncAccessHandle) {
      return new SyncWriter(await file.createSyncAccessHandle(), isChecked);
    }
    return new StreamWriter(await file.createWritable());
  }

  async remove(name: string): Promise<boolean> {
    try {
      await this.#directory.removeEntry(name);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}

function inWorker(): boolean {
  return typeof document === 'undefined';
}

function isMissing(error: unknown): boolean {
  return (error as DOMException | null)?.name === 'NotFoundError';
}

class SyncReader implements SyncFile {
  readonly size: number;
  #handle: SyncAccessHandle;

  constructor(handle: SyncAccessHandle) {
    this.size = handle.getSize();
    this.#handle = handle;
  }

  read(to: Uint8Array, at: number): number {
    return this.#handle.read(to, { at });
  }

  close(): void {
    this.#handle.close();
  }
}

class SyncWriter implements FileWriter {
  #handle: SyncAccessHandle;
  #isChecked: boolean;
  #at = 0;

  constructor(handle: SyncAccessHandle, isChecked: boolean) {
    this.#handle = handle;
    this.#isChecked = isChecked;
    handle.truncate(0);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const written = this.#handle.write(bytes, { at: this.#at });
    this.#at += written;
    if (written < bytes.byteLength) {
      throw new DOMException('the disk or the quota is full', 'QuotaExceededError');
    }
  }

  async close(): Promise<void> {
    // It waits for the disk, and this thread with it.
    if (!this.#isChecked) this.#handle.flush();
    this.#handle.close();
  }

  async abort(): Promise<void> {
    this.#handle.close();
  }
}

class StreamWriter implements FileWriter {
  #file: FileSystemWritableFileStream;
  #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;

  constructor(file: FileSystemWritableFileStream) {
    this.#file = file;
  }

  // Every write crosses to another process, so small ones are collected.
  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.byteLength; ) {
      const piece = bytes.subarray(from, from + BLOCK_BYTES - this.#filled);
      this.#block.set(piece, this.#filled);
      this.#filled += piece.byteLength;
      from += piece.byteLength;
      if (this.#filled === BLOCK_BYTES) await this.#flush();
    }
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#file.close();
  }

  async abort(): Promise<void> {
    await this.#file.abort();
  }

  async #flush(): Promise<void> {
    if (this.#filled > 0) await this.#file.write(this.#block.slice(0, this.#filled));
    this.#filled = 0;
  }
}
