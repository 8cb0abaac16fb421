// SPDX-License-Identifier: MIT
// Own parser: @huggingface/gguf 0.4.6 cuts strings silently where an array meets the end of its
// 2 MB chunk, and takes 1.6 s for a Qwen3.5 header.

import { ModelError, shown } from '../errors.js';
import { placeTensors, type TensorClaim } from './check.js';
import { HeaderCursor } from './cursor.js';
import { isOfHub } from './hub-keys.js';
import { readString, readStrings } from './strings.js';
import type { TextColumn } from './text-column.js';
import type { GgufHeader, HeaderSource, HeaderValue, Metadata, MetadataValue } from './types.js';

const MAGIC = 0x46554747;
const MAX_KEYS = 1 << 16;
const MAX_TENSORS = 1 << 17;
const MAX_KEY_BYTES = 1 << 16;
const MAX_NAME_BYTES = 1 << 10;
const MAX_ELEMENTS = 1 << 25;
const MAX_NESTING = 4;

// Lists of strings that stay bytes: a model of today has a quarter of a million in each.
const COLUMNS = new Set(['tokenizer.ggml.tokens', 'tokenizer.ggml.merges']);

const STRING = 8;
const ARRAY = 9;
// Smallest encoding of each value type, by type number: 8 is a string, 9 an array.
const VALUE_BYTES = [1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8];

/**
 * Reads the header from a source that stands at byte 0, with every number in it checked against the
 * file before it is used. Memory stays a small multiple of the bytes read, whatever the counts say.
 *
 * @returns the header, and the bytes that were read past its end (they start at `headerEnd`)
 * @throws ModelError `invalid_header`, `invalid_metadata`, `unsupported_type` or `truncated`
 */
export async function readGgufHeader(
  source: HeaderSource,
): Promise<{ header: GgufHeader; rest: Uint8Array; headerEnd: number }> {
  const cursor = new HeaderCursor(source);
  const version = await readVersion(cursor);
  await cursor.need(16, 'the counts');
  const tensorCount = cursor.count('the number of tensors');
  const keyCount = cursor.count('the number of keys');
  if (tensorCount > MAX_TENSORS) throw cursor.invalid(`${tensorCount} tensors are announced`);
  if (keyCount > MAX_KEYS) throw cursor.invalid(`${keyCount} keys are announced`);

  const metadata = await new MetadataReader(cursor).read(keyCount);
  const claims: TensorClaim[] = [];
  for (let i = 0; i < tensorCount; i++) claims.push(await readTensor(cursor, i));

  const alignment = readAlignment(cursor, metadata);
  const headerEnd = cursor.offset;
  const dataOffset = Math.ceil(headerEnd / alignment) * alignment;
  const space = { name: source.name, dataOffset, alignment, size: source.size };
  const tensors = placeTensors(claims, space);
  const rest = cursor.bytes.subarray(cursor.at);
  return { header: { version, metadata, tensors, dataOffset }, rest, headerEnd };
}

async function readVersion(cursor: HeaderCursor): Promise<2 | 3> {
  await cursor.need(8, 'the magic number');
  const magic = cursor.u32();
  if (magic !== MAGIC) {
    const found = magic.toString(16).padStart(8, '0');
    throw cursor.invalid(`not a GGUF file: it starts with 0x${found}`);
  }
  const version = cursor.u32();
  if (version === 2 || version === 3) return version;
  if (version === 1) throw cursor.invalid('GGUF version 1 is not supported, only 2 and 3');
  if ((version & 0xffff) === 0 && version !== 0) {
    throw cursor.invalid('big-endian GGUF is not supported');
  }
  throw cursor.invalid(`GGUF version ${version} is not supported, only 2 and 3`);
}

async function readTensor(cursor: HeaderCursor, index: number): Promise<TensorClaim> {
  const name = await readString(cursor, `the name of tensor ${index}`, MAX_NAME_BYTES);
  await cursor.need(4, name);
  const dimensions = cursor.u32();
  if (dimensions < 1 || dimensions > 4) {
    throw cursor.invalid(`tensor ${name} has ${dimensions} dimensions, not 1 to 4`, name);
  }
  await cursor.need(dimensions * 8 + 12, name);
  const shape: number[] = [];
  for (let i = 0; i < dimensions; i++) shape.push(cursor.count(`dimension ${i} of ${name}`));
  const type = cursor.u32();
  const offset = cursor.count(`the offset of ${name}`);
  return { name, type, shape, offset };
}

function readAlignment(cursor: HeaderCursor, metadata: Metadata): number {
  const alignment = metadata.get('general.alignment') ?? 32;
  const sane =
    typeof alignment === 'number' &&
    alignment >= 8 &&
    alignment <= 65536 &&
    Number.isInteger(Math.log2(alignment));
  if (sane) return alignment;
  const message = `${cursor.name}: general.alignment is ${shown(alignment)}, not a power of two from 8 to 65536`;
  throw new ModelError('invalid_metadata', message, { subject: 'general.alignment' });
}

class MetadataReader {
  #cursor: HeaderCursor;
  #elements = 0;

  constructor(cursor: HeaderCursor) {
    this.#cursor = cursor;
  }

  async read(count: number): Promise<Map<string, HeaderValue>> {
    const metadata = new Map<string, HeaderValue>();
    for (let i = 0; i < count; i++) {
      const key = await readString(this.#cursor, `the name of key ${i}`, MAX_KEY_BYTES);
      if (metadata.has(key)) throw this.#bad(key, 'occurs twice');
      await this.#cursor.need(4, key);
      const value = await this.#entry(key, this.#cursor.u32());
      // A tokenizer.json is checked where it becomes such entries, and those of a file are not.
      if (isOfHub(key, value)) throw this.#bad(key, 'stands for a tokenizer.json, and in no GGUF');
      metadata.set(key, value);
    }
    return metadata;
  }

  async #entry(key: string, type: number): Promise<HeaderValue> {
    if (type === STRING) return readString(this.#cursor, key);
    if (type === ARRAY) {
      const values = await this.#array(key, 1);
      return Array.isArray(values) || COLUMNS.has(key) ? values : [...values];
    }
    await this.#cursor.need(this.#bytesOf(key, type), key);
    return this.#scalar(key, type);
  }

  async #array(key: string, depth: number): Promise<MetadataValue[] | TextColumn> {
    const cursor = this.#cursor;
    if (depth > MAX_NESTING) throw this.#bad(key, `nests arrays deeper than ${MAX_NESTING}`);
    await cursor.need(12, key);
    const type = cursor.u32();
    const count = cursor.count(`the length of ${key}`);
    const each = this.#bytesOf(key, type);
    this.#elements += count;
    if (this.#elements > MAX_ELEMENTS) throw this.#bad(key, `has ${count} elements`);
    // Before the first element is kept, so that a count nobody could have written costs nothing.
    if (count * each > cursor.room) throw cursor.truncated(`${key}: ${count} elements`);
    if (type === STRING) return readStrings(cursor, count, key);

    const values: MetadataValue[] = [];
    while (values.length < count) {
      if (type === ARRAY) {
        values.push([...(await this.#array(key, depth + 1))]);
        continue;
      }
      await cursor.need(each, key);
      const ready = Math.min(count - values.length, Math.floor(cursor.available / each));
      for (let i = 0; i < ready; i++) values.push(this.#scalar(key, type));
    }
    return values;
  }

  #scalar(key: string, type: number): MetadataValue {
    const cursor = this.#cursor;
    switch (type) {
      case 0:
        return cursor.u8();
      case 1:
        return cursor.i8();
      case 2:
        return cursor.u16();
      case 3:
        return cursor.i16();
      case 4:
        return cursor.u32();
      case 5:
        return cursor.i32();
      case 6:
        return cursor.f32();
      case 7: {
        const byte = cursor.u8();
        if (byte > 1) throw this.#bad(key, `is a boolean of value ${byte}`);
        return byte === 1;
      }
      case 10:
        return cursor.u64();
      case 11:
        return cursor.i64();
      default:
        return cursor.f64();
    }
  }

  #bytesOf(key: string, type: number): number {
    const bytes = VALUE_BYTES[type];
    if (bytes === undefined) throw this.#bad(key, `has the unknown value type ${type}`);
    return bytes;
  }

  #bad(key: string, what: string): ModelError {
    return new ModelError('invalid_metadata', `${this.#cursor.name}: ${key} ${what}`, {
      subject: key,
    });
  }
}
