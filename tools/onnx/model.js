// SPDX-License-Identifier: MIT
//
// ONNX models as bytes: what of protobuf graphs need whose large weights lie in a file beside them.

const kVarint = 0;
const kBytes = 2;
const kFixed32 = 5;
const kExternal = 1;
/** @type {Record<string, number>} */
const kElementTypes = { float32: 1, uint8: 2, int32: 6, int64: 7 };

/**
 * @typedef {number[]} Bytes
 *
 * @typedef {object} Node
 * @property {string} operator
 * @property {string} [domain] the standard operators' by default
 * @property {Record<string, string | number | { float: number } | number[]>} [attributes] numbers
 *     are whole and >= 0 and become INT or INTS: write a float as `{ float: 1 }`
 * @property {string[]} inputs an empty name: not given
 * @property {string[]} outputs
 *
 * @typedef {[name: string, shape: (string | number)[], type?: string]} Value texts in the shape are
 *     free dimensions; float32 by default
 *
 * @typedef {object} Initializer
 * @property {string} name
 * @property {string} type `float32`, `uint8`, `int32`, `int64`
 * @property {number[]} shape
 * @property {Uint8Array | { file: string, offset: number, length: number }} data little-endian
 *
 * @typedef {object} Graph
 * @property {Node[]} nodes
 * @property {Value[]} inputs
 * @property {Value[]} outputs
 * @property {Initializer[]} [initializers]
 */

/** @param {Graph} graph @returns {Uint8Array} a model of operator set 21 */
export function onnxModel({ nodes, inputs, outputs, initializers = [] }) {
  const graph = [
    ...nodes.map((node) => message(1, nodeOf(node))),
    text(2, 'graph'),
    ...initializers.map((tensor) => message(5, tensorOf(tensor))),
    ...inputs.map((value) => message(11, valueInfo(...value))),
    ...outputs.map((value) => message(12, valueInfo(...value))),
  ];
  const domains = new Set(nodes.map(({ domain = '' }) => domain));
  domains.delete('');
  /** @type {(name: string, version: number) => Bytes} */
  const operators = (name, version) => message(8, [text(1, name), whole(2, version)]);
  return Uint8Array.from(
    [
      whole(1, 10),
      message(7, graph),
      operators('', 21),
      ...Array.from(domains, (domain) => operators(domain, 1)),
    ].flat(),
  );
}

/** @param {Node} node */
function nodeOf({ operator, domain = '', attributes = {}, inputs, outputs }) {
  return [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
    text(7, domain),
  ];
}

/** @type {(name: string, value: string | number | { float: number } | number[]) => Bytes[]} */
function attribute(name, value) {
  /** @param {number} number */
  const type = (number) => whole(20, number);
  if (typeof value === 'string') return [text(1, name), text(4, value), type(3)];
  if (typeof value === 'number') return [text(1, name), whole(3, value), type(2)];
  if (Array.isArray(value)) return [text(1, name), ...value.map((one) => whole(8, one)), type(7)];
  return [text(1, name), float(2, value.float), type(1)];
}

/** @param {Initializer} tensor */
function tensorOf({ name, type, shape, data }) {
  /** @type {(key: string, value: string | number) => Bytes} */
  const where = (key, value) => message(13, [text(1, key), text(2, String(value))]);
  return [
    ...shape.map((size) => whole(1, size)),
    whole(2, kElementTypes[type]),
    text(8, name),
    ...(data instanceof Uint8Array
      ? [header(9, data)]
      : [
          where('location', data.file),
          where('offset', data.offset),
          where('length', data.length),
          whole(14, kExternal),
        ]),
  ];
}

/** @type {(...value: Value) => Bytes[]} */
function valueInfo(name, shape, type = 'float32') {
  const dimensions = shape.map((size) =>
    message(1, [typeof size === 'number' ? whole(1, size) : text(2, size)]),
  );
  const tensor = [whole(1, kElementTypes[type]), message(2, dimensions)];
  return [text(1, name), message(2, [message(1, tensor)])];
}

/** @type {(field: number, value: number) => Bytes} */
function whole(field, value) {
  return [...varint((field << 3) | kVarint), ...varint(value)];
}

/** @type {(field: number, value: number) => Bytes} */
function float(field, value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [...varint((field << 3) | kFixed32), ...bytes];
}

/** @type {(field: number, value: string) => Bytes} */
function text(field, value) {
  return header(field, new TextEncoder().encode(value));
}

/** @type {(field: number, parts: Bytes[]) => Bytes} */
function message(field, parts) {
  return header(field, parts.flat());
}

/** @type {(field: number, bytes: Iterable<number> & { length: number }) => Bytes} */
function header(field, bytes) {
  return [...varint((field << 3) | kBytes), ...varint(bytes.length), ...bytes];
}

/**
 * A whole number >= 0, seven bits a byte, the lowest first.
 * @type {(value: number) => Bytes}
 */
function varint(value) {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 128);
  }
}
