// SPDX-License-Identifier: MIT
// Downloads that are kept: what interrupts them, what fails, and several tabs at once.
import { createHash } from 'node:crypto';
import { cacheSettings } from '../../../build/web/sources/cache-settings.js';
import { openModelFiles } from '../../../build/web/sources/model-files.js';
import { KeyedFiles } from '../../../build/web/storage/keyed-files.js';
import { Locks } from '../../../build/web/storage/locks.js';
import { ModelCache } from '../../../build/web/storage/models.js';
import { LockSpace } from '../../support/fake-locks.js';
import { serve } from '../../support/file-server.js';
import { MemoryStore } from '../../support/memory-store.js';
import { seeAsOtherOrigin } from '../../support/other-origin.js';
import { rejection } from '../../support/rejection.js';
import { gguf, key, Type, tensor } from '../../support/write-gguf.js';

// The channels between tabs that are open.
const channels = new Set();
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name) {
    super(name);
    channels.add(this);
  }

  close() {
    channels.delete(this);
    super.close();
  }
};

const FLOATS = 500_000;
const model = (seed) => {
  const bytes = Buffer.from(Uint8Array.from({ length: 4 * FLOATS }, (_, i) => (i * seed) % 253));
  const keys = [key('general.architecture', Type.string, 'test')];
  return gguf({ keys, tensors: [tensor('all', [FLOATS], 0, 0)], data: bytes });
};
const [ONE, TWO] = [model(7), model(11)];
const DATE = 'Mon, 01 Jan 2024 00:00:00 GMT';
const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

const file = {};
const server = await serve({
  '/model.gguf': file,
  '/model.gguf?signed=1': file,
  '/model.gguf?signed=2': file,
  '/other.gguf': { bytes: TWO },
});
const MODEL = server.url('/model.gguf');
let store;
let space;
beforeEach(() => {
  for (const name of Object.keys(file)) delete file[name];
  Object.assign(file, { bytes: ONE, etag: '"v1"' });
  server.requests.length = 0;
  store = new MemoryStore();
  space = new LockSpace();
});
afterAll(async () => {
  await server.close();
  // That of the tab which dies; any other would keep a program from ending.
  expect(channels.size).toBe(1);
  for (const channel of channels) channel.close();
});

/** A tab that has just been opened. */
function tab() {
  const manager = space.tab();
  const cache = new ModelCache(async () => new KeyedFiles(store, 'models', new Locks(manager)));
  const load = async (url = MODEL, { cache: given = true, signal, sha256, until, seen } = {}) => {
    const files = await openModelFiles(
      url,
      {
        cache: cacheSettings(url, given),
        signal,
        sha256,
        onProgress: (progress) => seen?.push(progress),
      },
      cache,
    );
    const got = [];
    let bytes = 0;
    await files.stream(
      () => true,
      (_, piece) => {
        got.push(Buffer.from(piece));
        bytes += piece.length;
        if (bytes > until) throw new Error('out of memory');
      },
    );
    const { fromCache, kept, notKept } = files;
    return { bytes: Buffer.concat(got), fromCache, kept, notKept };
  };
  return { cache, load, manager };
}

const data = (bytes) => bytes.subarray(bytes.length - 4 * FLOATS);
const expectModel = (loaded, bytes, facts) => {
  expect(loaded.bytes.equals(data(bytes))).toBe(true);
  expect(loaded).toMatchObject(facts);
};
/** Waits for what other tabs are about to do. */
async function soon(happened) {
  const end = Date.now() + 4000;
  while (!happened()) {
    if (Date.now() > end) throw new Error(`never happened: ${happened}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
const ranges = () => server.requests.map(({ headers }) => headers.range);

describe('an interrupted download', () => {
  const interrupted = async (options = {}) => {
    const error = await rejection(tab().load(MODEL, { until: 1_000_000, ...options }));
    expect(error.message).toBe('out of memory');
    server.requests.length = 0;
  };

  test.each([
    ['ETag', { etag: '"v1"' }, () => {}],
    ['date', { etag: undefined, lastModified: DATE }, () => {}],
    ['date, from another origin', { lastModified: DATE }, seeAsOtherOrigin],
  ])('is gone on with, by %s', async (_, version, see) => {
    const restore = see();
    Object.assign(file, version);
    await interrupted();
    const { cache, load } = tab();
    const [{ bytes }] = await cache.list({ incomplete: true });
    expect(bytes).toBeGreaterThan(1_000_000);
    const seen = [];
    expectModel(await load(MODEL, { sha256: digest(ONE), seen }), ONE, {
      fromCache: false,
      kept: true,
    });
    expect(ranges()).toEqual([`bytes=${bytes}-`]);
    expect(seen.at(-1)).toEqual({ phase: 'download', loaded: ONE.length, total: ONE.length });
    expectModel(await load(), ONE, { fromCache: true });
    expect(server.requests).toHaveLength(1);
    expect(await cache.list({ incomplete: true })).toHaveLength(1);
    restore?.();
  });

  test('is gone on with again and again', async () => {
    for (const until of [400_000, 900_000, 1_500_000]) await interrupted({ until });
    expectModel(await tab().load(), ONE, { kept: true });
    expect(ranges()[0]).toMatch(/^bytes=1[5-9]\d{5}-$/);
    expectModel(await tab().load(MODEL, { sha256: digest(ONE) }), ONE, { fromCache: true });
  });

  test.each([
    ['has another ETag', { etag: '"v2"', bytes: TWO }],
    ['has another date only', { etag: undefined, lastModified: DATE, bytes: TWO }],
    ['says nothing of itself any more', { etag: undefined, bytes: TWO }],
    ['is shorter', { etag: '"v2"', bytes: model(13).subarray(0, ONE.length) }],
    ['comes without ranges', { ranges: false, bytes: ONE }],
  ])('of a file that now %s starts anew', async (_, change) => {
    await interrupted();
    Object.assign(file, change);
    const { cache, load } = tab();
    expectModel(await load(), change.bytes, { fromCache: false, kept: true });
    expectModel(await load(), change.bytes, { fromCache: true });
    expect(await cache.list({ incomplete: true })).toHaveLength(1);
  });

  test('that has not the digest it should leaves nothing', async () => {
    await interrupted();
    // As a disk that has lost some of it.
    const [name] = [...store.files.keys()].filter((one) => one.includes('data'));
    store.files.set(name, Buffer.alloc(store.files.get(name).length, 1).fill(ONE, 0, 500_000));
    const error = await rejection(tab().load(MODEL, { sha256: digest(ONE) }));
    expect(error.code).toBe('integrity');
    expect(store.files.size).toBe(0);
    expectModel(await tab().load(MODEL, { sha256: digest(ONE) }), ONE, { kept: true });
  });

  test.each([
    ['no validator', { etag: undefined }],
    ['a weak one', { etag: 'W/"v1"' }],
    ['no ranges', { encoding: 'identity' }],
  ])('of a server with %s leaves nothing', async (_, change) => {
    Object.assign(file, change);
    await interrupted();
    expect(store.files.size).toBe(0);
  });

  test('by the death of its tab costs what was not noted', async () => {
    const first = tab();
    file.stallAfter = 1_500_000;
    first.load().catch(() => {});
    await soon(() => space.names.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    space.kill(first.manager);
    store.revive();
    delete file.stallAfter;
    expectModel(await tab().load(), ONE, { fromCache: false, kept: true });
    expect(await tab().cache.list({ incomplete: true })).toHaveLength(1);
    expect(store.files.size).toBe(3);
  });

  test('with an unsound header leaves nothing', async () => {
    file.bytes = Buffer.concat([Buffer.from('<html>'), ONE]);
    expect((await rejection(tab().load())).code).toBe('invalid_header');
    file.bytes = ONE.subarray(0, ONE.length - 5);
    expect((await rejection(tab().load())).code).toBe('truncated');
    expect(store.files.size).toBe(0);
    expect(space.names).toEqual([]);
  });
});

test('a kept copy that is no model is removed, so that the next load gets a new one', async () => {
  const { load, cache } = tab();
  await load();
  const [name] = [...store.files.keys()].filter((one) => one.includes('data'));
  store.files.set(name, Buffer.alloc(ONE.length));
  expect((await rejection(load())).code).toBe('invalid_header');
  expect(await cache.list()).toEqual([]);
  expectModel(await load(), ONE, { kept: true, fromCache: false });
});

describe('tabs that load the same', () => {
  test('wait for the one that downloads, and take its copy', async () => {
    file.stallAfter = 1_000_000;
    const [aborter, arrived] = [new AbortController(), []];
    const first = tab().load(MODEL, { signal: aborter.signal, seen: arrived });
    await soon(() => arrived.at(-1)?.loaded > 900_000);
    const [seen, gaveUp] = [[], new AbortController()];
    const others = [tab(), tab()].map(({ load }) => load(MODEL, { seen }));
    const impatient = tab().load(MODEL, { signal: gaveUp.signal });
    await soon(() => seen.length >= 2);
    gaveUp.abort('enough');
    expect(await rejection(impatient)).toBe('enough');
    expect(server.requests).toHaveLength(1);
    delete file.stallAfter;
    // The first is closed: one of the others goes on, and the last takes its copy.
    aborter.abort('closed');
    expect(await rejection(first)).toBe('closed');
    const loaded = await Promise.all(others);
    for (const one of loaded) expectModel(one, ONE, { kept: true, notKept: undefined });
    expect(loaded.map(({ fromCache }) => fromCache).sort()).toEqual([false, true]);
    expect(ranges()).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)]);
    expect(seen.some(({ phase }) => phase === 'waiting')).toBe(true);
    expect(seen.some(({ phase }) => phase === 'cache')).toBe(true);
    expect(store.files.size).toBe(4);
    await new Promise(setImmediate);
    expect(space.names).toEqual([]);
  });

  test('hear how far it is', async () => {
    file.stallAfter = 1_000_000;
    const aborter = new AbortController();
    const first = rejection(tab().load(MODEL, { signal: aborter.signal }));
    await soon(() => store.files.size > 0);
    const seen = [];
    const other = tab().load(MODEL, { seen });
    await soon(() => seen.length > 0);
    expect(seen[0]).toEqual({ phase: 'waiting', loaded: 0, total: undefined });
    const channel = new BroadcastChannel(`fastweights download ${MODEL}`);
    channel.postMessage({ loaded: 5, total: 10 });
    await soon(() => seen.length > 1);
    expect(seen[1]).toEqual({ phase: 'waiting', loaded: 5, total: 10 });
    channel.close();
    delete file.stallAfter;
    aborter.abort();
    await first;
    await other;
  });

  test('read one copy at the same time', async () => {
    await tab().load();
    const loads = Array.from({ length: 4 }, () => tab().load());
    for (const loaded of await Promise.all(loads)) expectModel(loaded, ONE, { fromCache: true });
    expect(server.requests).toHaveLength(1);
  });

  test('and ask whether it is new download a new one once', async () => {
    await tab().load();
    Object.assign(file, { bytes: TWO, etag: '"v2"' });
    const cache = { revalidate: true };
    const loads = Array.from({ length: 3 }, () => tab().load(MODEL, { cache }));
    for (const loaded of await Promise.all(loads)) expectModel(loaded, TWO, { kept: true });
    expect(store.files.size).toBeGreaterThanOrEqual(3);
    expect(await tab().cache.list()).toHaveLength(1);
  });
});

describe('a file that cannot be kept', () => {
  test.each([
    ['a full disk', () => Object.assign(store, { quota: 500_000 }), /quota/],
    ['a storage that fails at once', () => Object.assign(store, { budget: -1 }), /the tab is gone/],
    ['one that fails later', () => Object.assign(store, { budget: 20 }), /the tab is gone/],
    ['a small budget', () => ({ budgetBytes: 100_000 }), /100000 bytes/],
  ])('for %s is loaded all the same, and the model says so', async (_, spoil, words) => {
    const { budgetBytes } = spoil();
    const loaded = await tab().load(MODEL, { cache: { budgetBytes } });
    expectModel(loaded, ONE, { fromCache: false, kept: false });
    expect(loaded.notKept).toMatch(words);
    store.revive();
    expect(await tab().cache.list({ incomplete: true })).toEqual([]);
    expect(space.names).toEqual([]);

    spoil();
    const cache = { budgetBytes, required: true };
    const error = await rejection(tab().load(MODEL, { cache }));
    expect([error.name, error.code]).toEqual(['ModelError', 'cache_unavailable']);
    await new Promise(setImmediate);
    expect(space.names).toEqual([]);
  });

  test('for want of a storage is loaded too', async () => {
    const settings = cacheSettings(MODEL, true);
    const files = await openModelFiles(MODEL, { cache: settings });
    await files.stream(
      () => true,
      () => {},
    );
    expect(files).toMatchObject({ fromCache: false, kept: false });
    expect(files.notKept).toMatch(/neither an origin private file system nor the Cache API/);
    const required = cacheSettings(MODEL, { required: true });
    expect((await rejection(openModelFiles(MODEL, { cache: required }))).code).toBe(
      'cache_unavailable',
    );
  });
});

test('a budget makes the least recently used go', async () => {
  const { load, cache } = tab();
  await load();
  const budgetBytes = ONE.length + 1000;
  const other = server.url('/other.gguf');
  expectModel(await load(other, { cache: { budgetBytes } }), TWO, { kept: true });
  expect((await cache.list()).map(({ url }) => url)).toEqual([other]);
  // Of unknown length it is known at the end.
  file.lengthKnown = false;
  expectModel(await load(MODEL, { cache: { budgetBytes } }), ONE, { kept: true });
  expect((await cache.list()).map(({ url }) => url)).toEqual([MODEL]);
});

describe('keys', () => {
  const signed = (number) => server.url(`/model.gguf?signed=${number}`);

  test.each([
    ['a string', 'my model', 'my model'],
    ['a function', (url) => url.split('?')[0], MODEL],
  ])('%s makes signed addresses one file', async (_, given, expected) => {
    const { load, cache } = tab();
    const options = { cache: { cacheKey: given } };
    expectModel(await load(signed(1), options), ONE, { fromCache: false });
    expectModel(await load(signed(2), options), ONE, { fromCache: true });
    expect(await cache.list()).toMatchObject([{ key: expected, url: signed(1) }]);
    expect(await cache.delete(expected)).toBe(true);
  });

  test('of a split model differ', () => {
    const url = 'https://example.org/m-00001-of-00003.gguf?x=1';
    expect(cacheSettings(url, { cacheKey: 'm' }).keys).toEqual([
      'm-1-of-3',
      'm-2-of-3',
      'm-3-of-3',
    ]);
    expect(cacheSettings(url, true).keys[1]).toBe('https://example.org/m-00002-of-00003.gguf?x=1');
    expect(cacheSettings([new Blob([]), `${url}#a`], true).keys).toEqual([undefined, url]);
  });

  test('wrong options are named', () => {
    for (const cache of [7, 'yes', null])
      expect(() => cacheSettings(MODEL, cache)).toThrow(TypeError);
    for (const [name, value] of [
      ['key', ''],
      ['key', 7],
      ['key', () => 7],
      ['revalidate', 'yes'],
      ['required', 1],
      ['persist', 0],
      ['budgetBytes', '1'],
    ]) {
      const settings = () => cacheSettings(MODEL, { [name]: value });
      expect(settings).toThrow(TypeError);
      expect(settings).toThrow(`cache.${name}`);
    }
    expect(() => cacheSettings(MODEL, { budgetBytes: -1 })).toThrow(RangeError);
    expect(() => cacheSettings(MODEL, { budgetBytes: Number.NaN })).toThrow(RangeError);
    expect(cacheSettings(MODEL, false)).toBeUndefined();
  });
});
