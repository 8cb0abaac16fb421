// SPDX-License-Identifier: MIT

import { parseArgs } from 'node:util';

import { runCommand } from '../setup/command.mjs';
import { bundledRun } from './bundled-run.mjs';
import { markdown, newestEngine, nodeVersion } from './command-line.mjs';
import { madeModel } from './made-model.mjs';

/**
 * How fast texts are read and written behind many tokens, whose keys and values are kept in each type.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      type: { type: 'string', default: 'q8_0' },
      kv: { type: 'string', default: 'f32,bf16,int8' },
      held: { type: 'string', default: '0,2048,8192,32768' },
      threads: { type: 'string', default: '1' },
      prefill: { type: 'string', default: '128' },
      decode: { type: 'string', default: '16' },
      repeat: { type: 'string', default: '3' },
    },
  });
  const { shape, type, threads, prefill, decode, repeat } = values;
  const work = {
    model: await madeModel(shape, type),
    types: values.kv.split(','),
    held: values.held.split(',').map(Number),
    threads: Number(threads),
    prefill: Number(prefill),
    decode: Number(decode),
    repeat: Number(repeat),
  };
  const { build, node } = await newestEngine();
  const found = await bundledRun('context-run', async (file) => {
    const { stdout } = await runCommand(node, [file, JSON.stringify(work)], { capture: true });
    return JSON.parse(stdout);
  });
  return [
    `${shape}, ${type}, ${prefill} tokens read and ${decode} written, ${threads} thread(s), ${build},`,
    `${await nodeVersion(node)}, random weights; medians of ${repeat}\n`,
    report(found),
  ].join('\n');
}

/** @param {import('./context-run.mjs').Found[]} found */
function report(found) {
  const rows = found.map(({ kv, held, prefill, decode, bytes, attention }) => {
    const start = found.find((other) => other.kv === kv) ?? found[0];
    const of = (/** @type {number} */ rate, /** @type {number} */ first) =>
      `${rate.toFixed(1)} (${percent(rate / first)})`;
    return [
      held,
      kv,
      (bytes / 1e6).toFixed(1),
      of(prefill, start.prefill),
      of(decode, start.decode),
      percent(attention),
    ];
  });
  const head = [
    ...['tokens held', 'kv', 'MB', 'prefill, tokens/s', 'decode, tokens/s', 'of it attention'],
  ];
  return markdown(head, rows);
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(0)} %`;
