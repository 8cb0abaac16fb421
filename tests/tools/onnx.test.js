// SPDX-License-Identifier: MIT
import { onnxModel } from '../../tools/bench/linear-attention/onnx.js';

/** The fields of a protobuf message, [number, value] each; bytes are left as they are. */
function fieldsOf(bytes) {
  const fields = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  const take = (count) => {
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const key = varint();
    const kinds = { 0: varint, 2: () => take(varint()), 5: () => take(4) };
    fields.push([key >> 3, kinds[key % 8]()]);
  }
  expect(at).toBe(bytes.length);
  return fields;
}

const all = (bytes, number) =>
  fieldsOf(bytes)
    .filter(([field]) => field === number)
    .map(([, value]) => value);
const text = (bytes) => new TextDecoder().decode(bytes);
const texts = (bytes, number) => all(bytes, number).map(text);

const kModel = onnxModel({
  domain: 'com.example',
  operator: 'Twice',
  attributes: { mode: 'é', count: 300, scale: { float: 0.5 } },
  inputs: [
    ['a', [1, 'tokens', 2048]],
    ['', []],
    ['c', [3]],
  ],
  outputs: [['out', [1]]],
});
const [kGraph] = all(kModel, 7);
const [kNode] = all(kGraph, 1);

test('a model has one node, and the sets of operators that it is from', () => {
  expect(all(kGraph, 1)).toHaveLength(1);
  expect(texts(kNode, 4)).toEqual(['Twice']);
  expect(texts(kNode, 7)).toEqual(['com.example']);
  expect(all(kModel, 8).map((set) => texts(set, 1)[0])).toEqual(['', 'com.example']);
});

test('an input that is not given keeps its place, but is none of the graph', () => {
  expect(texts(kNode, 1)).toEqual(['a', '', 'c']);
  expect(all(kGraph, 11).map((info) => texts(info, 1)[0])).toEqual(['a', 'c']);
  expect(texts(kNode, 2)).toEqual(['out']);
});

test('sizes are numbers, free dimensions names', () => {
  const [type] = all(all(kGraph, 11)[0], 2);
  const [tensor] = all(type, 1);
  const dimensions = all(all(tensor, 2)[0], 1);
  expect(all(dimensions[0], 1)).toEqual([1]);
  expect(texts(dimensions[1], 2)).toEqual(['tokens']);
  expect(all(dimensions[2], 1)).toEqual([2048]);
});

test('attributes are text, whole numbers and floats', () => {
  const [mode, count, scale] = all(kNode, 5);
  expect([texts(mode, 1), texts(mode, 4), all(mode, 20)]).toEqual([['mode'], ['é'], [3]]);
  expect([all(count, 3), all(count, 20)]).toEqual([[300], [2]]);
  expect([...all(scale, 2)[0]]).toEqual([0, 0, 0, 0x3f]);
  expect(all(scale, 20)).toEqual([1]);
});
