// SPDX-License-Identifier: MIT
// Files whose announced length is that of something else: compressed bytes, seen from another origin.
import { gzipSync } from 'node:zlib';
import { openModelFiles } from '../../../build/web/sources/model-files.js';
import { serve } from '../../support/file-server.js';
import { seeAsOtherOrigin } from '../../support/other-origin.js';
import { rejection } from '../../support/rejection.js';
import { gguf, key, Type, tensor } from '../../support/write-gguf.js';

const FLOATS = 1 << 18;
const zeros = new Uint8Array(4 * FLOATS);
const noise = zeros.map(
  (_, i) => Math.imul(Math.imul(i ^ (i >>> 9), 0x9e3779b1) ^ 0x5bd1e995, 0x85ebca6b) >>> 21,
);

function model(bytes) {
  const keys = [key('general.architecture', Type.string, 'test')];
  const tensors = [tensor('first', [8], 0, 0), tensor('last', [FLOATS], 0, 32)];
  return gguf({ keys, tensors, data: Buffer.concat([Buffer.alloc(32, 7), bytes]) });
}

const file = {};
const server = await serve({ '/model.gguf': file });
let restore = () => {};
beforeEach(() => {
  for (const name of Object.keys(file)) delete file[name];
  server.requests.length = 0;
});
afterEach(() => restore());
afterAll(() => server.close());

async function load() {
  const seen = [];
  const files = await openModelFiles(server.url('/model.gguf'), {
    onProgress: (progress) => seen.push(progress),
  });
  const got = [];
  await files.stream(
    () => true,
    (_, bytes) => got.push(Buffer.from(bytes)),
  );
  return { bytes: Buffer.concat(got), total: files.totalBytes, seen };
}

const small = model(zeros);
const large = model(noise);
const packed = (bytes, options) => ({ bytes: gzipSync(bytes, options), encoding: 'gzip' });

describe.each([
  ['of its own origin', () => () => {}],
  ['of another origin', seeAsOtherOrigin],
])('%s', (_, see) => {
  beforeEach(() => {
    restore = see();
  });

  test.each([
    ['plain', { bytes: large }, large],
    ['plain, with bytes after the last tensor', { bytes: Buffer.concat([large, zeros]) }, large],
    ['of unknown length', { bytes: large, lengthKnown: false }, large],
    ['compressed to little', packed(small), small],
    ['compressed to nearly the same', packed(large), large],
    ['made longer by compression', packed(large, { level: 0 }), large],
    ['compressed, of unknown length', { ...packed(large), lengthKnown: false }, large],
  ])('a file %s is read', async (_, served, bytes) => {
    Object.assign(file, served);
    const { bytes: got, seen, total } = await load();
    expect(got.equals(bytes.subarray(bytes.length - got.length))).toBe(true);
    expect(got.length).toBe(32 + 4 * FLOATS);
    expect(total).toBeGreaterThanOrEqual(bytes.length);
    expect(seen.at(-1)).toEqual({ phase: 'download', loaded: total, total });
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['plain', (bytes) => ({ bytes })],
    ['compressed', (bytes) => packed(bytes)],
  ])('a file that is cut, %s, is truncated', async (_, pack) => {
    Object.assign(file, pack(large.subarray(0, large.length - 1000)));
    expect(await rejection(load())).toMatchObject({ code: 'truncated', subject: 'last' });
  });

  test('a compressed file is read again from the start where the connection drops', async () => {
    Object.assign(file, packed(large), { etag: '"v1"', dropAfter: [300_000] });
    expect((await load()).bytes.length).toBe(32 + 4 * FLOATS);
    expect(server.requests).toHaveLength(2);
  });

  test('a plain one goes on by a range', async () => {
    Object.assign(file, { bytes: large, etag: '"v1"', dropAfter: [300_000] });
    expect((await load()).bytes.length).toBe(32 + 4 * FLOATS);
    expect(server.requests[1].headers.range).toMatch(/^bytes=[1-9]\d*-$/);
  });
});
