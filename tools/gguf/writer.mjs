// SPDX-License-Identifier: MIT
import { ByteBuilder } from './metadata.mjs';
import { byteLength, tensorType } from './types.mjs';

/**
 * Where the bytes of a file go, in order.
 * @typedef {{ write(bytes: Uint8Array): void, close(): void }} Sink
 */

/** @returns {Sink & { bytes(): Uint8Array }} */
export function memorySink() {
  const pieces = new ByteBuilder();
  return {
    write: (bytes) => pieces.append(bytes.slice()),
    close() {},
    bytes: () => pieces.join(),
  };
}

/** @type {(alignment: number, size: number) => number} */
const paddingTo = (alignment, size) => (alignment - (size % alignment)) % alignment;

/**
 * Writes GGUF version 3: metadata and tensors are declared first, then the tensors' bytes are written in the order
 * of declaration, in pieces of any size. Only the header is held in memory.
 */
export class GgufWriter {
  #alignment;
  #metadata = new ByteBuilder();
  #metadataCount = 0;
  /** @type {{ name: string, type: string, shape: number[], offset: number, size: number }[]} */
  #tensors = [];
  /** @type {Set<string>} */
  #names = new Set();
  #dataLength = 0;
  /** @type {Sink | null} */
  #sink = null;
  #current = 0;
  #written = 0;

  /** @param {{ alignment?: number }} [options] an alignment other than 32 must also stand in `general.alignment` */
  constructor({ alignment = 32 } = {}) {
    this.#alignment = alignment;
  }

  /** Bytes of all tensors, each padded to the alignment. */
  get dataLength() {
    return this.#dataLength;
  }

  /**
   * @param {string} key
   * @param {string} type as in `uint32`, `string`, `array`
   * @param {any} value
   * @param {string} [elementType] of an array
   */
  addMetadata(key, type, value, elementType) {
    this.#metadata.keyValue(key, { type, value, elementType });
    this.#metadataCount++;
  }

  /** @param {Uint8Array} bytes a whole key-value pair as it stands in another file */
  addEncodedMetadata(bytes) {
    this.#metadata.append(bytes);
    this.#metadataCount++;
  }

  /**
   * @param {string} name
   * @param {string} type as in `Q8_0`
   * @param {number[]} shape the contiguous dimension first
   */
  declareTensor(name, type, shape) {
    if (this.#names.has(name)) throw new RangeError(`tensor ${name} is declared twice`);
    if (shape[0] % tensorType(type).elements !== 0) {
      throw new RangeError(`${name}: rows of ${shape[0]} are no whole number of ${type} blocks`);
    }
    const size = byteLength(
      type,
      shape.reduce((a, b) => a * b, 1),
    );
    this.#names.add(name);
    this.#tensors.push({ name, type, shape, offset: this.#dataLength, size });
    this.#dataLength += size + paddingTo(this.#alignment, size);
  }

  /**
   * Writes the header. Nothing can be declared after it.
   * @param {Sink} sink
   */
  begin(sink) {
    const head = new ByteBuilder();
    head.append(new TextEncoder().encode('GGUF'));
    head.number('uint32', 3);
    head.number('uint64', this.#tensors.length);
    head.number('uint64', this.#metadataCount);
    head.append(this.#metadata.join());
    for (const { name, type, shape, offset } of this.#tensors) {
      head.string(name);
      head.number('uint32', shape.length);
      for (const dimension of shape) head.number('uint64', dimension);
      head.number('uint32', tensorType(type).id);
      head.number('uint64', offset);
    }
    head.append(new Uint8Array(paddingTo(this.#alignment, head.length)));
    this.#sink = sink;
    sink.write(head.join());
  }

  /** @param {Uint8Array} bytes the next bytes of the current tensor; padding follows its last one by itself */
  write(bytes) {
    const sink = this.#sink;
    const tensor = this.#tensors[this.#current];
    if (!sink) throw new RangeError('the header is not written yet');
    if (!tensor) throw new RangeError('all declared tensors are written');
    this.#written += bytes.length;
    if (this.#written > tensor.size) {
      throw new RangeError(
        `${tensor.name} has ${tensor.size} bytes, ${this.#written} were written`,
      );
    }
    sink.write(bytes);
    if (this.#written < tensor.size) return;
    sink.write(new Uint8Array(paddingTo(this.#alignment, tensor.size)));
    this.#current++;
    this.#written = 0;
  }

  /** Closes the sink, if every declared tensor is there. */
  end() {
    this.#sink?.close();
    if (this.#current < this.#tensors.length) {
      throw new RangeError(`${this.#tensors[this.#current].name} is not written whole`);
    }
  }
}
