// SPDX-License-Identifier: MIT
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import { fileSink } from '../../tools/gguf/file-sink.mjs';
import { RandomStream } from '../../tools/gguf/random.mjs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { GgufWriter, memorySink } from '../../tools/gguf/writer.mjs';

const folder = mkdtempSync(join(tmpdir(), 'gguf-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const metadata = [
  ['general.architecture', 'string', 'test'],
  ['a.uint8', 'uint8', 255],
  ['a.int8', 'int8', -128],
  ['a.uint16', 'uint16', 65535],
  ['a.int16', 'int16', -32768],
  ['a.uint32', 'uint32', 4294967295],
  ['a.int32', 'int32', -2147483648],
  ['a.float32', 'float32', 0.15625],
  ['a.true', 'bool', true],
  ['a.false', 'bool', false],
  ['a.text', 'string', 'naïve 漢字 🙂'],
  ['a.empty', 'string', ''],
  ['a.uint64', 'uint64', 2n ** 64n - 1n],
  ['a.int64', 'int64', -(2n ** 63n)],
  ['a.float64', 'float64', Math.PI],
  ['a.texts', 'array', ['x', '', 'Ġy'], 'string'],
  ['a.numbers', 'array', [-1, 0, 7], 'int32'],
  ['a.flags', 'array', [true, false], 'bool'],
];
const tensors = [
  { name: 'matrix', type: 'Q4_K', shape: [256, 3], size: 432 },
  { name: 'vector', type: 'F32', shape: [5], size: 20 },
  { name: 'cube', type: 'F16', shape: [3, 2, 2], size: 24 },
];
const contents = tensors.map(({ name, size }) => new RandomStream(1, name).bytes(size));

function writeTo(sink, { alignment } = {}) {
  const writer = new GgufWriter({ alignment });
  for (const entry of metadata) writer.addMetadata(...entry);
  if (alignment) writer.addMetadata('general.alignment', 'uint32', alignment);
  for (const { name, type, shape } of tensors) writer.declareTensor(name, type, shape);
  writer.begin(sink);
  for (const bytes of contents) {
    writer.write(bytes.subarray(0, 7));
    writer.write(bytes.subarray(7));
  }
  writer.end();
  return writer;
}

function inMemory(options) {
  const sink = memorySink();
  writeTo(sink, options);
  return sink.bytes();
}

test('what is written is read back, from memory and from a file', () => {
  const path = join(folder, 'small.gguf');
  writeTo(fileSink(path));
  expect(Uint8Array.from(readFileSync(path))).toEqual(inMemory());
  for (const input of [path, inMemory()]) {
    const file = openGguf(input);
    expect(file.version).toBe(3);
    const read = [...file.metadata].map(([key, { type, value, elementType }]) =>
      elementType ? [key, type, value, elementType] : [key, type, value],
    );
    expect(read).toEqual(metadata);
    expect(
      file.tensors.map(({ name, type, shape, size }) => ({ name, type, shape, size })),
    ).toEqual(tensors);
    expect(file.tensors.map((tensor) => Uint8Array.from(file.read(tensor)))).toEqual(contents);
    expect(Array.from(file.read(file.tensors[0], 144, 3))).toEqual(
      Array.from(contents[0].subarray(144, 147)),
    );
    file.close();
  }
});

test('tensors start at the alignment and the file ends padded', () => {
  for (const alignment of [undefined, 128]) {
    const step = alignment ?? 32;
    const bytes = inMemory({ alignment });
    const { dataStart, tensors: placed } = openGguf(bytes);
    expect(dataStart % step).toBe(0);
    expect(placed.map(({ offset }) => offset)).toEqual(alignment ? [0, 512, 640] : [0, 448, 480]);
    expect(bytes.length % step).toBe(0);
  }
});

test('another reader sees the same file', async () => {
  const path = join(folder, 'other-reader.gguf');
  writeTo(fileSink(path));
  const {
    metadata: seen,
    tensorInfos,
    tensorDataOffset,
  } = await gguf(path, { allowLocalFile: true });
  expect(Number(seen.tensor_count)).toBe(3);
  for (const [key, , value] of metadata) expect(seen[key]).toEqual(value);
  const mine = openGguf(path);
  expect(Number(tensorDataOffset)).toBe(mine.dataStart);
  expect(
    tensorInfos.map(({ name, dtype, shape, offset }) => [
      name,
      dtype,
      shape.map(Number),
      Number(offset),
    ]),
  ).toEqual([
    ['matrix', 12, [256, 3], 0],
    ['vector', 0, [5], 448],
    ['cube', 1, [3, 2, 2], 480],
  ]);
  mine.close();
});

test('encoded metadata can be passed on as it is', () => {
  const writer = new GgufWriter();
  for (const entry of openGguf(inMemory()).metadata.values())
    writer.addEncodedMetadata(entry.encoded());
  const sink = memorySink();
  writer.begin(sink);
  writer.end();
  expect([...openGguf(sink.bytes()).metadata.keys()]).toEqual(metadata.map(([key]) => key));
});

test('offsets beyond 4 GB', () => {
  const path = join(folder, 'sparse.gguf');
  const writer = new GgufWriter();
  writer.declareTensor('large', 'F32', [1 << 20, 1200]);
  writer.declareTensor('late', 'F32', [8]);
  const sink = fileSink(path);
  writer.begin(sink);
  sink.close();
  const start = readFileSync(path).length;
  // The large tensor is a hole in the file.
  truncateSync(path, start + writer.dataLength);
  const late = Float32Array.from({ length: 8 }, (_, i) => i + 0.5);
  const handle = openSync(path, 'r+');
  writeSync(handle, new Uint8Array(late.buffer), 0, 32, start + 5033164800);
  closeSync(handle);
  const file = openGguf(path);
  expect(file.tensors[1].offset).toBe(5033164800);
  expect(new Float32Array(file.read(file.tensors[1]).slice().buffer)).toEqual(late);
  file.close();
});

test('a writer refuses what would make a broken file', () => {
  const writer = new GgufWriter();
  writer.declareTensor('a', 'F32', [4]);
  expect(() => writer.declareTensor('a', 'F32', [4])).toThrow('twice');
  expect(() => writer.declareTensor('b', 'Q8_0', [48, 2])).toThrow('rows of 48');
  writer.begin(memorySink());
  expect(() => writer.end()).toThrow('a is not written whole');
  expect(() => writer.write(new Uint8Array(17))).toThrow('16 bytes');
});
