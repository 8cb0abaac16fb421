// SPDX-License-Identifier: MIT

/**
 * A metadata value with its stored type; arrays carry the type of their elements.
 * 64-bit integers are BigInt. Arrays of arrays do not occur in model files.
 * @typedef {{ type: string, elementType?: string, value: any }} MetadataValue
 */

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder();

/**
 * Value types in the order of their ids, with the bytes of the fixed-size ones.
 * @type {readonly (readonly [name: string, bytes: number])[]}
 */
export const valueTypes = Object.freeze([
  ['uint8', 1],
  ['int8', 1],
  ['uint16', 2],
  ['int16', 2],
  ['uint32', 4],
  ['int32', 4],
  ['float32', 4],
  ['bool', 1],
  ['string', 0],
  ['array', 0],
  ['uint64', 8],
  ['int64', 8],
  ['float64', 8],
]);

const idOf = new Map(valueTypes.map(([name], id) => [name, id]));
const sizeOf = new Map(valueTypes);

/**
 * @param {string} name
 * @returns {number} bytes of a value of the type, 0 if that varies
 */
export function valueSize(name) {
  return sizeOf.get(name) ?? 0;
}

/** @type {Record<string, (view: DataView, value: any) => void>} */
const setters = {
  uint8: (view, value) => view.setUint8(0, value),
  int8: (view, value) => view.setInt8(0, value),
  uint16: (view, value) => view.setUint16(0, value, true),
  int16: (view, value) => view.setInt16(0, value, true),
  uint32: (view, value) => view.setUint32(0, value, true),
  int32: (view, value) => view.setInt32(0, value, true),
  float32: (view, value) => view.setFloat32(0, value, true),
  bool: (view, value) => view.setUint8(0, value ? 1 : 0),
  uint64: (view, value) => view.setBigUint64(0, BigInt(value), true),
  int64: (view, value) => view.setBigInt64(0, BigInt(value), true),
  float64: (view, value) => view.setFloat64(0, value, true),
};

/** @type {Record<string, (view: DataView) => number | bigint | boolean>} */
const getters = {
  uint8: (view) => view.getUint8(0),
  int8: (view) => view.getInt8(0),
  uint16: (view) => view.getUint16(0, true),
  int16: (view) => view.getInt16(0, true),
  uint32: (view) => view.getUint32(0, true),
  int32: (view) => view.getInt32(0, true),
  float32: (view) => view.getFloat32(0, true),
  bool: (view) => view.getUint8(0) !== 0,
  uint64: (view) => view.getBigUint64(0, true),
  int64: (view) => view.getBigInt64(0, true),
  float64: (view) => view.getFloat64(0, true),
};

/**
 * @param {string} type a fixed-size type
 * @param {Uint8Array} bytes at least its size
 * @returns {any} a bigint of 64-bit types, a boolean of `bool`, else a number
 */
export function decodeNumber(type, bytes) {
  return getters[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function decodeText(bytes) {
  return textDecoder.decode(bytes);
}

/** Little-endian bytes, collected piece by piece. */
export class ByteBuilder {
  /** @type {Uint8Array[]} */
  #pieces = [];
  length = 0;

  /** @param {Uint8Array} piece */
  append(piece) {
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  /**
   * @param {string} type a fixed-size type
   * @param {number | bigint | boolean} value
   */
  number(type, value) {
    const bytes = new Uint8Array(valueSize(type));
    setters[type](new DataView(bytes.buffer), value);
    this.append(bytes);
  }

  /** @param {string} text */
  string(text) {
    const bytes = textEncoder.encode(text);
    this.number('uint64', bytes.length);
    this.append(bytes);
  }

  /**
   * @param {string} key
   * @param {MetadataValue} entry
   */
  keyValue(key, { type, elementType, value }) {
    this.string(key);
    this.#type(type);
    if (type !== 'array') {
      this.#value(type, value);
      return;
    }
    if (!elementType) throw new TypeError(`${key}: the type of the elements is missing`);
    this.#type(elementType);
    this.number('uint64', value.length);
    for (const element of value) this.#value(elementType, element);
  }

  /** @param {string} name */
  #type(name) {
    const id = idOf.get(name);
    if (id === undefined) throw new TypeError(`unknown metadata type ${name}`);
    this.number('uint32', id);
  }

  /** @type {(type: string, value: any) => void} */
  #value(type, value) {
    if (type === 'string') this.string(value);
    else this.number(type, value);
  }

  /** @returns {Uint8Array} everything appended so far */
  join() {
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}
