// SPDX-License-Identifier: MIT
import { onnxModel } from './model.js';

/** @import { Graph, Initializer, Node } from './model.js' */

const kMicrosoft = 'com.microsoft';
// Of blocks of weights, in a file of its own.
const kAlignment = 64;

/** @param {number[]} values */
const int64Bytes = (values) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

/**
 * A graph that grows node by node. Its weights go to a file beside it as they come, so that only the
 * graph is in memory.
 */
export class GraphBuilder {
  /** @type {Node[]} */
  #nodes = [];
  /** @type {Initializer[]} */
  #initializers = [];
  /** @type {Map<string, string>} */
  #constants = new Map();
  #sink;
  #file;
  #offset = 0;

  /**
   * @param {string} file name of the file with the weights
   * @param {import('../gguf/writer.mjs').Sink} sink where its bytes go
   */
  constructor(file, sink) {
    this.#file = file;
    this.#sink = sink;
  }

  /**
   * A node of one of the standard operators.
   * @param {string} operator
   * @param {string[]} inputs
   * @param {Node['attributes']} [attributes]
   * @param {string[]} [outputs] one by default, of a name that is free
   * @returns {string} the first output
   */
  op(operator, inputs, attributes = {}, outputs = [this.#freeName(operator)]) {
    this.#nodes.push({ operator, attributes, inputs, outputs });
    return outputs[0];
  }

  /**
   * The same of an operator of ONNX Runtime's own.
   * @type {(operator: string, inputs: string[], attributes?: Node['attributes'], outputs?: string[]) => string}
   */
  microsoft(operator, inputs, attributes = {}, outputs = [this.#freeName(operator)]) {
    this.#nodes.push({ domain: kMicrosoft, operator, attributes, inputs, outputs });
    return outputs[0];
  }

  /**
   * Numbers that shapes follow from: they are in the graph itself.
   * @param {number[]} values
   * @param {number[]} [shape]
   */
  whole(values, shape = [values.length]) {
    return this.#constant('int64', shape, int64Bytes(values));
  }

  /** @param {number} value */
  byte(value) {
    return this.#constant('uint8', [], Uint8Array.of(value));
  }

  /** @param {number} value */
  float(value) {
    return this.#constant('float32', [], new Uint8Array(Float32Array.of(value).buffer));
  }

  /**
   * Weights, by their bytes in pieces of any size.
   * @param {string} name
   * @param {string} type
   * @param {number[]} shape
   * @param {Iterable<Uint8Array>} pieces
   */
  weights(name, type, shape, pieces) {
    const offset = this.#offset;
    for (const piece of pieces) {
      this.#sink.write(piece);
      this.#offset += piece.length;
    }
    const data = { file: this.#file, offset, length: this.#offset - offset };
    this.#initializers.push({ name, type, shape, data });
    const padding = (kAlignment - (this.#offset % kAlignment)) % kAlignment;
    this.#sink.write(new Uint8Array(padding));
    this.#offset += padding;
    return name;
  }

  /** @param {Pick<Graph, 'inputs' | 'outputs'>} ends */
  model({ inputs, outputs }) {
    return onnxModel({ nodes: this.#nodes, initializers: this.#initializers, inputs, outputs });
  }

  /** @type {(type: string, shape: number[], data: Uint8Array) => string} */
  #constant(type, shape, data) {
    const key = `${type} ${shape.join('x')} ${data.join()}`;
    const known = this.#constants.get(key);
    if (known) return known;
    const name = `constant_${this.#constants.size}`;
    this.#constants.set(key, name);
    this.#initializers.push({ name, type, shape, data });
    return name;
  }

  /** @param {string} operator */
  #freeName(operator) {
    return `${operator}_${this.#nodes.length}`;
  }
}
