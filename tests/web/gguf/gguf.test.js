// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ModelError } from '../../../build/web/errors.js';
import { readGgufHeader } from '../../../build/web/gguf/header.js';
import { TENSOR_TYPES } from '../../../build/web/gguf/tensor-types.js';
import { leastCpuTimes } from '../../support/cpu-time.js';
import { rejection } from '../../support/rejection.js';
import {
  bytesOf,
  gguf,
  key,
  smallModel,
  sourceOf,
  string,
  Type,
  tensor,
  u32,
  u64,
} from '../../support/write-gguf.js';

const read = async (bytes, options) => (await readGgufHeader(sourceOf(bytes, options))).header;
const failure = (bytes, options) => rejection(readGgufHeader(sourceOf(bytes, options)));

async function expectFailure(bytes, code, words) {
  for (const sizeKnown of [true, false]) {
    const error = await failure(bytes, { sizeKnown });
    expect(error).toBeInstanceOf(ModelError);
    expect(error.code).toBe(code);
    if (words) expect(error.message).toMatch(words);
  }
}

function expectSound(header, size) {
  const spans = header.tensors.map(({ offset, bytes }) => [offset, offset + bytes]);
  spans.sort((a, b) => a[0] - b[0]);
  let end = header.dataOffset;
  for (const [from, to] of spans) {
    expect(from).toBeGreaterThanOrEqual(end);
    expect(to).toBeGreaterThan(from);
    expect(to).toBeLessThanOrEqual(size);
    end = to;
  }
}

describe('a sound header', () => {
  test('gives every value type as written', async () => {
    const { metadata } = await read(smallModel());
    expect(Object.fromEntries(metadata)).toEqual({
      'general.architecture': 'qwen35',
      'a.u8': 200,
      'a.i8': -5,
      'a.u16': 60000,
      'a.i16': -300,
      'a.u32': 4e9,
      'a.i32': -7,
      'a.f32': 0.5,
      'a.bool': true,
      'a.u64': 2n ** 60n,
      'a.i64': -9,
      'a.f64': Math.PI,
      'a.texts': ['', 'é', '\ufeffx', '😀', 'plain'],
      'a.nested': [[1, -2], [false]],
    });
  });

  test('gives tensors with absolute offsets, and the bytes read past it', async () => {
    const bytes = smallModel();
    const { header, rest, headerEnd } = await readGgufHeader(sourceOf(bytes));
    expect(header.version).toBe(3);
    expect(
      header.tensors.map(({ name, typeName, shape, bytes: size }) => [name, typeName, shape, size]),
    ).toEqual([
      ['first', 'F32', [8, 2], 64],
      ['second', 'Q8_0', [32], 34],
      ['third', 'F16', [4, 2, 1, 1], 16],
    ]);
    expect(header.tensors.map(({ offset }) => offset - header.dataOffset)).toEqual([0, 64, 128]);
    expect(header.dataOffset).toBe(bytes.length - 192);
    expect(headerEnd + rest.length).toBe(bytes.length);
    expect(Array.from(rest.subarray(header.dataOffset - headerEnd))).toEqual([
      ...Array(192).keys(),
    ]);
  });

  test.each([1, 7, 65536])(
    'is the same in chunks of %i bytes, size known or not',
    async (chunk) => {
      const expected = await read(smallModel());
      expect(await read(smallModel(), { chunk })).toEqual(expected);
      expect(await read(smallModel(), { chunk, sizeKnown: false })).toEqual(expected);
    },
  );

  test.each([1021, 65536])(
    'keeps long arrays of strings whole over %i-byte chunks',
    async (chunk) => {
      const texts = Array.from({ length: 30000 }, (_, i) =>
        i % 1000 === 0 ? 'long '.repeat(i % 7000) : `${i}${[...'é漢😀'].slice(0, i % 4).join('')}`,
      );
      const bytes = gguf({
        keys: [
          key('texts', Type.array, [Type.string, texts]),
          key('numbers', Type.array, [Type.i32, [...texts.keys()]]),
          key('after', Type.u32, 7),
        ],
      });
      const { metadata } = await read(bytes, { chunk });
      expect(metadata.get('texts')).toEqual(texts);
      expect(metadata.get('numbers')).toEqual([...texts.keys()]);
      expect(metadata.get('after')).toBe(7);
    },
  );

  test('may be version 2, may have another alignment, may hold no tensors', async () => {
    expect((await read(gguf({ version: 2 }))).version).toBe(2);
    const header = await read(
      gguf({
        keys: [key('general.alignment', Type.u32, 128)],
        tensors: [tensor('t', [4], 0, 128)],
        data: new Uint8Array(144),
        alignment: 128,
      }),
    );
    expect(header.dataOffset % 128).toBe(0);
    expect(header.tensors[0].offset).toBe(header.dataOffset + 128);
  });

  test.each(['qwen3_5', 'qwen3_5_kv_equal'])('of the %s fixture fits its file', async (name) => {
    const path = new URL(`../../golden/models/${name}/model-f32.gguf`, import.meta.url);
    const bytes = new Uint8Array(readFileSync(fileURLToPath(path)));
    const header = await read(bytes, { chunk: 4099 });
    expect(header.metadata.get('general.architecture')).toBe('qwen35');
    expect(header.tensors.length).toBeGreaterThan(40);
    expectSound(header, bytes.length);
  });
});

describe('a damaged header', () => {
  test('is truncated wherever it is cut', async () => {
    const bytes = smallModel();
    const { dataOffset, tensors } = await read(bytes);
    const end = Math.max(...tensors.map((t) => t.offset + t.bytes));
    for (let length = 0; length < end; length++) {
      const error = await failure(bytes.subarray(0, length));
      expect([length, error.name, error.code]).toEqual([length, 'ModelError', 'truncated']);
    }
    // A stream of unknown length can only be cut in its header here; the tensors come later.
    const { headerEnd } = await readGgufHeader(sourceOf(bytes));
    for (let length = 0; length < headerEnd; length++) {
      const error = await failure(bytes.subarray(0, length), { sizeKnown: false });
      expect([length, error.code]).toEqual([length, 'truncated']);
    }
    expect(dataOffset).toBeGreaterThanOrEqual(headerEnd);
  });

  test('with any one byte changed is refused or still lies in the file', async () => {
    const bytes = smallModel();
    const { headerEnd } = await readGgufHeader(sourceOf(bytes));
    let refused = 0;
    for (let at = 0; at < headerEnd; at++) {
      for (const flip of [0x01, 0x80, 0xff, bytes[at]]) {
        if (flip === 0) continue;
        const damaged = bytes.slice();
        damaged[at] ^= flip;
        for (const sizeKnown of [true, false]) {
          try {
            const header = await read(damaged, { sizeKnown });
            if (sizeKnown) expectSound(header, bytes.length);
          } catch (error) {
            if (!(error instanceof ModelError)) throw error;
            refused += 1;
          }
        }
      }
    }
    expect(refused).toBeGreaterThan(1000);
  }, 60000);

  test('says what is wrong with magic and version', async () => {
    await expectFailure(bytesOf('<!DOCTYPE html><html>...'), 'invalid_header', /not a GGUF file/);
    await expectFailure(gguf({ version: 1 }), 'invalid_header', /version 1/);
    await expectFailure(gguf({ version: 4 }), 'invalid_header', /version 4/);
    await expectFailure(gguf({ version: 0x03000000 }), 'invalid_header', /big-endian/);
  });

  test('with huge counts costs no memory', async () => {
    const head = (tensors, keys) =>
      bytesOf('GGUF', u32(3), u64(tensors), u64(keys), new Uint8Array(64));
    const before = process.memoryUsage().rss;
    await expectFailure(head(2n ** 63n, 0), 'invalid_header');
    await expectFailure(head(2n ** 32n, 0), 'invalid_header');
    await expectFailure(head(0, 2n ** 40n), 'invalid_header');
    for (const [type, count] of [
      [Type.string, 2n ** 24n],
      [Type.u8, 2n ** 24n],
      [Type.f64, 2n ** 24n],
      [Type.array, 2n ** 24n],
    ]) {
      const array = bytesOf(string('k'), u32(Type.array), u32(type), u64(count));
      await expectFailure(
        bytesOf('GGUF', u32(3), u64(0), u64(1), array, new Uint8Array(40)),
        'truncated',
      );
    }
    for (const count of [2n ** 26n, 2n ** 50n, 2n ** 63n]) {
      const array = bytesOf(string('k'), u32(Type.array), u32(Type.u8), u64(count));
      const error = await failure(bytesOf('GGUF', u32(3), u64(0), u64(1), array));
      expect(error).toBeInstanceOf(ModelError);
    }
    const text = (length) =>
      bytesOf('GGUF', u32(3), u64(0), u64(1), string('k'), u32(Type.string), u64(length));
    await expectFailure(text(2n ** 27n), 'truncated');
    const beyond = text(2n ** 40n);
    expect((await failure(beyond, { sizeKnown: false })).code).toBe('invalid_header');
    expect(process.memoryUsage().rss - before).toBeLessThan(64e6);
  });

  test('may not repeat a key or a tensor', async () => {
    const twice = key('k', Type.u32, 1);
    await expectFailure(gguf({ keys: [twice, twice] }), 'invalid_metadata', /k occurs twice/);
    const tensors = [tensor('t', [4], 0, 0), tensor('t', [4], 0, 32)];
    await expectFailure(
      gguf({ tensors, data: new Uint8Array(64) }),
      'invalid_header',
      /t occurs twice/,
    );
  });

  test('may hold UTF-8 only', async () => {
    const lone = Uint8Array.of(0xc3);
    const split = [Uint8Array.of(0x61, 0xc3), Uint8Array.of(0xa9)];
    await expectFailure(
      gguf({ keys: [bytesOf(string(lone), u32(Type.u8), [1])] }),
      'invalid_metadata',
    );
    await expectFailure(
      gguf({ keys: [key('k', Type.string, lone)] }),
      'invalid_metadata',
      /k is not UTF-8/,
    );
    await expectFailure(
      gguf({ keys: [key('k', Type.array, [Type.string, split])] }),
      'invalid_metadata',
    );
    await expectFailure(
      gguf({ tensors: [tensor(lone, [4], 0, 0)], data: new Uint8Array(16) }),
      'invalid_metadata',
    );
  });

  test.each([
    [
      'an unknown value type',
      key('k', Type.u32, 1).map((b, i) => (i === 9 ? 13 : b)),
      /value type 13/,
    ],
    ['a boolean of 2', key('k', Type.bool, 2), /boolean of value 2/],
    [
      'arrays nested five deep',
      key('k', Type.array, [
        Type.array,
        [[Type.array, [[Type.array, [[Type.array, [[Type.u8, [1]]]]]]]]],
      ]),
      /deeper/,
    ],
    ['an alignment of 24', key('general.alignment', Type.u32, 24), /alignment is 24/],
    ['an alignment of 4', key('general.alignment', Type.u32, 4), /alignment is 4/],
    ['an alignment of 2^17', key('general.alignment', Type.u32, 131072), /alignment/],
    [
      'an alignment that is a list',
      key('general.alignment', Type.array, [Type.u8, new Array(1e5).fill(8)]),
      /alignment is a list, not/,
    ],
    [
      'the name of what a tokenizer.json becomes',
      key('tokenizer.ggml.model', Type.string, 'huggingface'),
      /tokenizer.ggml.model stands for a tokenizer.json/,
    ],
    [
      'a part of that',
      key('tokenizer.huggingface.byte_level', Type.bool, true),
      /tokenizer.huggingface.byte_level stands for/,
    ],
    ['an alignment in words', key('general.alignment', Type.string, '32'), /alignment/],
  ])('with %s is refused', async (_, encoded, words) => {
    await expectFailure(gguf({ keys: [encoded] }), 'invalid_metadata', words);
  });

  const data = new Uint8Array(1024);
  test.each([
    ['no dimensions', [tensor('t', [], 0, 0)], 'invalid_header', /0 dimensions/],
    ['five dimensions', [tensor('t', [1, 1, 1, 1, 1], 0, 0)], 'invalid_header', /5 dimensions/],
    ['a dimension of 0', [tensor('t', [4, 0], 0, 0)], 'invalid_header', /shape \[4, 0\]/],
    ['2^60 elements', [tensor('t', [2 ** 30, 2 ** 30], 0, 0)], 'invalid_header', /shape/],
    ['a dimension of 2^63', [tensor('t', [2n ** 63n], 0, 0)], 'invalid_header', /dimension 0/],
    ['a row of half a block', [tensor('t', [48], 8, 0)], 'invalid_header', /whole Q8_0 blocks/],
    ['an odd offset', [tensor('t', [4], 0, 16)], 'invalid_header', /multiple of 32/],
    ['an offset of 2^62', [tensor('t', [4], 0, 2n ** 62n)], 'invalid_header', /offset/],
    [
      'an overlap',
      [tensor('a', [16], 0, 0), tensor('b', [4], 0, 32)],
      'invalid_header',
      /b overlaps a/,
    ],
    ['type 4', [tensor('t', [32], 4, 0)], 'unsupported_type', /tensor t has the unknown type 4/],
    ['type 43', [tensor('t', [32], 43, 0)], 'unsupported_type', /unknown type 43/],
  ])('with a tensor of %s is refused', async (_, tensors, code, words) => {
    await expectFailure(gguf({ tensors, data }), code, words);
  });

  test('with a tensor past the end names it', async () => {
    const bytes = gguf({ tensors: [tensor('late', [256], 0, 32)], data: new Uint8Array(1024) });
    const error = await failure(bytes);
    expect([error.code, error.subject]).toEqual(['truncated', 'late']);
  });
});

test('a type this package cannot multiply with is measured all the same', async () => {
  const tensors = [tensor('scales', [256, 3], 22, 0), tensor('next', [4], 0, 256)];
  const header = await read(gguf({ tensors, data: new Uint8Array(272) }));
  expect(header.tensors[0]).toMatchObject({ typeName: 'IQ2_S', bytes: 246 });
  expect(TENSOR_TYPES.get(22).supported).toBe(false);
  expect(
    [...TENSOR_TYPES.values()].filter((type) => type.supported).map((type) => type.name),
  ).toEqual([
    'F32',
    'F16',
    'Q4_0',
    'Q4_1',
    'Q5_0',
    'Q5_1',
    'Q8_0',
    'Q2_K',
    'Q3_K',
    'Q4_K',
    'Q5_K',
    'Q6_K',
    'IQ4_NL',
    'IQ4_XS',
    'BF16',
    'MXFP4',
  ]);
});

test('a header of 100,000 tokens is read in linear time', async () => {
  const headers = [12_500, 100_000].map((count) => {
    const texts = Array.from({ length: count }, (_, i) => `Ġtoken${i}`);
    return gguf({ keys: [key('t', Type.array, [Type.string, texts])] });
  });
  const works = headers.map((bytes) => () => read(bytes, { chunk: 16384 }));
  const [small, large] = await leastCpuTimes(works);
  expect(large).toBeLessThan(Math.max(small, 2) * 8 * 3);
});
