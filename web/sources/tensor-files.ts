// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { HeaderSource, ModelHeader, TensorEntry } from '../gguf/types.js';
import type { ModelCache } from '../storage/models.js';
import type { ModelPart } from './byte-source.js';
import type { CacheSettings } from './cache-settings.js';
import type { Keeping } from './keeper.js';
import type { Asking } from './open-part.js';
import { openReader, type PartReader } from './part-reader.js';
import { isStream } from './parts.js';

/** How far a load is. */
export interface LoadProgress {
  /**
   * Where the bytes come from: the network, the cache, or the user's device. `waiting`: another tab
   * downloads the file and is this far; its copy is read then.
   */
  phase: 'download' | 'cache' | 'file' | 'waiting';
  /** Bytes read or skipped so far, over all files. */
  loaded: number;
  /** Bytes of all files; where nobody says, as many as the header places. Unknown until that is read. */
  total: number | undefined;
}

/** How a model's files are read. */
export interface FilesOptions extends Asking {
  /** Called after every chunk. */
  onProgress?: (progress: LoadProgress) => void;
  /** Keep http(s) files in this browser, and use what is kept. Other sources are never stored. */
  cache?: CacheSettings;
  /** Hex digest that the file must have, or of several files by their names. */
  sha256?: string | Readonly<Record<string, string>>;
}

/** The files of one model: the header at once, the tensor bytes once, in file order. */
export interface ModelFiles {
  /** Over all files: metadata of the first, tensors of all. */
  readonly header: ModelHeader;
  /** Bytes of all files; of one whose size nobody says, as many as its header places. */
  readonly totalBytes: number;
  /** Whether every file is a kept copy. */
  readonly fromCache: boolean;
  /** Once it is read: whether every file is in the cache, and why not if it was to be. */
  readonly kept: boolean;
  readonly notKept: string | undefined;
  /** Of each file what tells its kept copy from a later one; of one that is being kept, once it is read. */
  readonly keptAs: readonly (string | undefined)[];
  /**
   * Delivers every byte of each wanted tensor exactly once, in order, and skips the rest. Works
   * once. Closes the files, also when it fails.
   *
   * @param sink gets views that are valid during the call only
   * @throws ModelError `truncated` naming the tensor, `integrity`, `network`, `cache_unavailable`;
   * the signal's reason; whatever `sink` throws
   */
  stream(
    wants: (tensor: TensorEntry) => boolean,
    sink: (tensor: TensorEntry, bytes: Uint8Array) => void,
  ): Promise<void>;
  /** Gives everything back and cancels downloads. May be called more than once. */
  close(): Promise<void>;
}

/** What one file says before its tensor bytes. */
interface FileStart<Header> {
  header: Header;
  /** Bytes read past the header. */
  rest: Uint8Array;
  headerEnd: number;
  /** To what a file that is longer than its last tensor is padded. */
  alignment: number;
}

/** How files of a kind begin, and what several of them say together. */
export interface FileFormat<Header extends { tensors: TensorEntry[] }> {
  /** Reads a header from a source that stands at byte 0. */
  read(source: HeaderSource): Promise<FileStart<Header>>;
  /** One header for all files, its tensors with the number of their file. */
  merge(headers: readonly Header[], names: readonly string[]): Header;
}

/** What {@link openTensorFiles} needs beside the files. */
export interface TensorFilesOptions extends Omit<FilesOptions, 'sha256'> {
  /** Hex digests that the files must have, in their order. */
  sha256?: readonly (string | undefined)[];
}

/**
 * Opens files of one kind and reads their headers.
 *
 * @param cache for tests; the browser's storage otherwise
 */
export async function openTensorFiles<Header extends { tensors: TensorEntry[] }>(
  parts: ModelPart[],
  format: FileFormat<Header>,
  options: TensorFilesOptions,
  cache?: ModelCache,
): Promise<TensorFiles<Header>> {
  const store = options.cache && (cache ?? (await import('../storage/models.js')).modelCache);
  const files = new TensorFiles(parts, format, options, store);
  try {
    await files.readHeaders();
    return files;
  } catch (error) {
    await files.close();
    throw error;
  }
}

interface OpenPart<Header> {
  reader: PartReader;
  header: Header;
  /** Bytes read past the header. */
  rest: Uint8Array;
  /** Where the last tensor ends. */
  end: number;
}

/** Files with tensors: their header at once, the bytes once, in order. */
export class TensorFiles<Header extends { tensors: TensorEntry[] }> {
  header!: Header;
  totalBytes = 0;
  fromCache = false;
  kept = true;
  notKept: string | undefined;
  keptAs: (string | undefined)[] = [];
  #parts: ModelPart[];
  #format: FileFormat<Header>;
  #options: TensorFilesOptions;
  #cache: ModelCache | undefined;
  #open: (OpenPart<Header> | undefined)[] = [];
  #sizes: number[] = [];
  #streamed = false;
  #doneBytes = 0;

  constructor(
    parts: ModelPart[],
    format: FileFormat<Header>,
    options: TensorFilesOptions,
    cache: ModelCache | undefined,
  ) {
    this.#parts = parts;
    this.#format = format;
    this.#options = options;
    this.#cache = cache;
  }

  async readHeaders(): Promise<void> {
    const headers: Header[] = [];
    const names: string[] = [];
    let cached = true;
    for (const [index, part] of this.#parts.entries()) {
      const opened = await this.#openPart(index, part, index > 0);
      headers.push(opened.header);
      names.push(opened.reader.source.name);
      cached &&= opened.reader.phase === 'cache';
      this.keptAs.push(opened.reader.keeper?.keptAs);
      this.#sizes.push(opened.reader.source.size ?? opened.end);
      // Servers drop connections that wait for their turn; a stream cannot be opened again.
      if (index > 0 && !isStream(part)) await this.#closePart(index);
    }
    this.header = this.#format.merge(headers, names);
    this.fromCache = cached;
    this.totalBytes = this.#sizes.reduce((total, size) => total + size, 0);
  }

  async stream(
    wants: (tensor: TensorEntry) => boolean,
    sink: (tensor: TensorEntry, bytes: Uint8Array) => void,
  ): Promise<void> {
    if (this.#streamed) throw new ModelError('disposed', 'the model files are closed or read');
    this.#streamed = true;
    try {
      for (const [index, part] of this.#parts.entries()) {
        const opened = this.#open[index] ?? (await this.#reopenPart(index, part));
        const wanted = this.#tensorsOf(index)
          .filter(wants)
          .sort((a, b) => a.offset - b.offset);
        try {
          await this.#deliver(index, opened, wanted, sink);
        } catch (error) {
          await forgetIfUnsound(opened.reader, error);
          throw error;
        }
        await opened.reader.finish();
        this.kept &&= opened.reader.keeper?.kept ?? false;
        this.notKept ??= opened.reader.keeper?.notKept;
        this.keptAs[index] = opened.reader.keeper?.keptAs;
        await this.#closePart(index);
        this.#doneBytes += this.#sizes[index] as number;
        this.#report(opened.reader, this.#doneBytes);
      }
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.#streamed = true;
    for (const index of this.#open.keys()) await this.#closePart(index);
  }

  async #openPart(index: number, part: ModelPart, peek: boolean): Promise<OpenPart<Header>> {
    const { signal, stallTimeout, rangeBytes } = this.#options;
    const sha256 = this.#options.sha256?.[index];
    const keeping = this.#keeping(index, peek);
    const asking = { signal, stallTimeout, rangeBytes };
    const reader = await openReader(part, { ...asking, sha256, keeping });
    try {
      const { header, rest, headerEnd, alignment } = await this.#format.read(reader.source);
      const end = header.tensors.reduce(
        (last, { offset, bytes }) => Math.max(last, offset + bytes),
        headerEnd,
      );
      reader.source.learnEnd(end, Math.ceil(end / alignment) * alignment);
      const opened = { reader, header, rest, end };
      this.#open[index] = opened;
      return opened;
    } catch (error) {
      await forgetIfUnsound(reader, error);
      await reader.close();
      throw error;
    }
  }

  // Other files than the first are peeked at first: a load has the turn to store one at a time.
  #keeping(index: number, peek: boolean): Keeping | undefined {
    const cache = this.#cache;
    const settings = this.#options.cache;
    const key = settings?.keys[index];
    if (!cache || !settings || key === undefined) return undefined;
    const onWait = (loaded: number, total: number | undefined) =>
      this.#options.onProgress?.({ phase: 'waiting', loaded, total });
    return { cache, settings, key, peek, onWait };
  }

  async #reopenPart(index: number, part: ModelPart): Promise<OpenPart<Header>> {
    const opened = await this.#openPart(index, part, false);
    const now = opened.header.tensors.map((tensor) => ({ ...tensor, part: index }));
    if (JSON.stringify(now) === JSON.stringify(this.#tensorsOf(index))) return opened;
    const { name } = opened.reader.source;
    throw new ModelError('network', `${name}: the file changed while the model was read`, {
      subject: name,
    });
  }

  #tensorsOf(index: number): TensorEntry[] {
    return this.header.tensors.filter((tensor) => tensor.part === index);
  }

  async #closePart(index: number): Promise<void> {
    const opened = this.#open[index];
    this.#open[index] = undefined;
    await opened?.reader.close();
  }

  async #deliver(
    index: number,
    { reader, rest }: OpenPart<Header>,
    wanted: readonly TensorEntry[],
    sink: (tensor: TensorEntry, bytes: Uint8Array) => void,
  ): Promise<void> {
    const { source } = reader;
    const size = this.#sizes[index] as number;
    let held = rest;
    for (const tensor of wanted) {
      const gap = tensor.offset - (source.position - held.byteLength);
      if (gap > held.byteLength) await source.seek(tensor.offset);
      held = held.subarray(gap);
      for (let left = tensor.bytes; left > 0; ) {
        this.#options.signal?.throwIfAborted();
        if (held.byteLength === 0) {
          held = (await source.read()) ?? this.#truncated(tensor, left, reader);
          this.#report(reader, this.#doneBytes + Math.min(source.position, size));
        }
        const piece = held.subarray(0, left);
        sink(tensor, piece);
        left -= piece.byteLength;
        held = held.subarray(piece.byteLength);
      }
    }
  }

  #truncated(tensor: TensorEntry, left: number, { source }: PartReader): never {
    const message = `${source.name}: the file ends ${left} bytes before the end of tensor ${tensor.name}`;
    throw new ModelError('truncated', message, { subject: tensor.name });
  }

  #report({ phase }: PartReader, loaded: number): void {
    this.#options.onProgress?.({ phase, loaded, total: this.totalBytes });
  }
}

// A copy that is no model would be none next time either.
async function forgetIfUnsound(reader: PartReader, error: unknown): Promise<void> {
  const { code } = (error ?? {}) as ModelError;
  if (code === 'invalid_header' || code === 'truncated') await reader.forget();
}
