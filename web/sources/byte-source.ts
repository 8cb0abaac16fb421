// SPDX-License-Identifier: MIT
/** A whole model: one file, or the files of a split GGUF in order. */
export type ModelSource = ModelPart | ModelPart[];

/**
 * One file of a model. A string is a URL, absolute or relative to the page; in Node a string that
 * does not start with `http:`, `https:`, `file:`, `blob:` or `data:` is a path.
 */
export type ModelPart =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>;

/** A forward reader over one file. */
export interface ByteSource {
  /** For messages: URL, path, file name or kind. */
  readonly name: string;
  /** Bytes in the file, when known. */
  readonly size: number | undefined;
  /** Offset of the next byte `read()` gives. */
  readonly position: number;
  /**
   * The next bytes: any length above 0, at most 4 MiB; undefined at the end. The bytes may be a
   * view of the caller's own buffer: read, do not write.
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Moves forward to `offset`. A stream reads and discards, a file jumps, a URL asks for the rest
   * with a Range request when more than 1 MiB is skipped. Past the end, `read()` gives undefined.
   *
   * @throws RangeError when `offset` lies behind `position`
   */
  seek(offset: number): Promise<void>;
  /**
   * Says where the header's last tensor ends, and where the padding after it would: by that a
   * download knows whether the length that its server announced is this file's.
   */
  learnEnd(end: number, padded: number): void;
  /** Gives everything back and cancels a download. May be called more than once. */
  close(): Promise<void>;
}
