// SPDX-License-Identifier: MIT
import type { TextColumn } from './text-column.js';

/** Where a header is read from: a file, from its first byte on. */
export interface HeaderSource {
  /** For messages: URL, path, file name or kind. */
  readonly name: string;
  /** Bytes in the file, when known. */
  readonly size: number | undefined;
  /** Offset of the next byte that `read` gives. */
  readonly position: number;
  /** The next bytes, valid until it is called again; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
}

/** One tensor of a model file. */
export interface TensorEntry {
  name: string;
  /** ggml's type number; {@link typeName} says it in words. */
  type: number;
  typeName: string;
  /** `ne[0]` first: the contiguous dimension. */
  shape: number[];
  /** Of the first byte, from the start of its file. */
  offset: number;
  bytes: number;
  /** Which file of a split model, from 0. */
  part: number;
}

/** A metadata value. 64-bit integers are numbers where that loses nothing, bigints beyond. */
export type MetadataValue = number | bigint | boolean | string | MetadataValue[];

/** What stands in a header: of the two longest lists, a tokenizer's texts and merges, the bytes. */
export type HeaderValue = MetadataValue | TextColumn;

/** A header's values by their keys. */
export type Metadata = ReadonlyMap<string, HeaderValue>;

/** What a model's files say before their tensor bytes, in GGUF's keys and names. */
export interface ModelHeader {
  metadata: Map<string, HeaderValue>;
  tensors: TensorEntry[];
}

/** Everything in front of the tensor bytes. */
export interface GgufHeader extends ModelHeader {
  version: 2 | 3;
  /** Where the tensor bytes start in the (first) file. */
  dataOffset: number;
}
