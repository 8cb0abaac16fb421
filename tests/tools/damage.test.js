// SPDX-License-Identifier: MIT

import { headerFlips, hostileHeaders, truncations } from '../../tools/damage.mjs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { makeModel } from '../../tools/make-model.mjs';

const model = makeModel();
const { headerEnd } = openGguf(model);

function verdict(bytes) {
  try {
    openGguf(bytes).close();
    return 'loaded';
  } catch (error) {
    return error.constructor.name;
  }
}

test('every cut file is shorter than the sound one, and none loads', () => {
  const cuts = [...truncations(model, 40)];
  expect(cuts.length).toBeGreaterThan(30);
  expect(cuts[0].bytes).toHaveLength(0);
  expect(cuts.filter(({ bytes }) => bytes.length < headerEnd).length).toBeGreaterThan(10);
  expect(cuts.filter(({ bytes }) => bytes.length > headerEnd).length).toBeGreaterThan(10);
  expect(new Set(cuts.map(({ bytes }) => bytes.length)).size).toBe(cuts.length);
  for (const { bytes } of cuts) {
    expect(bytes.length).toBeLessThan(model.length);
    expect(verdict(bytes)).toBe('RangeError');
  }
});

test('flips change one byte of the header, always the same for a seed', () => {
  const untouched = Buffer.from(model);
  const flips = (seed) => [...headerFlips(model, headerEnd, 20, seed)];
  for (const { bytes } of flips(1)) {
    const changed = [];
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== model[i]) changed.push(i);
    expect(changed).toHaveLength(1);
    expect(changed[0]).toBeLessThan(headerEnd);
    expect(['loaded', 'RangeError']).toContain(verdict(bytes));
  }
  expect(flips(1).map(({ name }) => name)).toEqual(flips(1).map(({ name }) => name));
  expect(flips(1).map(({ name }) => name)).not.toEqual(flips(2).map(({ name }) => name));
  expect(untouched.equals(model)).toBe(true);
});

test('no file with a hostile header loads', () => {
  expect(verdict(model)).toBe('loaded');
  const verdicts = Object.fromEntries(
    Array.from(hostileHeaders(model), ({ name, bytes }) => [name, verdict(bytes)]),
  );
  expect(Object.keys(verdicts).length).toBeGreaterThan(40);
  expect(Object.entries(verdicts).filter(([, outcome]) => outcome !== 'RangeError')).toEqual([]);
});
