// SPDX-License-Identifier: MIT
// Prefixes without models: which is found, which goes, and what a storage may do to them.

import { PrefixStore, prefixId } from '../../../build/web/engine/prefix-store.js';
import { KeyedFiles } from '../../../build/web/storage/keyed-files.js';
import { PrefixFiles } from '../../../build/web/storage/prefixes.js';
import { MemoryStore } from '../../support/memory-store.js';

const FLOATS = 250;
/** As the store counts it. */
const HELD = 4 * FLOATS + 4 * 10;
const FINGERPRINT = `${'ab'.repeat(32)}-stored-f32`;

let disk;
beforeEach(() => {
  disk = new MemoryStore();
});

const ids = (seed, count = 10) => Array.from({ length: count }, (_, i) => (i * i + seed) % 1000);
const prefix = (tokens, value = tokens[0]) => ({
  ids: Int32Array.from(tokens),
  arrays: new Map([['state', new Float32Array(FLOATS).fill(value)]]),
});
const files = (most = Infinity, fingerprint = FINGERPRINT) =>
  new PrefixFiles(new KeyedFiles(disk, 'prefixes'), most, async () => fingerprint);
/** A page that has just been opened. */
const page = (options = {}) => {
  const { memory = Infinity, stored = Infinity, fingerprint } = options;
  return new PrefixStore(memory, files(stored, fingerprint));
};
const found = async (store, tokens) => (await store.find(tokens))?.arrays.get('state')[0];
/** Bytes of one file. */
const fileBytes = async () => {
  const measured = new MemoryStore();
  const keyed = new KeyedFiles(measured, 'prefixes');
  const one = new PrefixFiles(keyed, Infinity, async () => FINGERPRINT);
  await one.write(prefixId(ids(1)), prefix(ids(1)));
  return [...measured.files.values()][0].length;
};
const names = (pattern) => [...disk.files.keys()].filter((name) => pattern.test(name));

/** Two texts of one name. */
const ALIKE = [
  [529, 667, 15, 999, 25, 721],
  [691, 818, 999, 770, 785, 362],
];

describe.each([
  ['in memory', () => new PrefixStore(Infinity, undefined)],
  ['in files', () => page({ memory: 0 })],
  ['in both', () => page()],
])('%s', (_, make) => {
  test('the longest beginning is found', async () => {
    const store = make();
    const text = ids(5, 300);
    for (const count of [3, 200, 40]) await store.add(prefix(text.slice(0, count), count));
    expect(await found(store, text)).toBe(200);
    expect(await found(store, text.slice(0, 200))).toBe(200);
    expect(await found(store, text.slice(0, 199))).toBe(40);
    expect(await found(store, [...text.slice(0, 39), 1000])).toBe(3);
    expect(await found(store, text.slice(0, 2))).toBeUndefined();
    expect(await found(store, [])).toBeUndefined();
    expect(await found(store, ids(6, 300))).toBeUndefined();
    expect((await store.list()).map(({ tokens }) => tokens).sort()).toEqual([200, 3, 40]);
  });

  test('a text of the same name is not taken for it', async () => {
    const store = make();
    const [one, other] = ALIKE;
    expect(prefixId(one)).toBe(prefixId(other));
    await store.add(prefix(one, 1));
    expect(await found(store, other)).toBeUndefined();
    expect(await found(store, one)).toBe(1);
    expect(await found(store, [...other, 5])).toBeUndefined();
  });

  test('is deleted', async () => {
    const store = make();
    const { id } = await store.add(prefix(ids(1)));
    await store.add(prefix(ids(2)));
    expect(await store.delete(id)).toBe(true);
    expect(await store.delete(id)).toBe(false);
    expect(await found(store, ids(1))).toBeUndefined();
    expect(await found(store, ids(2))).toBe(2);
    expect(await store.delete()).toBe(true);
    expect(await store.delete()).toBe(false);
    expect(await store.list()).toEqual([]);
    expect(store.bytes).toBe(0);
    expect(disk.files.size).toBe(0);
  });
});

test('memory holds no more bytes than it may; what was used last stays', async () => {
  const store = new PrefixStore(3 * HELD, undefined);
  for (const seed of [1, 2, 3]) await store.add(prefix(ids(seed)));
  expect(store.bytes).toBe(3 * HELD);
  await found(store, ids(1));
  await store.add(prefix(ids(4)));
  expect(store.bytes).toBe(3 * HELD);
  expect((await store.list()).map(({ tokens }) => tokens)).toEqual([10, 10, 10]);
  expect(await found(store, ids(2))).toBeUndefined();
  for (const seed of [1, 3, 4]) expect(await found(store, ids(seed))).toBe(seed);
  await expect(new PrefixStore(HELD - 1, undefined).add(prefix(ids(1)))).rejects.toThrow(
    /10 tokens takes 1040 bytes/,
  );
});

test('files hold no more bytes than they may; their order outlives the page', async () => {
  const stored = 3 * (await fileBytes()) + 100;
  const first = page({ stored });
  for (const seed of [1, 2, 3]) expect((await first.add(prefix(ids(seed)))).stored).toBe(true);
  await found(first, ids(1));
  await found(page({ stored }), ids(2));
  const second = page({ stored });
  await second.add(prefix(ids(4)));
  expect(names(/\+data/)).toHaveLength(3);
  const third = page({ stored });
  expect((await third.list()).map(({ id }) => id)).toEqual([4, 2, 1].map((n) => prefixId(ids(n))));
  expect(await found(third, ids(3))).toBeUndefined();
  // Of marks there is one for each at most.
  for (let i = 0; i < 5; i++) for (const seed of [1, 2, 4]) await found(third, ids(seed));
  expect(names(/\+used/)).toHaveLength(3);
  // One that is larger than all may be together replaces none.
  const large = page({ memory: Infinity, stored: 500 });
  expect((await large.add(prefix(ids(5)))).stored).toBe(false);
  expect(names(/\+data/)).toHaveLength(3);
});

test('a file that was found once is in memory', async () => {
  await page().add(prefix(ids(1)));
  const store = page();
  expect(store.bytes).toBe(0);
  expect(await found(store, ids(1))).toBe(1);
  expect(store.bytes).toBe(HELD);
  expect(await store.list()).toEqual([
    { id: prefixId(ids(1)), tokens: 10, bytes: HELD, inMemory: true, stored: true },
  ]);
});

test('files of two models share the room and nothing else', async () => {
  const stored = 2 * (await fileBytes()) + 100;
  const [ours, theirs] = [
    page({ stored }),
    page({ stored, fingerprint: `${'cd'.repeat(32)}-stored-f32` }),
  ];
  await ours.add(prefix(ids(1), 7));
  await theirs.add(prefix(ids(1), 8));
  expect(await found(page({ stored }), ids(1))).toBe(7);
  expect(await theirs.delete()).toBe(true);
  expect(await page({ stored }).list()).toHaveLength(1);
  for (const seed of [2, 3]) await theirs.add(prefix(ids(seed)));
  expect(await page({ stored }).list()).toEqual([]);
  // States of the same weights in another form; a fingerprint that only begins alike.
  await ours.add(prefix(ids(1), 7));
  const form = page({ stored, fingerprint: `${'ab'.repeat(32)}-qc8-f32` });
  expect(await found(form, ids(1))).toBeUndefined();
  expect(await found(page({ stored }), ids(1))).toBe(7);
  const alike = `${'ab'.repeat(20)}${'ef'.repeat(12)}-stored-f32`;
  expect(await found(page({ stored, fingerprint: alike }), ids(1))).toBeUndefined();
});

test('a page that dies while it writes leaves what can be read, and no rubbish for long', async () => {
  await page().add(prefix(ids(1)));
  let deaths = 0;
  for (let budget = 0; ; budget++) {
    disk.budget = budget;
    const { stored } = await page().add(prefix(ids(2)));
    const died = disk.budget < 0;
    disk.revive();
    expect(stored).toBe(!died);
    const store = page();
    expect(await found(store, ids(1))).toBe(1);
    expect([2, undefined]).toContain(await found(store, ids(2)));
    if (!died) break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(2);
  expect(names(/\+data/)).toHaveLength(2);
});

test.each([
  ['cut short', (bytes) => bytes.subarray(0, bytes.length - 40)],
  ['empty', () => Buffer.alloc(0)],
  ['damaged', (bytes) => Buffer.from(bytes.map((byte, i) => (i === 600 ? byte ^ 1 : byte)))],
  ['of another kind', () => Buffer.from('Not a prefix at all, but long enough to be looked at.')],
])('a file that is %s is passed over and removed', async (_, change) => {
  const text = ids(1, 50);
  await page().add(prefix(text.slice(0, 20), 20));
  await page().add(prefix(text.slice(0, 40), 40));
  const [name] = names(/-40-.*data/);
  disk.files.set(name, change(disk.files.get(name)));
  expect(await found(page(), text)).toBe(20);
  expect(names(/-40-/)).toEqual([]);
  await page().add(prefix(text.slice(0, 40), 41));
  expect(await found(page(), text)).toBe(41);
});

test('what a file is called proves nothing', async () => {
  await page().add(prefix(ids(1), 1));
  for (const name of names(/./)) {
    const other = name.replace(prefixId(ids(1)), prefixId(ids(2)));
    disk.files.set(other, disk.files.get(name));
  }
  expect(await found(page(), ids(2))).toBeUndefined();
  expect(await found(page(), ids(1))).toBe(1);
});

test('a storage that fails is as none', async () => {
  const store = page();
  await store.add(prefix(ids(1)));
  disk.quota = 0;
  expect(await store.add(prefix(ids(2)))).toMatchObject({ inMemory: true, stored: false });
  await expect(page({ memory: 0 }).add(prefix(ids(2)))).rejects.toMatchObject({
    code: 'cache_unavailable',
    message: expect.stringContaining('quota'),
  });
  expect(names(/\+data/)).toHaveLength(1);
  disk.budget = -1;
  expect(await found(store, ids(2))).toBe(2);
  expect(await found(page(), ids(1))).toBeUndefined();
});

test('pages that write and read at once do each other no harm', async () => {
  const stored = 4 * (await fileBytes()) + 100;
  const pages = Array.from({ length: 4 }, () => page({ stored }));
  const work = async (store, i) => {
    for (let round = 0; round < 6; round++) {
      const seed = 1 + ((i + round) % 5);
      await store.add(prefix(ids(seed)));
      expect(await found(store, ids(seed))).toBe(seed);
    }
  };
  await Promise.all(pages.map(work));
  await page({ stored }).add(prefix(ids(9)));
  const bytes = [...disk.files.values()].reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeLessThanOrEqual(stored);
  expect(await found(page({ stored }), ids(9))).toBe(9);
});
