// SPDX-License-Identifier: MIT

import { table } from '../../tools/bench/peers/report.mjs';
import { run } from '../../tools/bench/peers.mjs';
import { run as runRetry } from '../../tools/bench/retry.mjs';

const one = (prefillMs, decodeMs, loadMs) => ({
  ...{ prefillMs, decodeMs, loadMs, prefillTokens: 100, decodeTokens: 11 },
  ...{ threads: 1, engine: 'an engine', coresBusy: 1.25 },
});
const report = {
  ...{ shape: 'tiny', prefill: 100, decode: 11, repeat: 3 },
  limits: { int8Gops: 500, readGBps: 9.5 },
  versions: { ours: '1.0.0', other: '2.0.0', broken: '3.0.0' },
  cases: [
    {
      type: 'q8_0',
      threads: 1,
      rows: [
        { peer: 'ours', runs: [one(1000, 500, 90), one(100, 100, 2000), one(200, 50, 1000)] },
        { peer: 'other', runs: [one(2000, 1000, undefined)], error: 'the page crashed' },
        { peer: 'broken', runs: [], error: 'no such engine' },
      ],
    },
  ],
};
const rows = table(report)
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.slice(2, -2).split(' | '));

test('gives the medians of each measure, and how many times as fast the first runtime is', () => {
  expect(rows).toHaveLength(2 + 3);
  // 100 tokens in 200 ms; ten after the first in 100 ms.
  expect(rows[2]).toEqual(['q8_0', '1', 'ours', '1.0', '500.0', '100.0', '1.3', '', '', '3']);
  expect(rows[3].slice(2, 9)).toEqual(['other', '', '50.0', '10.0', '1.3', '10.0x', '10.0x']);
});

test('says why a runtime has no figures', () => {
  expect(rows[3].at(-1)).toBe('1; the page crashed');
  expect(rows[4]).toEqual(['q8_0', '1', 'broken', '', '', '', '', '', '', '0; no such engine']);
});

test('names every runtime with its version', () => {
  expect(table(report)).toContain('ours 1.0.0 (an engine); other 2.0.0 (an engine); broken 3.0.0.');
  expect(table(report)).toContain('500 GOP/s of int8 products, 9.5 GB/s read.');
});

test.each([
  [['--peers', 'nobody'], /nobody/],
  [['--threads', '1,0'], /threads/],
  [['--decode', '1'], /decode/],
])('%j is refused before anything is installed', async (args, message) => {
  await expect(run(args)).rejects.toThrow(message);
});

test('a runtime that the retry benchmark does not know is refused, too', async () => {
  await expect(runRetry(['--peers', 'fastweights,nobody'])).rejects.toThrow(/nobody/);
});
