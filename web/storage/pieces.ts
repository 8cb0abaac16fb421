// SPDX-License-Identifier: MIT

import type { FileStore, SyncFile } from './store.js';

/** Files that are one, in order; undefined where any cannot be read at once, or they are not `bytes` long. */
export async function openPieces(
  store: FileStore,
  names: readonly string[],
  bytes: number,
): Promise<SyncFile | undefined> {
  if (!store.openSync) return undefined;
  // All at once: each is two messages to another process.
  const found = await Promise.all(names.map((name) => store.openSync?.(name)));
  const pieces = found.filter((piece) => piece !== undefined);
  const file = new Pieces(pieces);
  if (pieces.length === names.length && file.size === bytes) return file;
  file.close();
  return undefined;
}

class Pieces implements SyncFile {
  readonly size: number;
  readonly #pieces: readonly SyncFile[];

  constructor(pieces: readonly SyncFile[]) {
    this.#pieces = pieces;
    this.size = pieces.reduce((sum, { size }) => sum + size, 0);
  }

  read(to: Uint8Array, at: number): number {
    let filled = 0;
    let start = 0;
    for (const piece of this.#pieces) {
      const from = at + filled - start;
      start += piece.size;
      if (from >= piece.size) continue;
      if (filled === to.byteLength) break;
      const count = piece.read(to.subarray(filled), from);
      filled += count;
      // Cut short behind our back: what follows it would be in its place.
      if (from + count < piece.size) break;
    }
    return filled;
  }

  close(): void {
    for (const piece of this.#pieces) piece.close();
  }
}
