// SPDX-License-Identifier: MIT
//
// ONNX models of one node, as bytes: what of protobuf such a model needs.

const kVarint = 0;
const kBytes = 2;
const kFixed32 = 5;
const kFloatTensor = 1;

/**
 * @typedef {object} Node
 * @property {string} domain
 * @property {string} operator
 * @property {Record<string, string | number>} attributes whole numbers become INT: write a float as
 *     `{ float: 1 }`
 * @property {[string, (string | number)[]][]} inputs names with shapes, whose texts are free
 *     dimensions; one without a name is not given
 * @property {[string, (string | number)[]][]} outputs
 */

/** @param {Node} node @returns {Uint8Array} a model whose inputs and outputs, of float32, are the node's */
export function onnxModel({ domain, operator, attributes, inputs, outputs }) {
  const node = [
    ...inputs.map(([name]) => text(1, name)),
    ...outputs.map(([name]) => text(2, name)),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
    text(7, domain),
  ];
  const graph = [
    message(1, node),
    text(2, operator),
    ...inputs.filter(([name]) => name).map((tensor) => message(11, valueInfo(...tensor))),
    ...outputs.map((tensor) => message(12, valueInfo(...tensor))),
  ];
  const operators = (name, version) => message(8, [text(1, name), whole(2, version)]);
  const irVersion = whole(1, 10);
  return bytesOf([irVersion, message(7, graph), operators('', 21), operators(domain, 1)]);
}

function attribute(name, value) {
  const type = (number) => whole(20, number);
  if (typeof value === 'string') return [text(1, name), text(4, value), type(3)];
  if (typeof value === 'number') return [text(1, name), whole(3, value), type(2)];
  return [text(1, name), float(2, value.float), type(1)];
}

function valueInfo(name, shape) {
  const dimensions = shape.map((size) =>
    message(1, [typeof size === 'number' ? whole(1, size) : text(2, size)]),
  );
  const tensor = [whole(1, kFloatTensor), message(2, dimensions)];
  return [text(1, name), message(2, [message(1, tensor)])];
}

function whole(field, value) {
  return [...varint((field << 3) | kVarint), ...varint(value)];
}

function float(field, value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [...varint((field << 3) | kFixed32), ...bytes];
}

function text(field, value) {
  return [...header(field, new TextEncoder().encode(value))];
}

function message(field, parts) {
  return header(field, parts.flat());
}

function header(field, bytes) {
  return [...varint((field << 3) | kBytes), ...varint(bytes.length), ...bytes];
}

function bytesOf(parts) {
  return Uint8Array.from(parts.flat());
}

/** A whole number >= 0, seven bits a byte, the lowest first. */
function varint(value) {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 128);
  }
}
