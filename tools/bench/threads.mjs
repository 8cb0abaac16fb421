// SPDX-License-Identifier: MIT

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { fastweights, markdown, newestEngine, nodeVersion } from './command-line.mjs';
import { madeModel } from './made-model.mjs';

/** 1, 2, 4 ... up to the logical cores of this machine. */
function powersOfTwo() {
  /** @type {number[]} */
  const counts = [];
  for (let count = 1; count <= availableParallelism(); count *= 2) counts.push(count);
  return counts;
}

/**
 * What more threads gain: prefill and decode of random weights. Rounds go
 * through all counts, so that what else the machine does is in each.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      types: { type: 'string', default: 'q8_0,q4_k_m' },
      threads: { type: 'string', default: powersOfTwo().join(',') },
      prefill: { type: 'string', default: '512' },
      decode: { type: 'string', default: '64' },
      repeat: { type: 'string', default: '3' },
    },
  });
  const { shape, types, prefill, decode } = values;
  const counts = values.threads.split(',');
  const { build, node } = await newestEngine();
  const rows = [];
  for (const type of types.split(',')) {
    const model = await madeModel(shape, type);
    /** @type {Record<'prefill' | 'decode', number[][]>} */
    const rates = { prefill: counts.map(() => []), decode: counts.map(() => []) };
    for (let round = 0; round < Number(values.repeat); round++) {
      for (const [i, threads] of counts.entries()) {
        const options = { model, build, threads, prefill, decode, repeat: '1' };
        const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
        const found = await fastweights(node, ['bench', ...given]);
        if (found.threads !== Number(threads)) throw new Error(`${found.threads} threads ran`);
        rates.prefill[i].push(found.prefillTokensPerSecond);
        rates.decode[i].push(found.decodeTokensPerSecond);
      }
    }
    for (const phase of /** @type {const} */ (['prefill', 'decode'])) {
      const medians = rates[phase].map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
      const cells = medians.map(
        (rate) => `${rate.toFixed(1)} (${(rate / medians[0]).toFixed(2)}x)`,
      );
      rows.push([type, phase, ...cells]);
      // An hour's run that is broken off has not been for nothing.
      process.stderr.write(`${type}, ${phase}: ${cells.join(', ')}\n`);
    }
  }
  const head = ['type', 'tokens/s of', ...counts.map((count) => `${count} threads`)];
  const where = `${shape}, ${build}, ${await nodeVersion(node)}, medians of ${values.repeat}`;
  return `${where}: ${prefill} tokens read, ${decode} written\n\n${markdown(head, rows)}`;
}
