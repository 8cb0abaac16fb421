// SPDX-License-Identifier: MIT

import { parseArgs } from 'node:util';

import { fastweights, markdown, newestEngine, nodeVersion } from './command-line.mjs';
import { madeModel } from './made-model.mjs';

/**
 * Several texts written together, one pass over the weights a token: what they write per second.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      types: { type: 'string', default: 'q8_0,q4_0,q4_k_m' },
      threads: { type: 'string', default: '1,2' },
      texts: { type: 'string', default: '1,2,4,8' },
      prefill: { type: 'string', default: '32' },
      decode: { type: 'string', default: '32' },
      repeat: { type: 'string', default: '3' },
    },
  });
  const { shape, types, prefill, decode, repeat } = values;
  const { build, node } = await newestEngine();
  const counts = values.texts.split(',');
  const rows = [];
  for (const type of types.split(',')) {
    const model = await madeModel(shape, type);
    for (const threads of values.threads.split(',')) {
      /** @type {number[]} */
      const rates = [];
      for (const texts of counts) {
        const options = { model, build, threads, texts, prefill, decode, repeat };
        const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
        rates.push((await fastweights(node, ['bench', ...given])).decodeTokensPerSecond);
      }
      const cells = rates.map((rate) => `${rate.toFixed(1)} (${(rate / rates[0]).toFixed(1)}x)`);
      rows.push([type, threads, ...cells]);
    }
  }
  const head = ['type', 'threads', ...counts.map((count) => (count === '1' ? '1 text' : count))];
  const where = `${shape}, ${build}, ${await nodeVersion(node)}`;
  return `${where}: tokens/s of all texts together\n\n${markdown(head, rows)}`;
}
