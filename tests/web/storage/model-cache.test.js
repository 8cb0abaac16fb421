// SPDX-License-Identifier: MIT
import { createHash } from 'node:crypto';
import { ModelError } from '../../../build/web/errors.js';
import { ModelCache, modelCache } from '../../../build/web/storage/models.js';
import { MemoryStore } from '../../support/memory-store.js';
import { rejection } from '../../support/rejection.js';

const URL_A = 'https://example.org/a.gguf';
const URL_B = 'https://example.org/b.gguf?download=1';
let store;
let cache;
beforeEach(() => {
  store = new MemoryStore();
  cache = new ModelCache(async () => store);
});

async function keep(url, bytes, facts = {}) {
  const fill = await cache.fill(url);
  for (let at = 0; at < bytes.length; at += 30_000)
    await fill.write(bytes.subarray(at, at + 30_000));
  await fill.commit(facts);
}

const bytesOf = (size, seed) => Uint8Array.from({ length: size }, (_, i) => (i * seed) & 255);

test('keeps files by URL, tells what it has, and forgets them', async () => {
  expect(await cache.list()).toEqual([]);
  await keep(URL_A, bytesOf(100_000, 3), { etag: '"x"' });
  await keep(URL_B, bytesOf(5, 7));
  const entries = await cache.list();
  expect(entries.map(({ url, bytes, etag }) => [url, bytes, etag])).toEqual([
    [URL_A, 100_000, '"x"'],
    [URL_B, 5, undefined],
  ]);
  expect(Math.abs(Date.parse(entries[0].date) - Date.now())).toBeLessThan(60_000);
  expect(await cache.size()).toBe(100_005);
  const { file, entry } = await cache.find(`${URL_A}#part`);
  expect(entry.url).toBe(URL_A);
  expect(Buffer.from(await file.arrayBuffer()).equals(bytesOf(100_000, 3))).toBe(true);
  expect(await cache.delete(URL_A)).toBe(true);
  expect(await cache.delete(URL_A)).toBe(false);
  expect(await cache.find(URL_A)).toBeUndefined();
  expect(await cache.size()).toBe(5);
  await cache.clear();
  expect(await cache.list()).toEqual([]);
  expect(store.files.size).toBe(0);
});

test('names files by the SHA-256 of the URL without fragment', async () => {
  await keep(`${URL_A}#fragment`, bytesOf(5, 1));
  const key = createHash('sha256').update(URL_A).digest('hex');
  expect([...store.files.keys()].every((name) => name.startsWith(key))).toBe(true);
});

test('replaces an entry in one step, and removes the old file', async () => {
  await keep(URL_A, bytesOf(50_000, 1));
  const fill = await cache.fill(URL_A);
  await fill.write(bytesOf(60_000, 2));
  expect((await cache.find(URL_A)).file.size).toBe(50_000);
  await fill.commit({});
  expect((await cache.find(URL_A)).file.size).toBe(60_000);
  expect(store.files.size).toBe(2);
});

test('shows nothing of a file that was given up', async () => {
  const fill = await cache.fill(URL_A);
  await fill.write(bytesOf(50_000, 1));
  expect(await cache.list()).toEqual([]);
  await fill.abort();
  expect(store.files.size).toBe(0);
});

test('two tabs may store the same file at once', async () => {
  const [one, two] = [await cache.fill(URL_A), await cache.fill(URL_A)];
  await one.write(bytesOf(100, 1));
  await two.write(bytesOf(200, 1));
  await one.commit({});
  expect((await cache.find(URL_A)).file.size).toBe(100);
  await two.commit({});
  expect((await cache.find(URL_A)).file.size).toBe(200);
  expect(store.files.size).toBe(2);
});

test('a tab that dies at any write leaves a whole entry or none', async () => {
  const old = bytesOf(40_000, 5);
  const fresh = bytesOf(50_000, 9);
  const seen = new Set();
  for (const before of [undefined, old]) {
    for (let budget = 0; budget < 40; budget++) {
      store = new MemoryStore();
      if (before) await keep(URL_A, before);
      store.budget = budget;
      await keep(URL_A, fresh).catch((error) => {
        expect(error).toBeInstanceOf(ModelError);
      });
      store.revive();
      const found = await cache.find(URL_A);
      const content = found && Buffer.from(await found.file.arrayBuffer());
      const outcome = !content
        ? 'none'
        : content.equals(fresh)
          ? 'new'
          : content.equals(old)
            ? 'old'
            : 'torn';
      expect(outcome).not.toBe('torn');
      seen.add(`${before ? 'over an old one' : 'first'}: ${outcome}`);
      expect((await cache.list()).length).toBe(found ? 1 : 0);
      await keep(URL_A, fresh);
      expect(store.files.size).toBe(2);
      await cache.clear();
      expect(store.files.size).toBe(0);
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'first: none',
      'first: new',
      'over an old one: old',
      'over an old one: new',
    ]),
  );
});

test('an entry with a damaged record or a file of another size does not count', async () => {
  await keep(URL_A, bytesOf(100, 1));
  const names = [...store.files.keys()];
  const record = names.find((name) => name.endsWith('.json'));
  const data = names.find((name) => name !== record);
  const sound = store.files.get(record);
  for (const damaged of [
    '',
    '{',
    'null',
    '[]',
    '{"file":7}',
    sound.subarray(0, sound.length - 1),
    '{"url":"x","bytes":1,"file":"none"}',
  ]) {
    store.files.set(record, Buffer.from(damaged));
    expect(await cache.find(URL_A)).toBeUndefined();
    expect(await cache.list()).toEqual([]);
  }
  store.files.set(record, sound);
  expect(await cache.find(URL_A)).toBeDefined();
  store.files.set(data, Buffer.alloc(99));
  expect(await cache.find(URL_A)).toBeUndefined();
  expect(await cache.size()).toBe(0);
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
