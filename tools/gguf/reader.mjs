// SPDX-License-Identifier: MIT
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeNumber, decodeText, valueSize, valueTypes } from './metadata.mjs';
import { byteLength, tensorTypeById } from './types.mjs';

/**
 * @import { MetadataValue } from './metadata.mjs'
 *
 * @typedef {object} Source
 * @property {number} size
 * @property {(offset: number, length: number) => Uint8Array} read
 * @property {() => void} close
 *
 * A value, and the key and value as the file has them.
 * @typedef {MetadataValue & { encoded(): Uint8Array }} Entry
 *
 * @typedef {object} Tensor
 * @property {string} name
 * @property {string} type as in `Q4_K`
 * @property {number[]} shape the contiguous dimension first
 * @property {number} count of weights
 * @property {number} offset in the data of all
 * @property {number} size in bytes
 *
 * @typedef {ReturnType<typeof openGguf>} GgufFile
 */

/** @type {(path: string) => Source} */
function fileSource(path) {
  const file = openSync(path, 'r');
  return {
    size: fstatSync(file).size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const count = readSync(file, bytes, done, length - done, offset + done);
        if (count === 0) throw new RangeError('the file ends too early');
        done += count;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}

/** @type {(bytes: Uint8Array) => Source} */
function memorySource(bytes) {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close() {},
  };
}

const windowBytes = 1 << 20;

// Reads header fields one after another, and never past the end of the file.
class Cursor {
  #source;
  /** @type {Uint8Array} */
  #window = new Uint8Array(0);
  #windowStart = 0;
  position = 0;

  /** @param {Source} source */
  constructor(source) {
    this.#source = source;
  }

  get remaining() {
    return this.#source.size - this.position;
  }

  /** @param {number} length */
  take(length) {
    if (length > this.remaining) throw new RangeError('the header runs past the end of the file');
    let start = this.position - this.#windowStart;
    if (start + length > this.#window.length) {
      this.#window = this.#source.read(
        this.position,
        Math.min(Math.max(length, windowBytes), this.remaining),
      );
      this.#windowStart = this.position;
      start = 0;
    }
    this.position += length;
    return this.#window.subarray(start, start + length);
  }

  /** @param {string} type */
  number(type) {
    return decodeNumber(type, this.take(valueSize(type)));
  }

  // Counts and lengths: each item takes `itemBytes` of the file at least, so more cannot be there.
  /** @param {number} itemBytes */
  count(itemBytes) {
    const count = this.number('uint64');
    if (count * BigInt(itemBytes) > BigInt(this.remaining)) {
      throw new RangeError(`a count of ${count} is more than the file can hold`);
    }
    return Number(count);
  }

  string() {
    return decodeText(this.take(this.count(1)));
  }

  valueType() {
    const id = this.number('uint32');
    if (id >= valueTypes.length) throw new RangeError(`unknown metadata type ${id}`);
    return valueTypes[id][0];
  }

  /** @returns {MetadataValue} */
  metadataValue() {
    const type = this.valueType();
    if (type === 'string') return { type, value: this.string() };
    if (type !== 'array') return { type, value: this.number(type) };
    const elementType = this.valueType();
    if (elementType === 'array') throw new RangeError('arrays of arrays are not supported');
    const count = this.count(valueSize(elementType) || 8);
    const next = elementType === 'string' ? () => this.string() : () => this.number(elementType);
    return { type, elementType, value: Array.from({ length: count }, next) };
  }
}

/** @type {(cursor: Cursor, count: number, source: Source) => Map<string, Entry>} */
function readMetadata(cursor, count, source) {
  const metadata = new Map();
  for (let i = 0; i < count; i++) {
    const start = cursor.position;
    const key = cursor.string();
    if (metadata.has(key)) throw new RangeError(`metadata key ${key} occurs twice`);
    const entry = cursor.metadataValue();
    const end = cursor.position;
    metadata.set(key, { ...entry, encoded: () => source.read(start, end - start) });
  }
  return metadata;
}

/** @type {(cursor: Cursor) => Tensor} */
function readTensor(cursor) {
  const name = cursor.string();
  const dimensions = cursor.number('uint32');
  if (dimensions < 1 || dimensions > 4)
    throw new RangeError(`${name} has ${dimensions} dimensions`);
  const shape = Array.from({ length: dimensions }, () => Number(cursor.number('uint64')));
  const id = cursor.number('uint32');
  const type = tensorTypeById(id);
  if (!type) throw new RangeError(`${name} has unknown type ${id}`);
  const offset = Number(cursor.number('uint64'));
  const count = shape.reduce((a, b) => a * b, 1);
  if (!Number.isSafeInteger(count) || count === 0)
    throw new RangeError(`${name} has shape ${shape}`);
  if (shape[0] % type.elements !== 0)
    throw new RangeError(`${name}: rows of ${shape[0]} do not fit ${type.name}`);
  return { name, type: type.name, shape, count, offset, size: byteLength(type.name, count) };
}

/** @type {(tensors: Tensor[], alignment: number, dataSize: number) => void} */
function checkPlacement(tensors, alignment, dataSize) {
  const names = new Set();
  let free = 0;
  for (const { name, offset, size } of [...tensors].sort((a, b) => a.offset - b.offset)) {
    if (names.has(name)) throw new RangeError(`tensor ${name} occurs twice`);
    names.add(name);
    if (offset % alignment !== 0)
      throw new RangeError(`${name} is not aligned to ${alignment} bytes`);
    if (offset < free) throw new RangeError(`${name} overlaps the tensor before it`);
    free = offset + size;
    if (free > dataSize) throw new RangeError(`${name} runs past the end of the file`);
  }
}

/** @param {Map<string, Entry>} metadata */
function readAlignment(metadata) {
  const entry = metadata.get('general.alignment');
  const alignment = entry ? entry.value : 32;
  if (typeof alignment !== 'number' || alignment <= 0 || (alignment & (alignment - 1)) !== 0) {
    throw new RangeError(`the alignment ${alignment} is not a power of two`);
  }
  return alignment;
}

/**
 * Reads the header of a GGUF file; tensor bytes stay where they are until they are asked for.
 * @param {string | Uint8Array} input a path, or a file's bytes
 */
export function openGguf(input) {
  const source = typeof input === 'string' ? fileSource(input) : memorySource(input);
  try {
    const cursor = new Cursor(source);
    if (decodeText(cursor.take(4)) !== 'GGUF') throw new RangeError('not a GGUF file');
    const version = cursor.number('uint32');
    if (version !== 2 && version !== 3)
      throw new RangeError(`GGUF version ${version} is not supported`);
    const tensorCount = cursor.count(24);
    const metadataCount = cursor.count(13);
    const metadata = readMetadata(cursor, metadataCount, source);
    const tensors = Array.from({ length: tensorCount }, () => readTensor(cursor));
    const alignment = readAlignment(metadata);
    const headerEnd = cursor.position;
    const dataStart = Math.ceil(headerEnd / alignment) * alignment;
    checkPlacement(tensors, alignment, source.size - dataStart);
    return {
      version,
      metadata,
      tensors,
      alignment,
      headerEnd,
      dataStart,
      /**
       * Bytes [start, start + length) of a tensor; all of them by default.
       * @type {(tensor: Tensor, start?: number, length?: number) => Uint8Array}
       */
      read: (tensor, start = 0, length = tensor.size - start) =>
        source.read(dataStart + tensor.offset + start, length),
      close: () => source.close(),
    };
  } catch (error) {
    source.close();
    throw error;
  }
}
