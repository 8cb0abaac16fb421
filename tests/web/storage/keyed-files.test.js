// SPDX-License-Identifier: MIT
// Entries that are replaced in one step, whatever is interrupted, and tabs that take turns.
import { nameOf, nextId } from '../../../build/web/storage/file-names.js';
import { KeyedFiles } from '../../../build/web/storage/keyed-files.js';
import { Locks } from '../../../build/web/storage/locks.js';
import { LockSpace } from '../../support/fake-locks.js';
import { MemoryStore } from '../../support/memory-store.js';

let disk;
let space;
beforeEach(() => {
  disk = new MemoryStore();
  space = new LockSpace();
});

/** A tab that has just been opened. */
function tab() {
  const manager = space.tab();
  return { files: new KeyedFiles(disk, 'things', new Locks(manager)), manager };
}

const bytesOf = (size, seed = 1) => Uint8Array.from({ length: size }, (_, i) => (i * seed) % 251);
const read = async (files, key) => {
  const [version] = await files.versions(key);
  return version && files.read(version);
};
const same = (a, b) => Buffer.from(a).equals(Buffer.from(b));
const keys = async (files) => (await files.list()).map(({ key }) => key);

test('keeps facts and bytes by key', async () => {
  const { files } = tab();
  await files.put('a', { name: 'one' }, bytesOf(500, 3));
  await files.put('b', {}, bytesOf(0));
  await files.put('a', { name: 'two' }, bytesOf(7, 5));
  expect(await read(files, 'a')).toEqual(bytesOf(7, 5));
  expect(await read(files, 'b')).toEqual(bytesOf(0));
  const [a] = await files.versions('a');
  expect(await files.facts(a)).toEqual({ name: 'two' });
  expect(await files.versions('c')).toEqual([]);
  expect(await files.remove('a')).toBe(true);
  expect(await files.remove('a')).toBe(false);
  expect(await keys(files)).toEqual(['b']);
  await files.clear();
  expect([...disk.files.keys()]).toEqual([]);
  expect(space.names).toEqual([]);
});

test('pieces are read at once as the one file that they are, or not at all', async () => {
  const { files } = tab();
  const bytes = bytesOf(100_000, 7);
  const writing = await files.begin('a');
  for (const [from, to] of [
    [0, 40_000],
    [40_000, 40_001],
    [40_001, 100_000],
  ]) {
    await writing.write(bytes.subarray(from, to));
    await writing.note({});
  }
  await writing.finish({});
  const [version] = await files.versions('a');
  expect(version.pieces).toBe(3);
  const file = await files.openSync(version);
  expect(file.size).toBe(100_000);
  for (const [at, count] of [
    [0, 100_000],
    [39_999, 3],
    [40_001, 50],
    [99_999, 10],
    [100_000, 10],
  ]) {
    const to = new Uint8Array(count);
    const filled = file.read(to, at);
    expect(filled).toBe(Math.min(count, 100_000 - at));
    expect(same(to.subarray(0, filled), bytes.subarray(at, at + count))).toBe(true);
  }
  file.close();
  expect(disk.closed).toBe(3);
  const last = nameOf.data('a', version.id, 2);
  disk.files.set(last, disk.files.get(last).subarray(1));
  expect(await files.openSync(version)).toBeUndefined();
  disk.files.delete(last);
  expect(await files.openSync(version)).toBeUndefined();
  expect(disk.closed).toBe(8);
});

test.each([
  ['with locks', () => tab()],
  ['without', () => ({ files: new KeyedFiles(disk, 'things', new Locks(undefined)) })],
])('a tab that dies at any step leaves one version or the other (%s)', async (_, open) => {
  const [old, fresh] = [bytesOf(40_000, 5), bytesOf(50_000, 9)];
  const seen = new Set();
  for (const before of [undefined, old]) {
    for (let budget = 0; ; budget++) {
      disk = new MemoryStore();
      if (before) await open().files.put('a', { of: 'old' }, before);
      const { files, manager } = open();
      disk.budget = budget;
      const saved = await files.put('a', { of: 'fresh' }, fresh).then(
        () => true,
        () => false,
      );
      const died = disk.budget < 0;
      disk.revive();
      if (manager) space.kill(manager);

      const next = open().files;
      const found = await read(next, 'a');
      const whole = [fresh, ...(saved || !before ? [] : [before])];
      if (saved || found) expect(whole.some((one) => same(one, found))).toBe(true);
      seen.add(`${before ? 'over an old one' : 'first'}: ${found ? found.length : 'none'}`);
      expect(await keys(next)).toEqual(found ? ['a'] : []);
      // Nothing stays of what was interrupted.
      await next.put('a', {}, fresh);
      expect(disk.files.size).toBe(2);
      if (!died) break;
    }
  }
  expect([...seen].sort()).toEqual([
    'first: 50000',
    'first: none',
    'over an old one: 40000',
    'over an old one: 50000',
  ]);
});

test("the copies that a browser's end leaves of what it wrote are rubbish", async () => {
  const { files } = tab();
  await files.put('a', {}, bytesOf(10));
  const [version] = await files.versions('a');
  disk.files.set(`${nameOf.data('a', version.id, 0)}.crswap`, bytesOf(4));
  disk.files.set(`${nameOf.data('a', nextId([version]), 0)}.crswap`, bytesOf(5));
  disk.files.set(`${nameOf.record('b', nextId([]), true, 1, 6)}.crswap`, bytesOf(6));
  expect(await keys(files)).toEqual(['a']);
  expect(await read(files, 'a')).toEqual(bytesOf(10));
  await files.put('a', {}, bytesOf(20));
  expect(disk.files.size).toBe(2);
  expect(await read(files, 'a')).toEqual(bytesOf(20));
});

test('what another tab writes or reads stays, and goes when it is done', async () => {
  const [one, two] = [tab().files, tab().files];
  await one.put('a', {}, bytesOf(10));
  const [version] = await one.versions('a');
  const release = await one.hold(version);
  const turn = await one.turn('b');
  const writing = await one.begin('b');
  await writing.write(bytesOf(100));
  await writing.note({});
  await two.put('c', {}, bytesOf(10));
  await two.clear();
  await two.shrink(0);
  expect(await keys(two)).toEqual(['a']);
  await writing.finish({});
  turn();
  expect((await keys(two)).sort()).toEqual(['a', 'b']);
  // Removed on purpose it is no entry any more, but its reader has its bytes.
  const blob = await one.open(version);
  expect(await two.remove('a')).toBe(true);
  expect(await keys(two)).toEqual(['b']);
  expect(await blob.arrayBuffer()).toEqual(bytesOf(10).buffer);
  release();
  await two.clear();
  expect(disk.files.size).toBe(0);
});

test('two tabs that write a key take turns', async () => {
  const tabs = Array.from({ length: 4 }, () => tab().files);
  await Promise.all(tabs.map((files, i) => files.put('a', { i }, bytesOf(20_000, i + 1))));
  expect(disk.files.size).toBe(3);
  const [version] = await tabs[0].versions('a');
  const { i } = await tabs[0].facts(version);
  expect(same(await read(tabs[1], 'a'), bytesOf(20_000, i + 1))).toBe(true);
});

test('what was noted can be gone on with, and the rest goes', async () => {
  const first = tab();
  const turn = await first.files.turn('a');
  const writing = await first.files.begin('a');
  await writing.write(bytesOf(1000).subarray(0, 300));
  await writing.note({ step: 1 });
  await writing.write(bytesOf(1000).subarray(300, 400));
  space.kill(first.manager);
  disk.revive();
  turn();

  const { files } = tab();
  expect(await files.list()).toEqual([]);
  const [version] = await files.interrupted();
  expect(version).toMatchObject({ key: 'a', bytes: 300, whole: false });
  expect(await files.facts(version)).toEqual({ step: 1 });
  expect(await files.read(version)).toEqual(bytesOf(1000).slice(0, 300));
  const again = await files.begin('a', version);
  await again.write(bytesOf(1000).subarray(300));
  await again.leave({ step: 2 });
  const [later] = await files.interrupted();
  expect(later).toMatchObject({ bytes: 1000, id: version.id });
  await (await files.begin('a', later)).finish({ step: 3 });
  expect(await files.interrupted()).toEqual([]);
  expect(await read(files, 'a')).toEqual(bytesOf(1000));
  await files.put('a', {}, bytesOf(5));
  expect(disk.files.size).toBe(2);
});

test('those used least recently go first, but none that is spared', async () => {
  const { files } = tab();
  for (const key of ['a', 'b', 'c', 'd']) await files.put(key, {}, bytesOf(100));
  await files.use((await files.versions('a'))[0]);
  await files.use((await files.versions('b'))[0]);
  expect(await keys(files)).toEqual(['c', 'd', 'a', 'b']);
  expect(await files.shrink(350)).toBe(true);
  expect(await keys(files)).toEqual(['d', 'a', 'b']);
  expect(await files.shrink(100, ['a', 'd'])).toBe(false);
  expect(await keys(files)).toEqual(['d', 'a']);
  expect(await files.shrink(100, ['a'])).toBe(true);
  expect(await keys(files)).toEqual(['a']);
  // Of marks there is one for each at most.
  await files.put('z', {}, bytesOf(1));
  for (let i = 0; i < 5; i++) {
    for (const key of ['a', 'z']) await files.use((await files.versions(key))[0]);
  }
  expect([...disk.files.keys()].filter((name) => name.includes('used'))).toHaveLength(2);
});

test('names that another version of this package wrote are left alone until all is cleared', async () => {
  const strange = ['note.txt', 'a+1-x+kind7', 'a+1-x+whole1', '++', 'x'.repeat(100)];
  for (const name of strange) disk.files.set(name, Buffer.alloc(9));
  const { files } = tab();
  await files.put('a', {}, bytesOf(10));
  await files.shrink(0);
  expect(await keys(files)).toEqual([]);
  expect([...disk.files.keys()].sort()).toEqual([...strange].sort());
  await files.clear();
  expect(disk.files.size).toBe(0);
});

test('bytes that are gone, or more or fewer than were stored, are no version to read', async () => {
  const { files } = tab();
  await files.put('a', {}, bytesOf(10));
  const [version] = await files.versions('a');
  const [data] = [...disk.files.keys()].filter((name) => name.includes('data'));
  for (const size of [0, 9, 11]) {
    disk.files.set(data, Buffer.alloc(size));
    expect(await files.open(version)).toBeUndefined();
  }
  disk.files.delete(data);
  expect(await files.open(version)).toBeUndefined();
  expect(await files.read(version)).toBeUndefined();
});

test('who waits for a turn can be aborted, and who has it is not', async () => {
  const [one, two] = [tab().files, tab().files];
  const turn = await one.turn('a');
  expect(await two.turn('a', { ifFree: true })).toBeUndefined();
  const aborter = new AbortController();
  const waiting = two.turn('a', { signal: aborter.signal });
  aborter.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  await expect(two.turn('a', { signal: aborter.signal })).rejects.toBe('enough');
  const next = two.turn('a');
  turn();
  (await next)();
  await new Promise(setImmediate);
  expect(space.names).toEqual([]);
});

test('what was whole only after another tab had looked is not taken for rubbish', async () => {
  const one = tab().files;
  const release = await one.turn('a');
  const writing = await one.begin('a');
  await writing.write(bytesOf(300, 7));
  const other = tab().files;
  const looked = disk.names.bind(disk);
  disk.names = async () => {
    const names = await looked();
    disk.names = looked;
    // Between the other's look and its turn.
    await writing.finish({});
    release();
    return names;
  };
  await other.shrink(Number.POSITIVE_INFINITY);
  expect(await read(other, 'a')).toEqual(bytesOf(300, 7));
  await other.shrink(0);
  expect([...disk.files.keys()]).toEqual([]);
  expect(space.names).toEqual([]);
});
