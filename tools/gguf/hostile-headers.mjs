// SPDX-License-Identifier: MIT
import { ByteBuilder } from './metadata.mjs';
import { openGguf } from './reader.mjs';
import { tensorType } from './types.mjs';

/**
 * What a header says of a tensor. Lies are larger than any number can be.
 * @typedef {object} Tensor
 * @property {string} name
 * @property {(number | bigint)[]} shape
 * @property {number} typeId
 * @property {any} offset a number where it is true
 * @property {number} [dimensions] as many as `shape` has when left out
 *
 * @typedef {object} Parts
 * @property {string} magic
 * @property {number} version
 * @property {Tensor[]} tensors
 * @property {Uint8Array[]} entries metadata, as bytes
 * @property {Uint8Array} data of the tensors
 * @property {number | bigint} [tensorCount] as many as there are when left out
 * @property {number | bigint} [entryCount] the same
 *
 * @typedef {(parts: Parts) => Partial<Parts>} Lie
 */

const huge = 2n ** 63n - 1n;
const stringId = 8;
const arrayId = 9;
const uint32Id = 4;

// The parts of a sound file that a lie may stand in for.
/** @type {(model: Uint8Array) => Parts} */
function partsOf(model) {
  const { metadata, tensors, dataStart } = openGguf(model);
  return {
    magic: 'GGUF',
    version: 3,
    tensors: tensors.map(({ type, ...rest }) => ({ ...rest, typeId: tensorType(type).id })),
    entries: [...metadata.values()].map((entry) => entry.encoded()),
    data: model.subarray(dataStart),
  };
}

/** @param {Parts} parts */
function assemble({ magic, version, tensors, entries, data, tensorCount, entryCount }) {
  const out = new ByteBuilder();
  out.append(new TextEncoder().encode(magic));
  out.number('uint32', version);
  out.number('uint64', tensorCount ?? tensors.length);
  out.number('uint64', entryCount ?? entries.length);
  for (const entry of entries) out.append(entry);
  for (const { name, shape, typeId, offset, dimensions } of tensors) {
    out.string(name);
    out.number('uint32', dimensions ?? shape.length);
    for (const dimension of shape) out.number('uint64', dimension);
    out.number('uint32', typeId);
    out.number('uint64', offset);
  }
  out.append(new Uint8Array((32 - (out.length % 32)) % 32));
  out.append(data);
  return out.join();
}

// A lie about the second tensor; the first one ends where it begins.
/** @type {(change: (second: Tensor, first: Tensor, end: number) => Partial<Tensor>) => Lie} */
function secondTensor(change) {
  return ({ tensors, data }) => {
    const [first, second, ...others] = tensors;
    return { tensors: [first, { ...second, ...change(second, first, data.length) }, ...others] };
  };
}

/** @type {Lie} */
function lastTensorMoved({ tensors }) {
  const last = tensors[tensors.length - 1];
  return { tensors: [...tensors.slice(0, -1), { ...last, offset: last.offset + 32 }] };
}

// One more metadata pair, its value written by hand.
/** @type {(key: string, typeId: number, write: (out: ByteBuilder) => void) => Lie} */
function extraEntry(key, typeId, write) {
  const out = new ByteBuilder();
  out.string(key);
  out.number('uint32', typeId);
  write(out);
  return ({ entries }) => ({ entries: [...entries, out.join()] });
}

/** @type {(elementTypeId: number, count: number | bigint) => Lie} */
function extraArray(elementTypeId, count) {
  return extraEntry('some.list', arrayId, (out) => {
    out.number('uint32', elementTypeId);
    out.number('uint64', count);
  });
}

/** @param {bigint} length of the second of two */
const stringInArray = (length) =>
  extraEntry('some.list', arrayId, (out) => {
    out.number('uint32', stringId);
    out.number('uint64', 2);
    out.string('first');
    out.number('uint64', length);
  });

/** @param {bigint} length */
const extraString = (length) =>
  extraEntry('some.text', stringId, (out) => out.number('uint64', length));

/** @param {number} value */
const alignment = (value) =>
  extraEntry('general.alignment', uint32Id, (out) => out.number('uint32', value));

/** @type {Lie} */
function hugeKeyLength({ entries }) {
  const out = new ByteBuilder();
  out.number('uint64', huge);
  return { entries: [...entries, out.join()] };
}

// A reader that recurses into arrays of arrays runs out of stack.
function nestedArrays() {
  return extraEntry('some.list', arrayId, (out) => {
    for (let depth = 0; depth < 40000; depth++) {
      out.number('uint32', arrayId);
      out.number('uint64', 1);
    }
  });
}

/** @type {Record<string, Lie>} */
const lies = {
  'wrong magic': () => ({ magic: 'GGML' }),
  'version 0': () => ({ version: 0 }),
  'version 1': () => ({ version: 1 }),
  'version of the future': () => ({ version: 4 }),
  'version in the other byte order': () => ({ version: 0x03000000 }),
  'huge tensor count': () => ({ tensorCount: huge }),
  'tensor count of 2^32': () => ({ tensorCount: 2n ** 32n }),
  'one tensor more than there are': ({ tensors }) => ({ tensorCount: tensors.length + 1 }),
  'huge metadata count': () => ({ entryCount: huge }),
  'metadata count of 2^32': () => ({ entryCount: 2n ** 32n }),
  'huge key length': hugeKeyLength,
  'huge string length': extraString(huge),
  'string length of 2^32': extraString(2n ** 32n),
  'huge array length': extraArray(uint32Id, huge),
  'array length whose bytes wrap to 0': extraArray(uint32Id, 2n ** 62n),
  'huge length of a string array': extraArray(stringId, huge),
  'huge length of a string in an array': stringInArray(huge),
  'length of 2^31 of a string in an array': stringInArray(2n ** 31n),
  'array of an unknown type': extraArray(77, 1),
  'value of an unknown type': extraEntry('some.key', 77, (out) => out.number('uint64', 0)),
  'arrays within arrays within arrays': nestedArrays(),
  'duplicate key': ({ entries }) => ({ entries: [...entries, entries[0]] }),
  'duplicate tensor name': secondTensor((_, first) => ({ name: first.name })),
  'overlapping tensors': secondTensor(({ offset }) => ({ offset: offset - 32 })),
  'two tensors in one place': secondTensor((_, first) => ({ offset: first.offset })),
  'offset past the end': secondTensor((_, __, end) => ({
    offset: Math.ceil(end / 32) * 32 + 4096,
  })),
  'last bytes past the end': lastTensorMoved,
  'huge offset': secondTensor(() => ({ offset: huge - 31n })),
  'offset that wraps when added': secondTensor(() => ({ offset: 2n ** 64n - 32n })),
  'misaligned offset': secondTensor(({ offset }) => ({ offset: offset + 4 })),
  'zero dimension': secondTensor(() => ({ shape: [0, 32] })),
  'huge dimension': secondTensor(() => ({ shape: [huge] })),
  'dimensions whose product wraps to 0': secondTensor(() => ({ shape: [2n ** 32n, 2n ** 32n] })),
  'dimensions whose product wraps to 64': secondTensor(() => ({ shape: [64, 2n ** 63n + 1n, 1] })),
  'no dimensions': secondTensor(() => ({ shape: [] })),
  'five dimensions': secondTensor(({ shape }) => ({ shape: [...shape, 1, 1, 1, 1].slice(0, 5) })),
  'huge number of dimensions': secondTensor(() => ({ dimensions: 0xffffffff })),
  'unknown tensor type': secondTensor(() => ({ typeId: 999 })),
  'rows that are no whole blocks': secondTensor(() => ({ typeId: 8, shape: [31] })),
  'alignment 0': alignment(0),
  'alignment 24': alignment(24),
  'huge alignment': alignment(0x80000000),
  'alignment that is text': extraEntry('general.alignment', stringId, (out) => out.string('32')),
  'no tensor data': () => ({ data: new Uint8Array(0) }),
};

/**
 * Copies of a sound model whose header lies, each in one respect. None may load.
 * @param {Uint8Array} model of two tensors at least, aligned to 32 bytes, without `general.alignment`
 * @returns {Generator<{ name: string, bytes: Uint8Array }>}
 */
export function* hostileHeaders(model) {
  const parts = partsOf(model);
  for (const [name, lie] of Object.entries(lies)) {
    yield { name, bytes: assemble({ ...parts, ...lie(parts) }) };
  }
}
