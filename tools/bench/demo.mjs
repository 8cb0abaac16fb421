// SPDX-License-Identifier: MIT

import { engines, fastweights, kSmallModel, markdown, nodeVersion } from './command-line.mjs';

/** The small story model: reading 512 tokens, writing 256, by build and engine. */
export async function run() {
  const rows = [];
  for (const { build, node } of await engines()) {
    const args = ['--model', kSmallModel, '--build', build, '--prefill', '512', '--decode', '256'];
    const found = await fastweights(node, ['bench', ...args]);
    rows.push([
      build,
      await nodeVersion(node),
      found.prefillTokensPerSecond.toFixed(0),
      found.decodeTokensPerSecond.toFixed(0),
      found.loadMs.toFixed(0),
      (found.memory.heapBytes / 1e6).toFixed(1),
    ]);
  }
  return markdown(
    ['build', 'engine', 'prefill, tokens/s', 'decode, tokens/s', 'load, ms', 'heap, MB'],
    rows,
  );
}
