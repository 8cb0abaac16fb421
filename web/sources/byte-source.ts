// SPDX-License-Identifier: MIT
/**
 * A whole model: a GGUF, or the files of a split one in order; or a safetensors checkpoint in Hugging
 * Face's layout, by its folder (an address that ends in `/`, in Node also a path), by a list of files
 * with a `config.json` in it, or file by file.
 */
export type ModelSource = ModelPart | ModelPart[] | CheckpointSource;

/** The files of a safetensors checkpoint. Nothing else is fetched. */
export interface CheckpointSource {
  /** `config.json`. */
  config: ModelPart;
  /** The `.safetensors`, in any order. */
  weights: ModelPart | ModelPart[];
  /** `model.safetensors.index.json`: with it, `weights` must be the files that it names. */
  index?: ModelPart;
  /** `tokenizer.json`; a model without one reads and writes token ids only. */
  tokenizer?: ModelPart;
  /** `tokenizer_config.json`. */
  tokenizerConfig?: ModelPart;
  /** `generation_config.json`. */
  generationConfig?: ModelPart;
  /** `chat_template.jinja`. */
  chatTemplate?: ModelPart;
  /** `rwkv_vocab_v20230424.txt`, where RWKV's tokens stand. */
  vocabulary?: ModelPart;
}

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
   * The next bytes: any length above 0, at most 4 MiB; undefined at the end. They are valid until the
   * next call, and may be a view of the caller's own buffer: read, do not write.
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
