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
  const { node, build } = await newestEngine();
  const script = join(import.meta.dirname, 'speculate-run.mjs');
  const given = [script, values.model, values.threads, values.repeat];
  const { stdout } = await runCommand(node, given, { capture: true });
  /** @type {import('./speculate-run.mjs').Found[]} */
  const found = JSON.parse(stdout);
  const rows = found.map(({ name, tokens, without, guessed }) => [
    name,
    tokens,
    ((1000 * tokens) / without).toFixed(0),
    ((1000 * tokens) / guessed).toFixed(0),
    `${(without / guessed).toFixed(2)}x`,
  ]);
  const where = `${build}, ${await nodeVersion(node)}, ${values.threads} thread(s)`;
  const head = ['text', 'tokens', 'tokens/s', 'with guesses', 'gain'];
  return `${where}: medians of ${values.repeat}\n\n${markdown(head, rows)}`;
}
