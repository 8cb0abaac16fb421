// SPDX-License-Identifier: MIT

import { parseArgs } from 'node:util';
import { partialCharacterIds } from '../gguf/byte-level-vocabulary.mjs';
import { ensureChromium } from '../setup/chromium.mjs';
import { runCommand } from '../setup/command.mjs';
import { runBenchModule } from './bench-module.mjs';
import { bundledRun } from './bundled-run.mjs';
import { markdown, newestEngine, nodeVersion } from './command-line.mjs';
import { letters } from './letters.mjs';
import { madeModel } from './made-model.mjs';
import { measureInPage } from './peers/page.mjs';
import { wllama, wllamaMounts } from './peers/wllama.mjs';

/**
 * @typedef {{ tokens: number, text: string }} Letters
 * @import { AttentionsFound } from './attention-run.mjs'
 *
 * @typedef {object} PeerWork
 * @property {string} model
 * @property {number} threads
 * @property {{ held: Letters, read: Letters }[]} texts
 * @property {number} decode
 * @property {number[]} partialCharacters tokens that are not text
 *
 * @typedef {{ held: number, prefill: number, decode: number }} Speeds tokens per second
 */

// Heads of Qwen3.5 at 0.8B, and many small ones.
const kKernelShapes = [
  { query: 8, kv: 2, dim: 256 },
  { query: 32, kv: 8, dim: 64 },
];
const kPeerPatienceMs = 60 * 60_000;

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
      // It takes minutes for each 2000; '' for none.
      'wllama-held': { type: 'string', default: '0,2048' },
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
  const kernels = await runBenchModule('attention-run.mjs', build, {
    shapes: kKernelShapes,
    held: Math.max(...work.held),
    tokens: [1, 16],
    repeat: 9,
  });
  const peer = values['wllama-held'] && (await besideWllama(work, values['wllama-held']));
  return [
    `${shape}, ${type}, ${prefill} tokens read and ${decode} written, ${threads} thread(s), ${build},`,
    `${await nodeVersion(node)}, random weights; medians of ${repeat}\n`,
    report([...found, ...(peer || [])]),
    `\n${kernelReport(kernels)}`,
  ].join('\n');
}

/**
 * wllama in Chromium, once, whose keys and values are halves.
 *
 * @param {Pick<PeerWork, 'model' | 'threads' | 'decode'> & { prefill: number }} work
 * @param {string} given tokens held
 */
async function besideWllama({ model, threads, prefill, decode }, given) {
  await ensureChromium();
  await wllama.setup();
  const signal = AbortSignal.timeout(kPeerPatienceMs);
  /** @type {(tokens: number, first: number) => Letters} */
  const some = (tokens, first) => ({ tokens, text: letters(tokens, first) });
  const texts = given.split(',').map((held, i) => ({
    held: some(Number(held), i),
    read: some(prefill, 13),
  }));
  const peerWork = { model, threads, texts, decode, partialCharacters: partialCharacterIds() };
  /** @type {Speeds[]} */
  const speeds = await measureInPage('wllama-context', peerWork, signal, wllamaMounts());
  return speeds.map((run) => ({ ...run, kv: `wllama ${wllama.version}` }));
}

/**
 * @typedef {Speeds & { kv: string, bytes?: number, attention?: number }} Row
 * @param {Row[]} found
 */
function report(found) {
  const rows = found.map(({ kv, held, prefill, decode, bytes, attention }) => {
    const start = found.find((other) => other.kv === kv) ?? found[0];
    const of = (/** @type {number} */ rate, /** @type {number} */ first) =>
      `${rate.toFixed(1)} (${percent(rate / first)})`;
    return [
      held,
      kv,
      bytes === undefined ? '' : (bytes / 1e6).toFixed(1),
      of(prefill, start.prefill),
      of(decode, start.decode),
      attention === undefined ? '' : percent(attention),
    ];
  });
  const head = [
    ...['tokens held', 'kv', 'MB', 'prefill, tokens/s', 'decode, tokens/s', 'of it attention'],
  ];
  return markdown(head, rows);
}

/** @param {AttentionsFound} all */
function kernelReport({ gflops, int8Gops, readGBps, held, found }) {
  const rows = found.map(({ shape, kv, tokens, bytes, multiplyAdds, ms }) => {
    const billions = multiplyAdds / ms / 1e6;
    const most = (kv === 'int8' ? int8Gops : gflops) / 2;
    const gbps = bytes / tokens / ms / 1e6;
    return [
      shape,
      kv,
      tokens,
      ms.toFixed(2),
      `${billions.toFixed(1)} (${percent(billions / most)})`,
      `${gbps.toFixed(1)} (${percent(gbps / readGBps)})`,
    ];
  });
  const head = ['heads', 'kv', 'tokens at once', 'ms a token', 'multiply-adds, 1e9/s', 'GB/s'];
  return [
    `Attention of one layer alone behind ${held} tokens, one thread, best of several; shares of what registers`,
    `and memory give here: ${(gflops / 2).toFixed(1)} billion multiply-adds of floats a second (of int8 ${(int8Gops / 2).toFixed(1)}), reading ${readGBps.toFixed(1)} GB/s\n`,
    markdown(head, rows),
  ].join('\n');
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(0)} %`;
