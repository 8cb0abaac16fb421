// SPDX-License-Identifier: MIT
import { onnxModel } from '../../tools/onnx/model.js';
import { all, texts } from './protobuf.js';

const kModel = onnxModel({
  nodes: [
    {
      domain: 'com.example',
      operator: 'Twice',
      attributes: { mode: 'é', count: 300, scale: { float: 0.5 }, perm: [0, 2, 1] },
      inputs: ['a', '', 'c', 'inline', 'beside'],
      outputs: ['twice'],
    },
    { operator: 'Identity', inputs: ['twice'], outputs: ['out'] },
  ],
  inputs: [
    ['a', [1, 'tokens', 2048]],
    ['c', [3], 'int64'],
  ],
  outputs: [['out', [1]]],
  initializers: [
    { name: 'inline', type: 'uint8', shape: [2], data: Uint8Array.of(7, 8) },
    {
      ...{ name: 'beside', type: 'float32', shape: [4, 2] },
      data: { file: 'weights', offset: 512, length: 32 },
    },
  ],
});
const [kGraph] = all(kModel, 7);
const [kNode] = all(kGraph, 1);

test('a model has its nodes, and the sets of operators that they are from', () => {
  const nodes = all(kGraph, 1);
  expect(nodes.map((node) => texts(node, 4)[0])).toEqual(['Twice', 'Identity']);
  expect(nodes.map((node) => texts(node, 7)[0])).toEqual(['com.example', '']);
  expect(all(kModel, 8).map((set) => texts(set, 1)[0])).toEqual(['', 'com.example']);
});

test('an input that is not given keeps its place, but is none of the graph', () => {
  expect(texts(kNode, 1)).toEqual(['a', '', 'c', 'inline', 'beside']);
  expect(all(kGraph, 11).map((info) => texts(info, 1)[0])).toEqual(['a', 'c']);
  expect(texts(kNode, 2)).toEqual(['twice']);
});

test('values have a type of their elements', () => {
  const types = all(kGraph, 11).map((info) => all(all(all(info, 2)[0], 1)[0], 1)[0]);
  expect(types).toEqual([1, 7]);
});

test('weights are in the model or in a file beside it', () => {
  const [inline, beside] = all(kGraph, 5);
  expect([all(inline, 1), all(inline, 2), texts(inline, 8)]).toEqual([[2], [2], ['inline']]);
  expect([...all(inline, 9)[0]]).toEqual([7, 8]);
  expect([all(beside, 1), all(beside, 2), all(beside, 9)]).toEqual([[4, 2], [1], []]);
  const entries = all(beside, 13).map((entry) => [texts(entry, 1)[0], texts(entry, 2)[0]]);
  expect(Object.fromEntries(entries)).toEqual({ location: 'weights', offset: '512', length: '32' });
  expect(all(beside, 14)).toEqual([1]);
});

test('sizes are numbers, free dimensions names', () => {
  const [type] = all(all(kGraph, 11)[0], 2);
  const [tensor] = all(type, 1);
  const dimensions = all(all(tensor, 2)[0], 1);
  expect(all(dimensions[0], 1)).toEqual([1]);
  expect(texts(dimensions[1], 2)).toEqual(['tokens']);
  expect(all(dimensions[2], 1)).toEqual([2048]);
});

test('attributes are text, whole numbers, lists of them and floats', () => {
  const [mode, count, scale, perm] = all(kNode, 5);
  expect([texts(mode, 1), texts(mode, 4), all(mode, 20)]).toEqual([['mode'], ['é'], [3]]);
  expect([all(count, 3), all(count, 20)]).toEqual([[300], [2]]);
  expect([...all(scale, 2)[0]]).toEqual([0, 0, 0, 0x3f]);
  expect(all(scale, 20)).toEqual([1]);
  expect([all(perm, 8), all(perm, 20)]).toEqual([[0, 2, 1], [7]]);
});
