// SPDX-License-Identifier: MIT
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkFeatures } from '../../tools/check-features.mjs';
import { longTable, shortTable } from '../../tools/features/tables.mjs';

const root = mkdtempSync(join(tmpdir(), 'features-'));
afterAll(() => rmSync(root, { recursive: true }));

const MARKS = [
  '<!-- features: made of docs/features.json by `node tools/check-features.mjs --write` -->',
  '<!-- end of features -->',
];

const features = (own, other) => ({
  date: '2026-11-23',
  ours: { own: 'own API', other: 'Other' },
  peers: { peer: { name: 'peer 1.0', by: 'its declarations' } },
  rows: [
    { group: 'Text' },
    { want: 'Text | streamed', short: true, own, other, peer: { part: 'by callback' } },
  ],
});

const write = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** What is wrong with documents that have the tables of `shown`, where the source is `given`. */
function check(given, shown = given) {
  write('docs/features.json', JSON.stringify(given));
  const between = (table) => `# Title\n${MARKS[0]}\n${table}\n${MARKS[1]}\n`;
  write('docs/comparison.md', between(longTable(shown)));
  write('README.md', between(shortTable(shown)));
  write('tests/a.test.js', "test('one', () => {});\ntest.each([1])('each %i', () => {});\n");
  return checkFeatures(root);
}

const YES = { yes: ['tests/a.test.js', 'one'] };

test('tests that exist, and tables of their source, are in order', async () => {
  expect(await check(features(YES, { like: 'own' }))).toEqual([]);
  const each = { part: 'some', test: ['tests/a.test.js', 'each %i'] };
  expect(await check(features(each, 'no'))).toEqual([]);
});

test.each([
  [{ yes: ['tests/a.test.js', 'two'] }, 'no', "tests/a.test.js has no test 'two'"],
  [{ yes: ['tests/b.test.js', 'one'] }, 'no', "tests/b.test.js has no test 'one'"],
  ['yes', 'no', 'names no test'],
  [{ part: 'some' }, 'no', 'names no test'],
  ['no', { like: 'own' }, 'names no test'],
])('%j and %j are told of', async (own, other, words) => {
  expect((await check(features(own, other))).join('\n')).toContain(words);
});

test('a table that is not of its source is told of', async () => {
  const wrong = await check(features(YES, 'no'), features('no', 'no'));
  expect(wrong).toHaveLength(2);
  for (const line of wrong) expect(line).toContain('another table');
});
