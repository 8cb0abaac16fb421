// SPDX-License-Identifier: MIT

import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { runBenchModule } from './bench-module.mjs';
import { markdown } from './command-line.mjs';
import { compareLinearAttention, kEngineNames, linearAttentionTable } from './linear-attention.mjs';

/** @import { KernelsFound } from './kernels-run.mjs' */

const kTokens = [1, 64, 512];

/**
 * Kernels of associative memories, 16 heads of 128 x 128, against what this machine can do in the
 * same engine; then whole calls beside onnxruntime-web's LinearAttention.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      build: { type: 'string', default: 'relaxed' },
      repeat: { type: 'string', default: '9' },
      engines: { type: 'string', default: kEngineNames.join(',') },
      json: { type: 'string' },
    },
  });
  const { build, json } = values;
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1) {
    throw new RangeError(`--repeat must be a whole number from 1, not '${values.repeat}'`);
  }
  const engines = values.engines.split(',').filter(Boolean);
  const unknown = engines.find((name) => !kEngineNames.includes(name));
  if (unknown) throw new RangeError(`--engines knows ${kEngineNames.join(', ')}, not '${unknown}'`);
  const work = { tokens: kTokens, repeat };
  const kernels = await runBenchModule('kernels-run.mjs', build, work);
  const compared = await compareLinearAttention(engines, work);
  if (json) {
    const machine = cpus()[0].model;
    const report = { date: new Date().toISOString(), machine, build, repeat, kernels, compared };
    await writeFile(json, `${JSON.stringify(report)}\n`);
  }
  return [kernelsTable(kernels, build), ...compared.map(linearAttentionTable)].join('\n\n');
}

/** @type {(found: KernelsFound & { engine: string }, build: string) => string} */
function kernelsTable({ engine, tokens, gflops, oneHeadGBps, allHeadsGBps, kernels }, build) {
  /** @param {number} part */
  const percent = (part) => `${Math.round(100 * part)} %`;
  const head = [
    'rule',
    'form',
    ...tokens.map((count) => `${count} ${count > 1 ? 'tokens' : 'token'}`),
  ];
  const rows = kernels.map(({ rule, form, operations, bytes, ns }) => {
    const cells = ns.map((each, i) => {
      // One token meets the states of all heads, which more tokens do head by head.
      const gbps = tokens[i] === 1 ? allHeadsGBps : oneHeadGBps;
      const shares = [operations / each / gflops, ...(bytes > 0 ? [bytes / each / gbps] : [])];
      const reached = shares.map(percent).join(' / ');
      return `${each.toFixed(0)} ns, ${(operations / each).toFixed(1)}, ${reached}`;
    });
    return [rule, form, ...cells];
  });
  return [
    `16 heads of 128 x 128, ${build}, ${engine}, one thread: time a token, GFLOP/s, their share of the`,
    `${gflops.toFixed(1)} that multiply-adds in registers reach, and of recurrent forms, whose tokens each read and`,
    'write the state once, the share of the bandwidth at which a buffer of that size is read and',
    `written: of all heads (1 MB, met by one token) ${allHeadsGBps.toFixed(1)} GB/s, of one head (64 KB) ${oneHeadGBps.toFixed(1)}, both ways`,
    'counted. Best of several. FLOP are those of the recurrence, of chunk forms those that they do.',
    `\n${markdown(head, rows)}`,
  ].join('\n');
}
