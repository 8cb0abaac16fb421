// SPDX-License-Identifier: MIT

import type { Compute, Mapping } from './mapping.js';

/** One block of a {@link Mapping}: every name is told without what all names of the block begin with. */
export class Layer {
  readonly #mapping: Mapping;
  readonly #target: string;
  readonly #source: string;

  /** @param prefix what names there begin with before the block's number: `model.layers.` */
  constructor(mapping: Mapping, index: number, prefix: string) {
    this.#mapping = mapping;
    this.#target = `blk.${index}.`;
    this.#source = `${prefix}${index}.`;
  }

  has(source: string): boolean {
    return this.#mapping.has(this.#source + source);
  }

  shapeOf(source: string): [rows: number, columns: number] {
    return this.#mapping.shapeOf(this.#source + source);
  }

  matrix(target: string, source: string, rows?: readonly [from: number, to: number]): void {
    this.#mapping.matrix(this.#target + target, this.#source + source, rows);
  }

  /** A matrix and, where it has one, its bias; names without `.weight` and `.bias`. */
  linear(target: string, source: string, biased: boolean): void {
    this.matrix(`${target}.weight`, `${source}.weight`);
    if (biased) this.vector(`${target}.bias`, `${source}.bias`);
  }

  vector(target: string, source: string, change?: (value: number) => number): void {
    this.#mapping.vector(this.#target + target, this.#source + source, change);
  }

  compute(
    target: string,
    shape: readonly [rows: number, columns?: number],
    sources: readonly (readonly [name: string, length: number])[],
    compute: Compute,
  ): void {
    const named = sources.map(([name, length]) => [this.#source + name, length] as const);
    this.#mapping.compute(this.#target + target, shape, named, compute);
  }

  /** Projections of queries, keys, values and the output, from names without `.weight`. */
  attention(query: string, key: string, value: string, output: string, biased = false): void {
    this.linear('attn_q', query, biased);
    this.linear('attn_k', key, biased);
    this.linear('attn_v', value, biased);
    this.linear('attn_output', output, biased);
  }

  /** SwiGLU's matrices, from `gate`, `up` and `down`. */
  swiGlu(gate: string, up: string, down: string): void {
    this.matrix('ffn_gate.weight', gate);
    this.matrix('ffn_up.weight', up);
    this.matrix('ffn_down.weight', down);
  }
}
