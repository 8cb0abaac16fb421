// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../setup/command.mjs';
import { kEmbeddedModel, markdown, newestEngine, nodeVersion } from './command-line.mjs';

/**
 * Texts with guesses and without, one after the other in turns: the same tokens, in less time or not.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: kEmbeddedModel },
      threads: { type: 'string', default: '1' },
      repeat: { type: 'string', default: '9' },
    },
  });
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
