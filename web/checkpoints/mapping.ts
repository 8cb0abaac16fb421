// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { HeaderValue, MetadataValue, TensorEntry } from '../gguf/types.js';

/** Makes a tensor's values, row by row, of those of others. */
export type Compute = (...sources: Float32Array[]) => Float32Array;

/** How a tensor that no file holds comes from those that one does. */
export type Origin =
  /** Bytes [from, to) of a tensor, as they are, but for the order of its rows. */
  | { source: string; from: number; to: number; rows?: RowOrder }
  /** F32 values of small ones, which are held until all are there. */
  | { sources: string[]; compute: Compute };

/** Rows in another order, the same in each group of as many: row i is what was row `order[i]`. */
export interface RowOrder {
  order: readonly number[];
  rowBytes: number;
}

/** A tensor of a checkpoint under its name in a GGUF. */
export interface VirtualTensor {
  entry: TensorEntry;
  origin: Origin;
}

const F32 = 0;
const READABLE = new Set([F32, 1, 30]);
// What is computed is norms, convolutions and gates; a matrix would be held whole.
const MOST_COMPUTED = 1 << 24;

/**
 * A checkpoint in GGUF's terms, as a family writes it down: metadata, and where each tensor comes
 * from. Every tensor of the checkpoint must be read or ignored by name.
 *
 * Methods throw ModelError `missing_tensor`, `shape_mismatch` or `unsupported_type`, with the
 * checkpoint's own name of the tensor as subject.
 */
export class Mapping {
  readonly metadata: Map<string, HeaderValue>;
  readonly tensors: VirtualTensor[] = [];
  readonly #architecture: string;
  readonly #sources: ReadonlyMap<string, TensorEntry>;
  readonly #used = new Set<string>();

  /** @param architecture as `general.architecture` names it */
  constructor(architecture: string, sources: readonly TensorEntry[]) {
    this.#architecture = architecture;
    this.#sources = new Map(sources.map((tensor) => [tensor.name, tensor]));
    this.metadata = new Map([['general.architecture', architecture]]);
  }

  /** Sets keys under the architecture's prefix; one that is undefined stays out. */
  set(keys: Record<string, MetadataValue | undefined>): void {
    for (const [key, value] of Object.entries(keys)) {
      if (value !== undefined) this.metadata.set(`${this.#architecture}.${key}`, value);
    }
  }

  /** Whether the checkpoint has a tensor. */
  has(source: string): boolean {
    return this.#sources.has(source);
  }

  /** Rows of a tensor, then columns: what lies beyond is counted with the rows. */
  shapeOf(source: string): [rows: number, columns: number] {
    const [columns = 1, ...others] = this.#tensor(source).shape;
    return [others.reduce((product, length) => product * length, 1), columns];
  }

  /** A matrix as it is stored, or its rows [from, to). */
  matrix(target: string, source: string, rows?: readonly [from: number, to: number]): void {
    const tensor = this.#tensor(source);
    const [all, columns] = this.shapeOf(source);
    const [from, to] = rows ?? [0, all];
    if (from < 0 || from >= to || to > all) {
      throw this.#misshapen(source, `has ${all} rows, not those from ${from} to ${to}`);
    }
    const rowBytes = tensor.bytes / all;
    const origin = { source, from: from * rowBytes, to: to * rowBytes };
    this.#add(target, tensor, [columns, to - from], origin);
  }

  /** A matrix whose rows take another order in each group of as many as `order` has. */
  reordered(target: string, source: string, order: readonly number[]): void {
    const tensor = this.#tensor(source);
    const [rows, columns] = this.shapeOf(source);
    if (rows % order.length !== 0) {
      throw this.#misshapen(source, `has ${rows} rows, no groups of ${order.length}`);
    }
    const rowBytes = tensor.bytes / rows;
    const origin = { source, from: 0, to: tensor.bytes, rows: { order, rowBytes } };
    this.#add(target, tensor, [columns, rows], origin);
  }

  /** A vector or another small tensor as F32, each value changed if so told. */
  vector(target: string, source: string, change?: (value: number) => number): void {
    const tensor = this.#tensor(source);
    const long = tensor.shape.filter((length) => length !== 1);
    const shape = long.length === 0 ? [1] : long;
    this.#computed(target, shape, [source], (values) => (change ? values.map(change) : values));
  }

  /**
   * A small tensor [rows, columns] of F32 values, or a vector where there are no columns.
   *
   * @param sources with the number of values that each must have
   */
  compute(
    target: string,
    [rows, columns]: readonly [rows: number, columns?: number],
    sources: readonly (readonly [name: string, length: number])[],
    compute: Compute,
  ): void {
    for (const [name, length] of sources) {
      const found = this.#tensor(name).shape.reduce((product, size) => product * size, 1);
      if (found !== length) throw this.#misshapen(name, `has ${found} values, not ${length}`);
    }
    const shape = columns === undefined ? [rows] : [columns, rows];
    const names = sources.map(([name]) => name);
    this.#computed(target, shape, names, compute);
  }

  /** Tensors that change nothing that is computed here. */
  ignore(...patterns: RegExp[]): void {
    for (const name of this.#sources.keys()) {
      if (patterns.some((pattern) => pattern.test(name))) this.#used.add(name);
    }
  }

  /** @throws ModelError `unsupported_architecture` naming a tensor that nothing reads */
  finish(): void {
    for (const name of this.#sources.keys()) {
      if (this.#used.has(name)) continue;
      const message = `nothing of '${this.#architecture}' reads tensor ${name}`;
      throw new ModelError('unsupported_architecture', message, { subject: name });
    }
  }

  #computed(target: string, shape: number[], sources: string[], compute: Compute): void {
    for (const source of sources) {
      const tensor = this.#tensor(source);
      const values = tensor.shape.reduce((product, size) => product * size, 1);
      if (values > MOST_COMPUTED) throw this.#misshapen(source, `has ${values} values`);
    }
    const first = this.#tensor(sources[0] as string);
    this.#add(target, { ...first, type: F32, typeName: 'F32' }, shape, { sources, compute });
  }

  #add(target: string, like: TensorEntry, shape: number[], origin: Origin): void {
    const elements = shape.reduce((product, length) => product * length, 1);
    const bytes = 'source' in origin ? origin.to - origin.from : elements * 4;
    this.tensors.push({ entry: { ...like, name: target, shape, bytes }, origin });
  }

  #tensor(name: string): TensorEntry {
    const tensor = this.#sources.get(name);
    if (!tensor) {
      const message = `the checkpoint has no tensor ${name}`;
      throw new ModelError('missing_tensor', message, { subject: name });
    }
    if (!READABLE.has(tensor.type)) {
      const message = `tensor ${name} is of type ${tensor.typeName}, and only F32, F16 and BF16 are read`;
      throw new ModelError('unsupported_type', message, { subject: name });
    }
    if (tensor.bytes === 0) throw this.#misshapen(name, 'has no values');
    this.#used.add(name);
    return tensor;
  }

  #misshapen(name: string, what: string): ModelError {
    const shape = [...(this.#sources.get(name)?.shape ?? [])].reverse().join(', ');
    return new ModelError('shape_mismatch', `tensor ${name} [${shape}] ${what}`, { subject: name });
  }
}
