// SPDX-License-Identifier: MIT
// Where files lie in browsers that let pages and workers do different things.
import { openFiles } from '../../../build/web/storage/open-files.js';
import { enter, Origin } from '../../support/fake-browser.js';
import { rejection } from '../../support/rejection.js';

let origin;
let leave = () => {};
beforeEach(() => {
  origin = new Origin();
});
afterEach(() => leave());

async function within(context, work) {
  leave = enter(origin, context);
  try {
    return await work(await openFiles('models'));
  } finally {
    leave();
    leave = () => {};
  }
}

const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251);
const put = (key) => (files) => files.put(key, { key }, bytes);
const seen = async (files) => {
  const versions = await files.list();
  for (const version of versions) {
    expect(await files.facts(version)).toEqual({ key: version.key });
    expect(Buffer.from(await files.read(version)).equals(bytes)).toBe(true);
  }
  return versions.map(({ key }) => key).sort();
};
const inFolder = () => [...(origin.folders.get('fastweights-models-2') ?? [])].length;
const inCache = () => [...(origin.caches.get('fastweights-models-2') ?? [])].length;

const BROWSERS = {
  'pages and workers write files': [{ writable: true }, { writable: true, sync: true }, 6, 0],
  'only workers write files': [{}, { sync: true }, 3, 3],
  'files are for reading only': [{}, {}, 0, 6],
  'there are no files': [{ files: false }, { files: false }, 0, 6],
  'there is no Cache API': [
    { writable: true, responses: false },
    { sync: true, responses: false },
    6,
    0,
  ],
};

describe.each(Object.entries(BROWSERS))('where %s', (_, [inPage, inWorker, files, responses]) => {
  const page = { page: true, ...inPage };

  test('what either keeps, both list, read and remove', async () => {
    await within(page, put('a'));
    await within(inWorker, put('b'));
    expect([inFolder(), inCache()]).toEqual([files, responses]);
    for (const context of [page, inWorker]) expect(await within(context, seen)).toEqual(['a', 'b']);
    expect(await within(page, (stored) => stored.remove('b'))).toBe(true);
    expect(await within(inWorker, (stored) => stored.remove('a'))).toBe(true);
    expect(await within(inWorker, seen)).toEqual([]);
    expect([inFolder(), inCache()]).toEqual([0, 0]);
  });

  test('one replaces what the other kept, and clears all', async () => {
    await within(inWorker, put('a'));
    await within(page, put('a'));
    await within(inWorker, put('a'));
    expect(await within(page, seen)).toEqual(['a']);
    expect(inFolder() + inCache()).toBe(3);
    await within(page, (stored) => stored.clear());
    expect(inFolder() + inCache()).toBe(0);
  });
});

test('a page that can only read files still lists and removes those of its workers', async () => {
  const page = { page: true, responses: false };
  await within({ sync: true }, put('a'));
  expect(await within(page, seen)).toEqual(['a']);
  expect((await rejection(within(page, put('b')))).code).toBe('cache_unavailable');
  expect(await within(page, (stored) => stored.remove('a'))).toBe(true);
});

test('where files can be written, no empty cache is made', async () => {
  await within({ page: true, writable: true }, seen);
  expect([...origin.caches.keys()]).toEqual([]);
});

test('where there is neither, that is said', async () => {
  const error = await rejection(within({ page: true, files: false, responses: false }, put('a')));
  expect([error.name, error.code]).toEqual(['ModelError', 'cache_unavailable']);
});
