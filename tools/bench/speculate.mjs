// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../setup/command.mjs';
import { bundledRun } from './bundled-run.mjs';
import { kEmbeddedModel, markdown, newestEngine, nodeVersion } from './command-line.mjs';
import { madeModel } from './made-model.mjs';

/**
 * Texts with guesses and without, one after the other in turns: the same tokens, in less time or not.
 * With `--shape` guesses of random weights that are made right by chance.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: kEmbeddedModel },
      threads: { type: 'string', default: '1' },
      repeat: { type: 'string', default: '9' },
      shape: { type: 'string' },
      type: { type: 'string', default: 'q4_0' },
      right: { type: 'string', default: '0.7' },
      decode: { type: 'string', default: '48' },
    },
  });
  if (values.shape !== undefined) return runShape({ ...values, shape: values.shape });
  const script = join(import.meta.dirname, 'speculate-run.mjs');
  const given = [script, values.model, values.threads, values.repeat];
  const rows = [];
  for (const { node, build } of [
    { node: process.execPath, build: 'simd128' },
    await newestEngine(),
  ]) {
    const { stdout } = await runCommand(node, given, { capture: true });
    /** @type {import('./speculate-run.mjs').Found[]} */
    const found = JSON.parse(stdout);
    const where = `${build}, ${await nodeVersion(node)}`;
    for (const { name, tokens, without, guessed } of found) {
      const rate = (/** @type {number} */ ms) => ((1000 * tokens) / ms).toFixed(0);
      const gain = `${(without / guessed).toFixed(2)}x`;
      rows.push([where, name, tokens, rate(without), rate(guessed), gain]);
    }
  }
  const head = ['build', 'text', 'tokens', 'tokens/s', 'with guesses', 'gain'];
  return `${values.threads} thread(s), medians of ${values.repeat}\n\n${markdown(head, rows)}`;
}

// What a draft of a shape is: random weights of so many layers, and the same vocabulary.
const kDraftLayers = 4;

/**
 * At a shape, with random weights: guesses that are made right as often as `right` says, by the block
 * for multi-token prediction and by a draft, at what they cost.
 *
 * @param {{ shape: string, type: string, right: string, threads: string, repeat: string,
 *   decode: string }} values
 */
async function runShape({ shape, type, right, threads, repeat, decode }) {
  const { node, build } = await newestEngine();
  const [plain, withBlock, draft] = [
    await madeModel(shape, type),
    await madeModel(shape, type, { mtp: true }),
    await madeModel(shape, type, { layers: kDraftLayers }),
  ];
  const work = { right: Number(right), threads: Number(threads), tokens: Number(decode) };
  const rows = await bundledRun('guessed-run', async (file) => {
    const found = [];
    for (const [name, files] of /** @type {const} */ ([
      ['multi-token prediction', { file: withBlock }],
      [`a draft of ${kDraftLayers} layers`, { file: plain, draft }],
    ])) {
      const given = JSON.stringify({ ...work, repeat: Number(repeat), ...files });
      const { stdout } = await runCommand(node, [file, given], { capture: true });
      const { without, guessed } = JSON.parse(stdout);
      const rate = (/** @type {number} */ ms) => ((1000 * work.tokens) / ms).toFixed(1);
      found.push([name, rate(without), rate(guessed), `${(without / guessed).toFixed(2)}x`]);
    }
    return found;
  });
  const head = [`guesses, ${100 * work.right} % right`, 'tokens/s', 'with guesses', 'gain'];
  const where = `${shape}, ${type}, ${build}, ${await nodeVersion(node)}`;
  return `${where}, ${threads} thread(s), medians of ${repeat}\n\n${markdown(head, rows)}`;
}
