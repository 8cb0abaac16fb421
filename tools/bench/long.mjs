// SPDX-License-Identifier: MIT

import { parseArgs } from 'node:util';

import { kSmallModel, markdown } from './command-line.mjs';

const kWindow = 1000;

/**
 * One session that writes very much: neither its memory nor its speed may change.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: { tokens: { type: 'string', default: '200000' } },
  });
  const maxTokens = Number(values.tokens);
  const { loadModel } = await import('fastweights');
  const model = await loadModel(kSmallModel, { worker: false });
  const stream = model.generate('Once upon a time', { maxTokens, ignoreEos: true, seed: 1 });
  // Control tokens give no text, so progress is counted by what the state has read.
  const marks = [];
  let start = performance.now();
  let pieces = 0;
  for await (const _ of stream) {
    if (++pieces % kWindow !== 0) continue;
    const now = performance.now();
    const { heapBytes, heapInUse } = await model.memory();
    marks.push({ pieces, rate: (1000 * kWindow) / (now - start), heapBytes, heapInUse });
    start = performance.now();
  }
  const { tokens } = await stream.result;
  await model.dispose();
  /** @type {(name: string, mark: { rate: number, heapBytes: number, heapInUse: number }) => string[]} */
  const row = (name, mark) => [
    name,
    mark.rate.toFixed(0),
    (mark.heapBytes / 1e6).toFixed(2),
    (mark.heapInUse / 1e6).toFixed(2),
  ];
  const head = [`${tokens.length} tokens`, 'tokens/s', 'heap, MB', 'of it in use, MB'];
  return markdown(head, [
    row(`first ${kWindow}`, marks[0]),
    row(`last ${kWindow}`, marks[marks.length - 1]),
  ]);
}
