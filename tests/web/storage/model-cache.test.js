// SPDX-License-Identifier: MIT
import { KeyedFiles } from '../../../build/web/storage/keyed-files.js';
import { Locks } from '../../../build/web/storage/locks.js';
import { ModelCache, modelCache } from '../../../build/web/storage/models.js';
import { LockSpace } from '../../support/fake-locks.js';
import { MemoryStore } from '../../support/memory-store.js';
import { rejection } from '../../support/rejection.js';

const URL_A = 'https://example.org/a.gguf';
const URL_B = 'https://example.org/b.gguf?download=1';
let store;
let space;
let cache;
beforeEach(() => {
  store = new MemoryStore();
  space = new LockSpace();
  cache = tab();
});

function tab(manager = space.tab()) {
  return new ModelCache(async () => new KeyedFiles(store, 'models', new Locks(manager)));
}

const factsOf = (url, more) => () => ({ key: url, url, date: new Date().toISOString(), ...more });

async function begin(url, bytes, more = {}) {
  const fill = await cache.fill(url, factsOf(url, more));
  for (let at = 0; at < bytes.length; at += 30_000)
    await fill.write(bytes.subarray(at, at + 30_000), true);
  return fill;
}

async function keep(url, bytes, more) {
  await (await begin(url, bytes, more)).commit(undefined);
}

const bytesOf = (size, seed) => Uint8Array.from({ length: size }, (_, i) => (i * seed) & 255);
const urls = async (options) => (await cache.list(options)).map(({ url }) => url);

test('keeps files by URL, tells what it has, and forgets them', async () => {
  expect(await cache.list()).toEqual([]);
  await keep(URL_A, bytesOf(100_000, 3), { etag: '"x"', of: 100_000 });
  await keep(URL_B, bytesOf(5, 7));
  const entries = await cache.list();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(entries).toEqual([
    { key: URL_A, url: URL_A, bytes: 100_000, etag: '"x"', date: time, used: time },
    { key: URL_B, url: URL_B, bytes: 5, date: time, used: time },
  ]);
  expect(Math.abs(Date.parse(entries[0].date) - Date.now())).toBeLessThan(60_000);
  expect(await cache.size()).toBe(100_005);
  const { file, facts, release } = await cache.find(URL_A);
  expect(facts.url).toBe(URL_A);
  expect(Buffer.from(await file.arrayBuffer()).equals(bytesOf(100_000, 3))).toBe(true);
  release();
  expect(await cache.delete(`${URL_A}#part`)).toBe(true);
  expect(await cache.delete(URL_A)).toBe(false);
  expect(await cache.find(URL_A)).toBeUndefined();
  expect(await cache.size()).toBe(5);
  await cache.clear();
  expect(await cache.list()).toEqual([]);
  expect(store.files.size).toBe(0);
});

test('a file may be called otherwise than its URL', async () => {
  const fill = await cache.fill('my model', () => ({ ...factsOf(URL_A)(), key: 'my model' }));
  await fill.write(bytesOf(10, 1), true);
  await fill.commit('ab'.repeat(32));
  expect(await cache.find(URL_A)).toBeUndefined();
  expect((await cache.find('my model')).facts).toMatchObject({ url: URL_A });
  expect(await cache.list()).toMatchObject([{ key: 'my model', sha256: 'ab'.repeat(32) }]);
  expect(await cache.delete('my model')).toBe(true);
  expect(await cache.list()).toEqual([]);
});

test('the list is in the order of use, and says when that was', async () => {
  for (const url of ['x:1', 'x:2', 'x:3']) await keep(url, bytesOf(10, 1));
  const held = await cache.find('x:1');
  await cache.use(held);
  held.release();
  expect(await urls()).toEqual(['x:2', 'x:3', 'x:1']);
  const [second, , first] = await cache.list();
  expect(Date.parse(first.used)).toBeGreaterThan(Date.parse(second.used));
});

test('replaces an entry in one step, and removes the old file', async () => {
  await keep(URL_A, bytesOf(50_000, 1));
  const turn = await cache.turn(URL_A, {});
  const fill = await begin(URL_A, bytesOf(60_000, 2));
  const before = await cache.find(URL_A);
  expect(before.file.size).toBe(50_000);
  before.release();
  await new Promise(setImmediate);
  await fill.commit(undefined);
  expect((await cache.find(URL_A)).file.size).toBe(60_000);
  expect(store.files.size).toBe(3);
  turn();
});

test('what was given up can be gone on with by the next, if it is worth it', async () => {
  await (await begin(URL_A, bytesOf(50_000, 1))).leave(false);
  await (await cache.fill(URL_A, factsOf(URL_A))).leave(true);
  expect(store.files.size).toBe(0);
  await (await begin(URL_A, bytesOf(50_000, 1), { etag: '"x"', of: 80_000 })).leave(true);
  expect(await cache.list()).toEqual([]);
  expect(await cache.size()).toBe(0);
  expect(await cache.find(URL_A)).toBeUndefined();
  expect(await cache.list({ incomplete: true })).toMatchObject([
    { url: URL_A, bytes: 50_000, of: 80_000, incomplete: true },
  ]);
  const from = await cache.interrupted(URL_A);
  expect(from.facts.etag).toBe('"x"');
  const fill = await cache.fill(URL_A, factsOf(URL_A), from);
  expect(fill.bytes).toBe(50_000);
  await fill.write(bytesOf(80_000, 1).subarray(50_000), true);
  await fill.commit(undefined);
  from.release();
  const { file } = await cache.find(URL_A);
  expect(Buffer.from(await file.arrayBuffer()).equals(bytesOf(80_000, 1))).toBe(true);
  expect(await cache.list({ incomplete: true })).toHaveLength(1);

  await (await begin(URL_B, bytesOf(50_000, 1))).leave(true);
  expect(await cache.delete(URL_B)).toBe(true);
  expect(await urls({ incomplete: true })).toEqual([URL_A]);
});

test('without locks nothing is gone on with: it might be what another tab writes', async () => {
  cache = new ModelCache(async () => new KeyedFiles(store, 'models', new Locks(undefined)));
  await (await begin(URL_A, bytesOf(50_000, 1))).leave(true);
  expect(store.files.size).toBe(0);
  expect(await cache.interrupted(URL_A)).toBeUndefined();
});

test('room is made for a file: those used least recently go, its own old copy does not count', async () => {
  for (const url of ['x:1', 'x:2', 'x:3']) await keep(url, bytesOf(100, 1));
  expect(await cache.makeRoom('x:4', 100, 300, ['x:1', 'x:4'])).toBe(true);
  expect(await urls()).toEqual(['x:1', 'x:3']);
  expect(await cache.makeRoom('x:3', 150, 250, [])).toBe(true);
  expect(await urls()).toEqual(['x:1', 'x:3']);
  expect(await cache.makeRoom('x:5', 150, 200, ['x:1'])).toBe(false);
  expect(await cache.makeRoom('x:5', 500, 400, [])).toBe(false);
});

test('a file that another tab loads or downloads is not removed', async () => {
  await keep(URL_A, bytesOf(100, 1));
  const held = await cache.find(URL_A);
  const turn = await cache.turn(URL_B, {});
  await (await begin(URL_B, bytesOf(100, 1))).leave(true);
  const other = tab();
  expect(await other.makeRoom('x:1', 1, 1, [])).toBe(false);
  await other.clear();
  expect(await urls({ incomplete: true })).toEqual([URL_A, URL_B]);
  held.release();
  turn();
  await new Promise(setImmediate);
  expect(await other.makeRoom('x:1', 1, 1, [])).toBe(true);
  expect(store.files.size).toBe(0);
});

test('an entry whose facts are damaged or whose bytes are gone does not count', async () => {
  await keep(URL_A, bytesOf(100, 1));
  const names = [...store.files.keys()];
  const facts = names.find((name) => name.endsWith('-facts'));
  const data = names.find((name) => name.includes('data'));
  const sound = store.files.get(facts);
  const other = JSON.stringify({ key: URL_B, url: URL_B });
  for (const damaged of ['', '{', 'null', '[]', '7', '{"key":7}', sound.subarray(1), other]) {
    store.files.set(facts, Buffer.from(damaged));
    expect(await cache.find(URL_A)).toBeUndefined();
    expect(await cache.find(URL_B)).toBeUndefined();
    if (damaged !== other) expect(await cache.list()).toEqual([]);
  }
  store.files.set(facts, sound);
  expect(await cache.list()).toHaveLength(1);
  store.files.set(data, Buffer.alloc(99));
  expect(await cache.find(URL_A)).toBeUndefined();
  expect(await cache.size()).toBe(0);
  expect(space.names).toEqual([]);
});

test('a full quota is cache_unavailable, says so, and leaves nothing', async () => {
  store.quota = 70_000;
  const error = await rejection(keep(URL_A, bytesOf(100_000, 1)));
  expect([error.name, error.code]).toEqual(['ModelError', 'cache_unavailable']);
  expect(error.message).toMatch(/quota/);
  expect(store.files.size).toBe(0);
});

test('without storage every call is cache_unavailable', async () => {
  for (const call of [
    modelCache.list(),
    modelCache.size(),
    modelCache.clear(),
    modelCache.delete(URL_A),
  ]) {
    const error = await rejection(call);
    expect([error.name, error.code]).toEqual(['ModelError', 'cache_unavailable']);
  }
});
