// SPDX-License-Identifier: MIT

import type { Compute, Mapping } from './mapping.js';

/** One block of a {@link Mapping}: every name is told without what all names of the block begin with. */
export class Layer {
  readonly #mapping: Mapping;
  readonly #target: string;
  readonly #source: string;

  /**
   * @param index undefined for what lies outside the blocks
   * @param prefix what names there begin with before the block's number: `model.layers.`
   */
  constructor(mapping: Mapping, index: number | undefined, prefix: string) {
    this.#mapping = mapping;
    this.#target = index === undefined ? '' : `blk.${index}.`;
    this.#source = index === undefined ? prefix : `${prefix}${index}.`;
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
  linear(target: string, source: string, biased: boolean, biasScale = 1): void {
    this.matrix(`${target}.weight`, `${source}.weight`);
    if (biased) this.vector(`${target}.bias`, `${source}.bias`, (value) => value * biasScale);
  }

  /** A layer norm; zeros for a bias that it lacks. Names without `.weight` and `.bias`. */
  layerNorm(target: string, source: string, dim: number): void {
    this.vector(`${target}.weight`, `${source}.weight`);
    if (this.has(`${source}.bias`)) {
      this.vector(`${target}.bias`, `${source}.bias`);
      return;
    }
    const none = () => new Float32Array(dim);
    this.compute(`${target}.bias`, [dim], [[`${source}.weight`, dim]], none);
  }

  reordered(target: string, source: string, order: readonly number[]): void {
    this.#mapping.reordered(this.#target + target, this.#source + source, order);
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

  /**
   * Projections `<part>q_proj` of queries and so on, the output's under a name of its own.
   *
   * @param biasScale what biases are multiplied by
   */
  attention(part: string, { output = 'o_proj', biased = false, biasScale = 1 } = {}): void {
    for (const name of ['q', 'k', 'v']) {
      this.linear(`attn_${name}`, `${part}${name}_proj`, biased, biasScale);
    }
    this.linear('attn_output', `${part}${output}`, biased, biasScale);
  }

  /** SwiGLU's matrices, from names without `.weight`. */
  swiGlu(gate: string, up: string, down: string, biased = false): void {
    this.linear('ffn_gate', gate, biased);
    this.linear('ffn_up', up, biased);
    this.linear('ffn_down', down, biased);
  }
}
