// SPDX-License-Identifier: MIT
import { kBlock } from './weights.mjs';

/** What layers are made of; `x` and results are names of values [batch, tokens, …]. */
export class LayerBuilder {
  /**
   * @param {import('./graph-builder.mjs').GraphBuilder} graph
   * @param {import('./weights.mjs').Weights} weights
   * @param {import('../gguf/qwen35-shapes.mjs').Qwen35Shape} shape
   */
  constructor(graph, weights, shape) {
    this.graph = graph;
    this.weights = weights;
    this.shape = shape;
  }

  /**
   * RMS norm over each head's `size` numbers.
   * @type {(name: string, x: string, size: number) => string}
   */
  headNorm(name, x, size) {
    const epsilon = { epsilon: { float: this.shape.rmsEpsilon } };
    const weight = this.weights.vector(name, [size]);
    return this.graph.op('SimplifiedLayerNormalization', [x, weight], epsilon);
  }

  /**
   * A row of `columns` numbers to one of `rows`, by a matrix of 4-bit weights.
   * @type {(name: string, x: string, columns: number, rows: number, output?: string) => string}
   */
  product(name, x, columns, rows, output) {
    const packed = [rows, columns / kBlock, kBlock / 2];
    const [codes, scales] = this.weights.matrix(name, packed);
    return this.graph.microsoft(
      'MatMulNBits',
      [x, codes, scales],
      // Products may be made of integers, as exports for processors have it.
      { K: columns, N: rows, bits: 4, block_size: kBlock, accuracy_level: 4 },
      output ? [output] : undefined,
    );
  }

  /**
   * @param {string} x
   * @param {number} axis
   * @param {number[]} sizes
   * @returns {string[]} parts of these sizes along an axis
   */
  split(x, axis, sizes) {
    const outputs = sizes.map((_, i) => `${x}/part_${i}`);
    this.graph.op('Split', [x, this.graph.whole(sizes)], { axis }, outputs);
    return outputs;
  }

  /**
   * A row as heads, [batch, tokens, heads, size].
   * @type {(x: string, heads: number, size: number) => string}
   */
  heads(x, heads, size) {
    return this.graph.op('Reshape', [x, this.graph.whole([0, 0, heads, size])]);
  }

  /**
   * Heads as a row again.
   * @type {(x: string, size: number) => string}
   */
  flat(x, size) {
    return this.graph.op('Reshape', [x, this.graph.whole([0, 0, size])]);
  }

  /** @param {string} x */
  silu(x) {
    return this.graph.op('Mul', [x, this.graph.op('Sigmoid', [x])]);
  }
}
