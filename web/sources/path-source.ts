// SPDX-License-Identifier: MIT
import type { FileHandle } from 'node:fs/promises';
import { ModelError } from '../errors.js';
import { nodeModule } from '../node.js';
import type { ByteSource } from './byte-source.js';
import { type ByteFeed, ForwardSource } from './forward-source.js';

const READ_BYTES = 1 << 20;

/**
 * Opens a file on disk.
 *
 * @param path a path or a `file:` URL
 * @throws ModelError `not_found` when there is no such file, `network` when it cannot be read
 */
export async function openPath(path: string, signal: AbortSignal | undefined): Promise<ByteSource> {
  const fs = nodeModule<typeof import('node:fs/promises')>('node:fs/promises');
  let file: FileHandle | undefined;
  try {
    file = await fs.open(/^file:/i.test(path) ? new URL(path) : path, 'r');
    const stats = await file.stat();
    if (stats.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
    return new ForwardSource(new PathFeed(path, file, stats.size), signal);
  } catch (error) {
    await file?.close();
    throw readError(path, error);
  }
}

function readError(path: string, cause: unknown): ModelError {
  const reason = (cause as { code?: string }).code ?? String(cause);
  const missing = reason === 'ENOENT' || reason === 'ENOTDIR' || reason === 'EISDIR';
  return new ModelError(
    missing ? 'not_found' : 'network',
    missing ? `${path}: no such file (${reason})` : `${path}: cannot be read (${reason})`,
    { subject: path, cause },
  );
}

class PathFeed implements ByteFeed {
  readonly name: string;
  readonly size: number;
  #file: FileHandle;
  #at = 0;

  constructor(name: string, file: FileHandle, size: number) {
    this.name = name;
    this.size = size;
    this.#file = file;
  }

  async pull(): Promise<Uint8Array | undefined> {
    const buffer = new Uint8Array(READ_BYTES);
    try {
      const { bytesRead } = await this.#file.read(buffer, 0, READ_BYTES, this.#at);
      this.#at += bytesRead;
      return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
    } catch (error) {
      throw readError(this.name, error);
    }
  }

  async jump(offset: number): Promise<boolean> {
    this.#at = offset;
    return true;
  }

  release(): Promise<void> {
    return this.#file.close();
  }
}
