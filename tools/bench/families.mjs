// SPDX-License-Identifier: MIT
//
// Every architecture at the shape of a published model: this package and wllama on the same file, in
// turns in the same browser, and where the time of a token goes here.

import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { ensureChromium } from '../setup/chromium.mjs';
import { fastweights as command, markdown, newestEngine } from './command-line.mjs';
import { madeModel } from './made-model.mjs';
import { fastweights } from './peers/fastweights.mjs';
import { mediansOf } from './peers/report.mjs';
import { wllama } from './peers/wllama.mjs';
import { compare, workOf } from './peers.mjs';

const kShapes = [
  ...['qwen3.5-0.8b', 'lfm2.5-350m', 'granite-4.0-h-350m', 'falcon-h1-0.5b', 'mamba2-370m'],
  ...['mamba-370m', 'rwkv7-0.4b'],
];

/**
 * @typedef {{ part: string, ms: number, share: number, gbps?: number }} Part of `bench --profile`
 * @typedef {{ shape: string, type: string, rows: import('./peers.mjs').Row[], parts: Part[] }} Case
 */

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shapes: { type: 'string', default: kShapes.join(',') },
      types: { type: 'string', default: 'q8_0,q4_k_m' },
      threads: { type: 'string', default: '1' },
      prefill: { type: 'string', default: '256' },
      decode: { type: 'string', default: '32' },
      repeat: { type: 'string', default: '3' },
      json: { type: 'string' },
    },
  });
  await ensureChromium();
  const peers = [fastweights, wllama];
  for (const peer of peers) await peer.setup();
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const size = { prefill: Number(values.prefill), decode: Number(values.decode) };
  /** @type {Case[]} */
  const cases = [];
  for (const shape of values.shapes.split(',')) {
    for (const type of values.types.split(',')) {
      const model = await madeModel(shape, type);
      const work = workOf(model, Number(values.threads), size);
      const rows = await compare(peers, work, Number(values.repeat));
      cases.push({ shape, type, rows, parts: await partsOf(model) });
    }
  }
  if (values.json) {
    const report = { date: new Date().toISOString(), machine: cpus()[0].model, ...values, cases };
    await writeFile(values.json, `${JSON.stringify(report)}\n`);
  }
  return [
    `${values.prefill} tokens read and ${values.decode} written, ${values.threads} thread(s), random weights; medians of`,
    `${values.repeat}. wllama ${wllama.version}. Products: of a token's time, and what they read of weights; then the`,
    'largest part between them (Node 24).\n',
    table(cases),
  ].join('\n');
}

/** @type {(model: string) => Promise<Part[]>} */
async function partsOf(model) {
  const { build, node } = await newestEngine();
  const options = ['--build', build, '--threads', '1', '--profile'];
  const counts = ['--prefill', '16', '--decode', '24', '--repeat', '1'];
  const found = await command(node, ['bench', '--model', model, ...options, ...counts]);
  return found.profile.decode.parts;
}

/** @param {Case[]} cases */
function table(cases) {
  const head = [
    ...['model', 'weights', 'prefill, tokens/s', 'wllama', 'decode, tokens/s', 'wllama'],
    ...['products', 'GB/s', 'largest other part'],
  ];
  return markdown(
    head,
    cases.map(({ shape, type, rows, parts }) => {
      const [here, there] = rows.map(mediansOf);
      const isProduct = (/** @type {Part} */ { part }) => part.startsWith('product');
      const products = parts.filter(isProduct);
      const sum = (/** @type {(part: Part) => number} */ of) =>
        products.reduce((total, part) => total + of(part), 0);
      const bytes = sum(({ gbps = 0, ms }) => gbps * ms);
      const [largest] = parts.filter((part) => !isProduct(part));
      const beside = (/** @type {'prefill' | 'decode'} */ name) =>
        rows[1].error ?? `${there[name].toFixed(1)} (${(here[name] / there[name]).toFixed(1)}x)`;
      return [
        shape,
        type,
        here.prefill.toFixed(1),
        beside('prefill'),
        here.decode.toFixed(1),
        beside('decode'),
        percent(sum(({ share }) => share)),
        (bytes / sum(({ ms }) => ms)).toFixed(1),
        `${largest.part} ${percent(largest.share)}`,
      ];
    }),
  );
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(0)} %`;
