// SPDX-License-Identifier: MIT
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheSettings } from '../../../build/web/sources/cache-settings.js';
import { openModelFiles as openFiles } from '../../../build/web/sources/model-files.js';
import { KeyedFiles } from '../../../build/web/storage/keyed-files.js';
import { ModelCache } from '../../../build/web/storage/models.js';
import { serve } from '../../support/file-server.js';
import { MemoryStore } from '../../support/memory-store.js';
import { rejection } from '../../support/rejection.js';
import { gguf, key, Type, tensor } from '../../support/write-gguf.js';

const SIZES = { alpha: 500_000, beta: 40, gamma: 300_000, delta: 8 };
const CONTENT = Object.fromEntries(
  Object.entries(SIZES).map(([name, size]) => [
    name,
    Uint8Array.from({ length: size * 4 }, (_, i) => (i * 7 + name.charCodeAt(0) + (i >> 10)) & 255),
  ]),
);
const content = (name) => CONTENT[name];

/** A model of the named tensors in this order, with gaps that nobody wants. */
function model(names, extra = []) {
  let offset = 0;
  const tensors = [];
  const pieces = [];
  for (const name of names) {
    tensors.push(tensor(name, [SIZES[name]], 0, offset));
    const padded = Math.ceil((SIZES[name] * 4) / 32) * 32;
    const bytes = Buffer.alloc(padded, 0xee);
    bytes.set(content(name));
    pieces.push(bytes);
    offset += padded;
  }
  const keys = [key('general.architecture', Type.string, 'test'), ...extra];
  return gguf({ keys, tensors, data: Buffer.concat(pieces) });
}

const split = (number, count, total) => [
  key('split.no', Type.u16, number),
  key('split.count', Type.u16, count),
  key('split.tensors.count', Type.i32, total),
];
const WHOLE = model(['alpha', 'beta', 'gamma', 'delta']);
const PARTS = [
  model(['alpha'], split(0, 3, 4)),
  model(['beta', 'gamma'], split(1, 3, 4)),
  model(['delta'], split(2, 3, 4)),
];
const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

const folder = mkdtempSync(join(tmpdir(), 'model-files-'));
const path = join(folder, 'model.gguf');
writeFileSync(path, WHOLE);
PARTS.forEach((bytes, i) => {
  writeFileSync(join(folder, `split-0000${i + 1}-of-00003.gguf`), bytes);
});
const file = {};
const server = await serve({
  '/model.gguf': file,
  ...Object.fromEntries(PARTS.map((bytes, i) => [`/s-0000${i + 1}-of-00003.gguf?x=1`, { bytes }])),
});
let store;
let cache;
beforeEach(() => {
  for (const name of Object.keys(file)) delete file[name];
  Object.assign(file, { bytes: WHOLE, etag: '"v1"' });
  server.requests.length = 0;
  store = new MemoryStore();
  cache = new ModelCache(async () => new KeyedFiles(store, 'models'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** With the cache's options as a page gives them. */
const openModelFiles = (source, options = {}, ...rest) =>
  openFiles(source, { ...options, cache: cacheSettings(source, options.cache) }, ...rest);

/** Streams and gives what arrived, by tensor; checks order and bounds on the way. */
async function collect(files, wants = () => true) {
  const got = {};
  let last = -1;
  await files.stream(wants, (entry, bytes) => {
    const place = entry.part * 2 ** 40 + entry.offset;
    if (place < last) throw new Error(`${entry.name} is out of file order`);
    last = place;
    got[entry.name] ??= [];
    got[entry.name].push(Buffer.from(bytes));
  });
  return Object.fromEntries(Object.entries(got).map(([name, list]) => [name, Buffer.concat(list)]));
}

function expectContent(got, names) {
  expect(Object.keys(got).sort()).toEqual([...names].sort());
  for (const name of names) expect(got[name].equals(content(name))).toBe(true);
}

const byteStream = (bytes, chunk) =>
  new ReadableStream({
    start() {
      this.at = 0;
    },
    pull(controller) {
      controller.enqueue(bytes.subarray(this.at, this.at + chunk));
      this.at += chunk;
      if (this.at >= bytes.length) controller.close();
    },
  });

describe.each([
  ['a path', () => path],
  ['a URL', () => server.url('/model.gguf')],
  ['a Blob', () => new Blob([WHOLE])],
  ['an ArrayBuffer', () => WHOLE.slice().buffer],
  ['a stream', () => byteStream(WHOLE, 65_537)],
])('%s', (_, make) => {
  test('gives every byte of every tensor once', async () => {
    expectContent(await collect(await openModelFiles(make())), Object.keys(SIZES));
  });

  test.each([[['beta', 'delta']], [['gamma']], [['alpha', 'gamma']], [[]]])(
    'gives %j only, when only they are wanted',
    async (names) => {
      const files = await openModelFiles(make());
      expectContent(await collect(files, ({ name }) => names.includes(name)), names);
    },
  );

  test('with its sha256 is verified', async () => {
    const good = await openModelFiles(make(), { sha256: sha(WHOLE).toUpperCase() });
    expectContent(await collect(good, ({ name }) => name === 'beta'), ['beta']);
    const bad = await openModelFiles(make(), { sha256: sha('something else') });
    expect((await rejection(collect(bad))).code).toBe('integrity');
  });

  test('reports progress that grows to the total', async () => {
    const seen = [];
    const files = await openModelFiles(make(), { onProgress: (progress) => seen.push(progress) });
    await collect(files);
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(loaded.at(-1)).toBe(WHOLE.length);
    expect(seen.at(-1).total).toBe(files.totalBytes);
  });
});

test('a long stretch nobody wants is not downloaded', async () => {
  const files = await openModelFiles(server.url('/model.gguf'));
  await collect(files, ({ name }) => name === 'delta');
  const delta = files.header.tensors.find(({ name }) => name === 'delta');
  expect(server.requests[1].headers.range).toBe(`bytes=${delta.offset}-`);
});

test('a file that is cut is truncated, and the tensor is named', async () => {
  const cut = WHOLE.subarray(0, WHOLE.length - 100);
  const known = await rejection(openModelFiles(cut));
  expect([known.code, known.subject]).toEqual(['truncated', 'gamma']);
  const files = await openModelFiles(byteStream(cut, 65_536));
  const error = await rejection(collect(files));
  expect([error.code, error.subject]).toEqual(['truncated', 'gamma']);
});

test('what the sink throws comes through, and the source is closed', async () => {
  let cancelled = false;
  const source = byteStream(WHOLE, 65_536);
  const watched = new ReadableStream({
    start() {
      this.reader = source.getReader();
    },
    async pull(controller) {
      const { done, value } = await this.reader.read();
      done ? controller.close() : controller.enqueue(value);
    },
    cancel() {
      cancelled = true;
    },
  });
  const files = await openModelFiles(watched);
  const fault = new Error('no room');
  const error = await rejection(
    files.stream(
      () => true,
      () => {
        throw fault;
      },
    ),
  );
  expect(error).toBe(fault);
  expect(cancelled).toBe(true);
  expect((await rejection(collect(files))).code).toBe('disposed');
});

test.each(['header', 'tensors'])(
  'is aborted in its %s with the reason of the signal',
  async (where) => {
    file.stallAfter = where === 'header' ? 20 : 1_000_000;
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    setTimeout(() => controller.abort(reason), 150);
    const work = async () => {
      const options = { signal: controller.signal, cache: true };
      await collect(await openModelFiles(server.url('/model.gguf'), options, cache));
    };
    expect(await rejection(work())).toBe(reason);
    expect(store.files.size).toBe(0);
  },
);

describe('a split model', () => {
  const urls = PARTS.map((_, i) => () => server.url(`/s-0000${i + 1}-of-00003.gguf?x=1`));
  test.each([
    ['its first path', () => join(folder, 'split-00001-of-00003.gguf')],
    ['its first URL', urls[0]],
    ['its first URL object', () => new URL(urls[0]())],
    ['all URLs', () => urls.map((url) => url())],
    ['blobs', () => PARTS.map((bytes) => new Blob([bytes]))],
    ['streams', () => PARTS.map((bytes) => byteStream(bytes, 1 << 20))],
  ])('is read from %s', async (_, make) => {
    const files = await openModelFiles(make());
    expect(files.header.tensors.map(({ name, part }) => [name, part])).toEqual([
      ['alpha', 0],
      ['beta', 1],
      ['gamma', 1],
      ['delta', 2],
    ]);
    expectContent(await collect(files), Object.keys(SIZES));
  });

  test('with a missing file is not_found', async () => {
    const copy = join(folder, 'lonely-00001-of-00002.gguf');
    writeFileSync(copy, PARTS[0]);
    const error = await rejection(openModelFiles(copy));
    expect([error.code, error.subject]).toEqual([
      'not_found',
      join(folder, 'lonely-00002-of-00002.gguf'),
    ]);
  });

  test.each([
    ['in the wrong order', [PARTS[1], PARTS[0], PARTS[2]], 'invalid_metadata', 'split.no'],
    ['with a part left out', [PARTS[0], PARTS[2]], 'invalid_metadata', 'split.count'],
    ['as one part alone', [PARTS[0]], 'invalid_metadata', 'split.count'],
    ['of files that are no parts', [WHOLE, WHOLE], 'invalid_metadata', 'split.count'],
    [
      'with a wrong total',
      [model(['alpha'], split(0, 2, 5)), model(['beta'], split(1, 2, 5))],
      'invalid_metadata',
      'split.tensors.count',
    ],
    [
      'with a tensor twice',
      [model(['beta'], split(0, 2, 2)), model(['beta'], split(1, 2, 2))],
      'invalid_header',
      'beta',
    ],
  ])('%s is refused', async (_, parts, code, subject) => {
    const error = await rejection(openModelFiles(parts));
    expect([error.name, error.code, error.subject]).toEqual(['ModelError', code, subject]);
  });

  test('has no single sha256, and an empty list is no model', async () => {
    await expect(openModelFiles(PARTS, { sha256: sha(WHOLE) })).rejects.toThrow(TypeError);
    await expect(openModelFiles([])).rejects.toThrow(RangeError);
    await expect(openModelFiles(path, { sha256: 'abc' })).rejects.toThrow(TypeError);
  });
});

describe('with the cache', () => {
  const open = (options = {}) =>
    openModelFiles(server.url('/model.gguf'), { cache: true, ...options }, cache);

  test('a file is stored whole while it streams, and read from there next time', async () => {
    const first = await open();
    expect(first.fromCache).toBe(false);
    expectContent(await collect(first, ({ name }) => name === 'beta'), ['beta']);
    expect((await cache.list()).map(({ url, bytes, etag }) => [url, bytes, etag])).toEqual([
      [server.url('/model.gguf'), WHOLE.length, '"v1"'],
    ]);
    const phases = new Set();
    const second = await open({ onProgress: ({ phase }) => phases.add(phase) });
    expect(second.fromCache).toBe(true);
    expectContent(await collect(second), Object.keys(SIZES));
    expect([...phases]).toEqual(['cache']);
    expect(server.requests).toHaveLength(1);
  });

  test('is not used unless asked for, nor for files of the device', async () => {
    await collect(await openModelFiles(server.url('/model.gguf'), {}, cache));
    await collect(await openModelFiles(new Blob([WHOLE]), { cache: true }, cache));
    await collect(await openModelFiles(path, { cache: true }, cache));
    expect(store.files.size).toBe(0);
  });

  test('a split model is stored in all its parts', async () => {
    const first = () =>
      openModelFiles(server.url('/s-00001-of-00003.gguf?x=1'), { cache: true }, cache);
    expectContent(await collect(await first()), Object.keys(SIZES));
    expect((await cache.list()).map(({ bytes }) => bytes)).toEqual(
      PARTS.map(({ length }) => length),
    );
    server.requests.length = 0;
    const again = await first();
    expect(again.fromCache).toBe(true);
    expectContent(await collect(again), Object.keys(SIZES));
    expect(server.requests).toHaveLength(0);
  });

  test('a load that fails, is closed or lacks the digest leaves no entry', async () => {
    const closed = await open();
    await closed.close();
    const wrong = await open({ sha256: sha('other') });
    expect((await rejection(collect(wrong))).code).toBe('integrity');
    const failing = await open();
    await rejection(
      failing.stream(
        () => true,
        () => {
          throw new Error('stop');
        },
      ),
    );
    expect(await cache.list()).toEqual([]);
    expect(store.files.size).toBe(0);
  });

  test('a kept copy with another digest is removed', async () => {
    await collect(await open({ sha256: sha(WHOLE) }));
    expect((await cache.list())[0].sha256).toBe(sha(WHOLE));
    const data = [...store.files.keys()].find((name) => name.includes('data'));
    const rotten = Buffer.from(store.files.get(data));
    rotten[rotten.length - 5] ^= 1;
    store.files.set(data, rotten);
    const files = await open({ sha256: sha(WHOLE) });
    expect(files.fromCache).toBe(true);
    expect((await rejection(collect(files))).code).toBe('integrity');
    expect(store.files.size).toBe(0);
  });

  const CHANGED = model(['beta', 'delta']);
  test.each([
    ['etag', { etag: '"v1"' }, { etag: '"v2"', bytes: CHANGED }],
    [
      'date',
      { etag: undefined, lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' },
      { lastModified: 'Tue, 02 Jan 2024 00:00:00 GMT', bytes: CHANGED },
    ],
  ])(
    'revalidate asks by %s: same keeps, changed replaces, offline uses the copy',
    async (_, before, after) => {
      Object.assign(file, before);
      const revalidate = () => open({ cache: { revalidate: true } });
      await collect(await revalidate());
      expect((await revalidate()).fromCache).toBe(true);
      Object.assign(file, after);
      const changed = await revalidate();
      expect(changed.fromCache).toBe(false);
      expectContent(await collect(changed), ['beta', 'delta']);
      expect(await cache.size()).toBe(CHANGED.length);
      file.status = 503;
      const offline = await revalidate();
      expect(offline.fromCache).toBe(true);
      expectContent(await collect(offline), ['beta', 'delta']);
      file.status = 404;
      expect((await rejection(revalidate())).code).toBe('not_found');
    },
  );
});
