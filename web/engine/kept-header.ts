// SPDX-License-Identifier: MIT
// A header as it is kept beside packed weights: what is long in it are arrays of bytes and numbers that are
// used as they lie. Whoever reads one believes nothing of it.

import { placeTensors } from '../gguf/check.js';
import { TextColumn } from '../gguf/text-column.js';
import type { HeaderValue, MetadataValue, ModelHeader } from '../gguf/types.js';
import type { MergePairs } from '../text/pair-table.js';

/** What is kept of a file in the place of its header. */
export interface KeptHeader {
  header: ModelHeader;
  /** What its merges come to, which its metadata is without then. */
  pairs: MergePairs | undefined;
}

// Those that follow the JSON begin at multiples of it.
const ALIGNMENT = 8;
// Shorter lists stay in the JSON.
const LONG = 64;
const TOKENS = 'tokenizer.ggml.tokens';
const MERGES = 'tokenizer.ggml.merges';

/** What of a value JSON cannot say; of arrays how long they are, which lie behind it. */
type Written =
  | string
  | boolean
  | number
  | Written[]
  | { whole: string }
  | { odd: string }
  | { texts: [bytes: number, count: number] }
  | { int32: number }
  | { float64: number };

interface Head {
  metadata: [key: string, value: Written][];
  /** Name, type, shape and offset of each. */
  tensors: [string, number, number[], number][];
  /** Merges and symbols of bytes. */
  pairs: [merges: number, bytes: number] | undefined;
}

const utf8 = new TextEncoder();

/** The bytes that {@link readKeptHeader} reads. */
export function keptHeader({ metadata, tensors }: ModelHeader, pairs?: MergePairs): Uint8Array {
  const arrays: ArrayBufferView[] = [];
  const write = (value: HeaderValue): Written => {
    if (value instanceof TextColumn) {
      arrays.push(value.bytes, value.ends);
      return { texts: [value.bytes.length, value.length] };
    }
    if (Array.isArray(value)) {
      if (value.length < LONG || !value.every((item) => typeof item === 'number')) {
        return value.map(write);
      }
      const numbers = value as number[];
      const isWhole = numbers.every((item) => Object.is(item, item | 0));
      arrays.push(isWhole ? Int32Array.from(numbers) : Float64Array.from(numbers));
      return isWhole ? { int32: numbers.length } : { float64: numbers.length };
    }
    if (typeof value === 'bigint') return { whole: `${value}` };
    if (typeof value !== 'number') return value;
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { odd: odd(value) };
  };
  const written = [...metadata]
    .filter(([key]) => !pairs || key !== MERGES)
    .map(([key, value]): Head['metadata'][number] => [key, write(value)]);
  if (pairs) arrays.push(pairs.left, pairs.right, pairs.merged, pairs.bytes);
  const head: Head = {
    metadata: written,
    tensors: tensors.map(({ name, type, shape, offset }) => [name, type, shape, offset]),
    pairs: pairs && [pairs.left.length, pairs.bytes.length],
  };
  const json = utf8.encode(JSON.stringify(head));
  const length = Uint32Array.of(json.length);
  const parts = [length, json, ...arrays];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + aligned(part.byteLength), 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += aligned(part.byteLength);
  }
  return whole;
}

/**
 * @param bytes from the start of a buffer of their own, of which arrays of the header are views
 * @param size of the file
 * @throws whatever is wrong with them
 */
export function readKeptHeader({ buffer, length }: Uint8Array, size: number): KeptHeader {
  let at = 0;
  const take = (count: number): number => {
    const start = at;
    at += aligned(count);
    if (!(Number.isSafeInteger(count) && count >= 0 && at <= length)) throw wrong('a length');
    return start;
  };
  const int32 = (count: number) => new Int32Array(buffer, take(4 * count), count);
  const [jsonBytes = 0] = new Uint32Array(buffer, take(4), 1);
  const json = new Uint8Array(buffer, take(jsonBytes), jsonBytes);
  const { metadata, tensors, pairs } = JSON.parse(new TextDecoder().decode(json)) as Head;

  const read = (value: Written): HeaderValue => {
    if (Array.isArray(value)) return value.map((item) => read(item) as MetadataValue);
    if (typeof value !== 'object') return value;
    if ('whole' in value) return BigInt(value.whole);
    if ('odd' in value) return Number(value.odd);
    if ('int32' in value) return numbersOf(int32(value.int32));
    if ('float64' in value) {
      return numbersOf(new Float64Array(buffer, take(8 * value.float64), value.float64));
    }
    const [count, texts] = value.texts;
    const column = new Uint8Array(buffer, take(count), count);
    const ends = new Uint32Array(buffer, take(4 * texts), texts);
    checkEnds(ends, count);
    return new TextColumn(column, ends);
  };
  const values = new Map(metadata.map(([key, value]) => [String(key), read(value)]));
  const claims = tensors.map(([name, type, shape, offset]) => ({ name, type, shape, offset }));
  for (const { name, type, shape, offset } of claims) {
    if (typeof name !== 'string' || ![type, offset, ...shape].every(isCount)) throw wrong(name);
  }
  const alignment = Number(values.get('general.alignment') ?? 32);
  const space = { name: 'what is kept of a header', dataOffset: 0, alignment, size };
  const header = { metadata: values, tensors: placeTensors(claims, space) };
  return { header, pairs: pairs && readPairs(pairs, values.get(TOKENS), int32) };
}

function readPairs(
  [merges, chars]: [number, number],
  tokens: HeaderValue | undefined,
  int32: (count: number) => Int32Array,
): MergePairs {
  const most = tokens instanceof TextColumn ? tokens.length : 0;
  const symbols = (count: number) => {
    const numbers = int32(count);
    // Not by every(), which takes 5 ms for a million numbers that nobody has looked at before.
    for (let i = 0; i < count; i++) {
      const number = numbers[i] as number;
      if (number < 0 || number >= most) throw wrong('a pair');
    }
    return numbers;
  };
  const [left, right, merged] = [symbols(merges), symbols(merges), symbols(merges)];
  if (chars !== 256) throw wrong('the bytes');
  return { left, right, merged, bytes: symbols(chars) };
}

function checkEnds(ends: Uint32Array, bytes: number): void {
  let before = 0;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i] as number;
    if (end < before) throw wrong('a text');
    before = end;
  }
  if (before > bytes) throw wrong('a text');
}

// Array.from takes 12 ms for the 250,000 kinds of a vocabulary's tokens, where this takes 4.
function numbersOf(given: Int32Array | Float64Array): number[] {
  const numbers = new Array<number>(given.length);
  for (let i = 0; i < given.length; i++) numbers[i] = given[i] as number;
  return numbers;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
const odd = (value: number) => (Object.is(value, -0) ? '-0' : String(value));
const wrong = (what: string) => new Error(`${what} of a kept header is wrong`);
