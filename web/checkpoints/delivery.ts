// SPDX-License-Identifier: MIT

import type { TensorEntry } from '../gguf/types.js';
import type { RowOrder, VirtualTensor } from './mapping.js';

type Sink = (tensor: TensorEntry, bytes: Uint8Array) => void;

const WIDEN: Readonly<Record<string, (bytes: Uint8Array) => Float32Array>> = {
  F32: (bytes) => new Float32Array(bytes.buffer, 0, bytes.byteLength / 4),
  F16: (bytes) => Float32Array.from(new Uint16Array(bytes.buffer), half),
  BF16: (bytes) => {
    const bits = Uint32Array.from(new Uint16Array(bytes.buffer), (value) => value << 16);
    return new Float32Array(bits.buffer);
  },
};

/**
 * Makes the bytes of virtual tensors of those of stored ones as they pass. Nothing but what values are
 * computed of is held.
 */
export class Delivery {
  readonly #sink: Sink;
  /** Who reads a stored tensor. */
  readonly #readers = new Map<string, VirtualTensor[]>();
  /** Bytes of a small tensor that is not yet whole; values of those that are. */
  readonly #held = new Map<string, Uint8Array>();
  readonly #values = new Map<string, Float32Array>();
  readonly #made = new Set<VirtualTensor>();
  #group: { entry: TensorEntry; bytes: Uint8Array; filled: number } | undefined;
  #tensor: TensorEntry | undefined;
  #at = 0;

  /**
   * @param wanted the tensors to make
   * @param sink is given each in order; what is stored as it is wanted, as views of what comes in
   */
  constructor(wanted: readonly VirtualTensor[], sink: Sink) {
    this.#sink = sink;
    for (const tensor of wanted) {
      const { origin } = tensor;
      for (const name of 'source' in origin ? [origin.source] : origin.sources) {
        const readers = this.#readers.get(name) ?? [];
        readers.push(tensor);
        this.#readers.set(name, readers);
      }
    }
    // Of several ranges of one tensor the first comes first.
    for (const readers of this.#readers.values()) readers.sort((a, b) => start(a) - start(b));
  }

  /** Whether any tensor is made of a stored one. */
  wants(tensor: TensorEntry): boolean {
    return this.#readers.has(tensor.name);
  }

  /** Takes the next bytes of a stored tensor; each comes once, in order. */
  take(tensor: TensorEntry, bytes: Uint8Array): void {
    if (this.#tensor !== tensor) {
      this.#tensor = tensor;
      this.#at = 0;
    }
    const from = this.#at;
    const to = from + bytes.byteLength;
    this.#at = to;
    const readers = this.#readers.get(tensor.name) ?? [];
    for (const { entry, origin } of readers) {
      if (!('source' in origin) || origin.to <= from || origin.from >= to) continue;
      const own = bytes.subarray(Math.max(origin.from - from, 0), origin.to - from);
      if (origin.rows) this.#reorder(entry, origin.rows, own);
      else this.#sink(entry, own);
    }
    if (!readers.some(({ origin }) => 'sources' in origin)) return;
    const held = this.#held.get(tensor.name) ?? new Uint8Array(tensor.bytes);
    held.set(bytes, from);
    this.#held.set(tensor.name, held);
    if (to === tensor.bytes) this.#compute(tensor, readers);
  }

  /** Holds a group of rows at a time. */
  #reorder(entry: TensorEntry, { order, rowBytes }: RowOrder, bytes: Uint8Array): void {
    let group = this.#group;
    if (group?.entry !== entry) {
      group = { entry, bytes: new Uint8Array(order.length * rowBytes), filled: 0 };
      this.#group = group;
    }
    for (let at = 0; at < bytes.byteLength; ) {
      const count = Math.min(bytes.byteLength - at, group.bytes.byteLength - group.filled);
      group.bytes.set(bytes.subarray(at, at + count), group.filled);
      group.filled += count;
      at += count;
      if (group.filled < group.bytes.byteLength) continue;
      group.filled = 0;
      for (const row of order) {
        this.#sink(entry, group.bytes.subarray(row * rowBytes, (row + 1) * rowBytes));
      }
    }
  }

  #compute(tensor: TensorEntry, readers: readonly VirtualTensor[]): void {
    const widen = WIDEN[tensor.typeName] as (bytes: Uint8Array) => Float32Array;
    const bytes = this.#held.get(tensor.name) as Uint8Array;
    this.#values.set(tensor.name, widen(bytes));
    this.#held.delete(tensor.name);
    for (const reader of readers) {
      const { entry, origin } = reader;
      if (!('sources' in origin) || this.#made.has(reader)) continue;
      const sources = origin.sources.map((name) => this.#values.get(name));
      if (sources.some((values) => !values)) continue;
      this.#made.add(reader);
      const { buffer, byteOffset, byteLength } = origin.compute(...(sources as Float32Array[]));
      this.#sink(entry, new Uint8Array(buffer, byteOffset, byteLength));
      this.#forget(origin.sources);
    }
  }

  /** Lets go of values that nobody waits for any more. */
  #forget(names: readonly string[]): void {
    for (const name of names) {
      const readers = this.#readers.get(name) ?? [];
      if (readers.every((one) => 'source' in one.origin || this.#made.has(one))) {
        this.#values.delete(name);
      }
    }
  }
}

const start = ({ origin }: VirtualTensor): number => ('source' in origin ? origin.from : 0);

// IEEE 754 binary16, of its bits.
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
