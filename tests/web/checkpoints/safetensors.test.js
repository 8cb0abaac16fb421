// SPDX-License-Identifier: MIT
import { SAFETENSORS } from '../../../build/web/checkpoints/safetensors.js';
import { openTensorFiles } from '../../../build/web/sources/tensor-files.js';
import { rejection } from '../../support/rejection.js';
import { safetensors, tensorOf, withHeader } from '../../support/safetensors.js';

const TENSORS = {
  first: tensorOf([2, 3], [1, 2, 3, 4, 5, 6]),
  second: tensorOf([4], [1, -2, 3, -4], 'BF16'),
  scalar: tensorOf([], [7]),
  nothing: tensorOf([0, 4], []),
};

const open = (bytes) => openTensorFiles([bytes].flat(), SAFETENSORS, {});

test('names, types, shapes and places are those of the header', async () => {
  const bytes = safetensors(TENSORS);
  const files = await open(bytes);
  const places = files.header.tensors.map(({ name, type, typeName, shape, bytes: size, part }) => ({
    ...{ name, type, typeName, shape, size, part },
  }));
  const like = (name, type, typeName, shape, size) => ({
    name,
    type,
    typeName,
    shape,
    size,
    part: 0,
  });
  expect(places).toEqual([
    like('first', 0, 'F32', [3, 2], 24),
    like('second', 30, 'BF16', [4], 8),
    like('scalar', 0, 'F32', [1], 4),
    like('nothing', 0, 'F32', [4, 0], 0),
  ]);
  const got = {};
  await files.stream(
    ({ name }) => name !== 'second',
    ({ name }, piece) => {
      got[name] = Buffer.concat([got[name] ?? Buffer.alloc(0), piece]);
    },
  );
  expect(Object.keys(got)).toEqual(['first', 'scalar']);
  for (const name of Object.keys(got)) expect(got[name]).toEqual(Buffer.from(TENSORS[name].bytes));
});

test('headers that come byte by byte are read', async () => {
  const bytes = safetensors(TENSORS);
  let at = 0;
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + 1));
      at += 1;
      if (at >= bytes.length) controller.close();
    },
  });
  expect((await open(stream)).header.tensors).toHaveLength(4);
});

const changed = (change) => safetensors(TENSORS, change);
const lying = (name, claim) =>
  changed((header) => {
    Object.assign(header[name], claim);
  });

test.each([
  ['a file of other bytes', Buffer.from('GGUF\x03\0\0\0 and so on'), 'invalid_header', /no|not/],
  ['an empty file', Buffer.alloc(0), 'truncated', /before its header/],
  ['a header without its end', safetensors(TENSORS).subarray(0, 60), 'truncated', /header ends/],
  ['tensors without their end', safetensors(TENSORS).subarray(0, -3), 'truncated', /scalar/],
  ['a header that is no JSON', withHeader('{"first": '), 'invalid_header', /no JSON/],
  ['a header that is a list', withHeader('[1]'), 'invalid_header', /object/],
  ['a type nobody has', lying('first', { dtype: 'F31' }), 'invalid_header', /F31/],
  ['a type named by no text', lying('first', { dtype: 'constructor' }), 'invalid_header', /type/],
  ['a negative size', lying('first', { shape: [-2, -3] }), 'invalid_header', /shape/],
  ['no shape', lying('first', { shape: 6 }), 'invalid_header', /shape/],
  [
    'a size beyond numbers',
    lying('first', { shape: [2 ** 53 - 1, 2 ** 53 - 1] }),
    'invalid_header',
    /./,
  ],
  ['other bytes than the shape', lying('first', { data_offsets: [0, 20] }), 'invalid_header', /20/],
  ['a place backwards', lying('first', { data_offsets: [24, 0] }), 'invalid_header', /./],
  ['a place past the end', lying('scalar', { data_offsets: [400, 404] }), 'truncated', /scalar/],
  [
    'two tensors at one place',
    lying('scalar', { data_offsets: [8, 12] }),
    'invalid_header',
    /overlap/,
  ],
])('%s is refused', async (_, bytes, code, message) => {
  const error = await rejection(open(bytes));
  expect(error).toMatchObject({ name: 'ModelError', code });
  expect(error.message).toMatch(message);
});

test('a tensor that is in two files is refused by name', async () => {
  const error = await rejection(open([safetensors(TENSORS), safetensors(TENSORS)]));
  expect(error).toMatchObject({ code: 'invalid_header', subject: 'first' });
});

test('no damage to a header does anything but succeed or fail as a model', async () => {
  const whole = safetensors(TENSORS);
  const end = whole.indexOf('}}') + 2;
  for (let at = 0; at < end; at++) {
    for (const value of [0, 0x22, 0x39, 0x7d, 0xff]) {
      const bytes = Buffer.from(whole);
      bytes[at] = value;
      const failure = await open(bytes).then(
        (files) => files.close(),
        (error) => error,
      );
      if (failure) expect(failure.name).toBe('ModelError');
    }
  }
});
