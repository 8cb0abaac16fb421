// SPDX-License-Identifier: MIT

import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { markdown, newestEngine, nodeVersion } from './command-line.mjs';
import { glueBeside } from './compact.mjs';
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
  const found = await measure(node, work);
  return [
    `${shape}, ${type}, ${prefill} tokens read and ${decode} written, ${threads} thread(s), ${build},`,
    `${await nodeVersion(node)}, random weights; medians of ${repeat}\n`,
    report(found),
  ].join('\n');
}

/** @type {(node: string, work: object) => Promise<import('./context-run.mjs').Found[]>} */
async function measure(node, work) {
  const { build } = await import('esbuild');
  const folder = await mkdtemp(join(tmpdir(), 'context-'));
  try {
    const outfile = join(folder, 'context.mjs');
    // What is not told where the wasm lies looks for it beside the module.
    await symlink(join(projectFolder, 'dist', 'wasm'), join(folder, 'wasm'), 'dir');
    await build({
      entryPoints: [join(import.meta.dirname, 'context-run.mjs')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [glueBeside],
      logLevel: 'warning',
    });
    const { stdout } = await runCommand(node, [outfile, JSON.stringify(work)], { capture: true });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
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
