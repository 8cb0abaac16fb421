// SPDX-License-Identifier: MIT
import { ModelError } from '../../../build/web/errors.js';
import { KeyedFiles } from '../../../build/web/storage/keyed-files.js';
import { SessionStore } from '../../../build/web/storage/sessions.js';
import { MemoryStore } from '../../support/memory-store.js';

let memory;
let store;
beforeEach(() => {
  memory = new MemoryStore();
  store = new SessionStore(async () => new KeyedFiles(memory, 'sessions'));
});

const bytes = (seed) => Uint8Array.from({ length: 30_000 }, (_, i) => (i * seed) % 251);
const read = async (name) => (await store.read(name)).map((found) => [...found]);

test('keeps the latest of each name, whatever is in a name', async () => {
  await store.save('a/b ~+ ü', bytes(1));
  await store.save('漢'.repeat(64), bytes(2));
  await store.save('\ud800', bytes(2));
  await store.save('a/b ~+ ü', bytes(3));
  expect(await read('a/b ~+ ü')).toEqual([[...bytes(3)]]);
  expect(await read('漢'.repeat(64))).toEqual([[...bytes(2)]]);
  expect(await read('none')).toEqual([]);
  const list = await store.list();
  expect(list.map(({ name }) => name)).toEqual(['漢'.repeat(64), '\ud800', 'a/b ~+ ü']);
  expect(list.every((entry) => entry.bytes === 30_000)).toBe(true);
  expect(new Date(list[0].date).getTime()).toBeGreaterThan(Date.now() - 60_000);
});

test('a read looks again where another tab saves between the look and the read', async () => {
  await store.save('chat', bytes(1));
  const files = new KeyedFiles(memory, 'sessions');
  let saves = 2;
  const versions = files.versions.bind(files);
  files.versions = async (key) => {
    const found = await versions(key);
    if (saves-- > 0) await store.save('chat', bytes(saves + 2));
    return found;
  };
  const reader = new SessionStore(async () => files);
  expect((await reader.read('chat')).map((found) => [...found])).toEqual([[...bytes(2)]]);
  expect(await reader.read('none')).toEqual([]);
});

test('a save that a crash interrupts anywhere leaves the one before it', async () => {
  await store.save('chat', bytes(1));
  let crashes = 0;
  for (let budget = 0; ; budget++) {
    memory.budget = budget;
    const failed = await store.save('chat', bytes(2)).then(
      () => false,
      () => true,
    );
    const died = memory.budget < 0;
    memory.revive();
    const [latest] = await read('chat');
    expect(failed ? [1, 2] : [2]).toContain(latest[1]);
    expect((await store.list()).map(({ name }) => name)).toEqual(['chat']);
    await store.save('chat', bytes(1));
    if (!died) break;
    crashes++;
  }
  expect(crashes).toBeGreaterThan(5);
  // And nothing of the interrupted ones stays.
  expect(memory.files.size).toBe(3);
});

test('removes', async () => {
  await store.save('a', bytes(1));
  await store.save('b', bytes(1));
  expect(await store.delete('a')).toBe(true);
  expect(await store.delete('a')).toBe(false);
  await store.clear();
  expect(await store.list()).toEqual([]);
});

test('says what is wrong', async () => {
  await expect(store.save('', bytes(1))).rejects.toThrow(RangeError);
  await expect(store.save('x'.repeat(65), bytes(1))).rejects.toThrow(RangeError);
  await expect(store.read(7)).rejects.toThrow(TypeError);
  await store.save('a', bytes(1));
  memory.quota = 45_000;
  const error = await store.save('a', bytes(2)).catch((reason) => reason);
  expect(error).toBeInstanceOf(ModelError);
  expect(error.code).toBe('cache_unavailable');
  expect(error.message).toMatch('quota');
  expect(await read('a')).toEqual([[...bytes(1)]]);
});
