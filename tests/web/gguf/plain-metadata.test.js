// SPDX-License-Identifier: MIT
import { PostedMetadata, plainMetadata } from '../../../build/web/gguf/plain-metadata.js';
import { TextColumn } from '../../../build/web/gguf/text-column.js';

const TEXTS = ['', 'a', 'é', '漢字', '😀'];
const header = () =>
  new Map([
    ['general.name', 'a model'],
    ['general.size', 2n ** 60n],
    ['numbers', [1, 2, 3]],
    ['tokens', TextColumn.of(TEXTS)],
    ['merges', TextColumn.of(['a b', 'c d'])],
  ]);
const PLAIN = [
  ['general.name', 'a model'],
  ['general.size', 2n ** 60n],
  ['numbers', [1, 2, 3]],
  ['tokens', TEXTS],
  ['merges', ['a b', 'c d']],
];
const posted = () => new PostedMetadata(structuredClone(header()));

test('texts become an array', () => {
  expect(plainMetadata(header())).toEqual(new Map(PLAIN));
});

test('what was posted is the same in every way in which a map is read', () => {
  expect(posted().get('tokens')).toEqual(TEXTS);
  expect(posted().get('general.name')).toBe('a model');
  expect(posted().get('nothing')).toBeUndefined();
  expect(posted().has('merges')).toBe(true);
  expect(posted().size).toBe(PLAIN.length);
  expect([...posted()]).toEqual(PLAIN);
  expect([...posted().entries()]).toEqual(PLAIN);
  expect([...posted().keys()]).toEqual(PLAIN.map(([key]) => key));
  expect([...posted().values()]).toEqual(PLAIN.map(([, value]) => value));
  expect(new Map(posted())).toEqual(new Map(PLAIN));
  const seen = [];
  const self = {};
  const map = posted();
  map.forEach(function use(value, key, of) {
    seen.push([key, value]);
    expect(this).toBe(self);
    expect(of).toBe(map);
  }, self);
  expect(seen).toEqual(PLAIN);
});

test('what was asked for once is decoded once, and can be changed', () => {
  const map = posted();
  expect(map.get('tokens')).toBe(map.get('tokens'));
  map.set('tokens', 'other');
  expect(map.get('tokens')).toBe('other');
});
