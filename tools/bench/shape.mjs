// SPDX-License-Identifier: MIT

import { parseArgs } from 'node:util';

import { engines, fastweights, markdown, nodeVersion } from './command-line.mjs';
import { madeModel } from './made-model.mjs';

/**
 * Random weights at a real shape: prefill and decode by type, build and engine.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      types: { type: 'string', default: 'q8_0,q4_0,q4_k_m' },
      prefill: { type: 'string', default: '512' },
      decode: { type: 'string', default: '64' },
      repeat: { type: 'string', default: '3' },
    },
  });
  const { shape, types, prefill, decode, repeat } = values;
  const rows = [];
  for (const type of types.split(',')) {
    const model = await madeModel(shape, type);
    for (const { build, node } of await engines()) {
      const options = ['--prefill', prefill, '--decode', decode, '--repeat', repeat];
      const found = await fastweights(node, [
        'bench',
        '--model',
        model,
        '--build',
        build,
        ...options,
      ]);
      rows.push([
        type,
        build,
        await nodeVersion(node),
        found.prefillTokensPerSecond.toFixed(1),
        found.decodeTokensPerSecond.toFixed(1),
        (found.loadMs / 1000).toFixed(1),
      ]);
    }
  }
  const head = ['type', 'build', 'engine', 'prefill, tokens/s', 'decode, tokens/s', 'load, s'];
  return `${shape}, ${prefill} tokens read, ${decode} written\n\n${markdown(head, rows)}`;
}
