// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { projectFolder } from '../setup/node-modules.mjs';
import { bundledRun } from './bundled-run.mjs';
import { kSmallModel, markdown } from './command-line.mjs';

const kText = join(projectFolder, 'tests', 'golden', 'demo', 'heldout-excerpt.txt');

/**
 * What a state that was written in fewer bytes makes of the text that comes after it.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: kSmallModel },
      file: { type: 'string', default: kText },
      context: { type: 'string', default: '512' },
    },
  });
  const found = await bundledRun('compact-run', async (file) => {
    const { measure } = await import(pathToFileURL(file).href);
    return measure(values.model, values.file, Number(values.context));
  });
  return report(found);
}

/** @param {import('./compact-run.mjs').Scored[]} found */
function report(found) {
  const exact = found[0].perplexity;
  const rows = found.map(({ precision, scored, bytes, perplexity, packMs, unpackMs }) => [
    precision,
    (bytes / 1e6).toFixed(2),
    String(scored),
    perplexity.toFixed(5),
    `${(100 * (perplexity / exact - 1)).toFixed(3)} %`,
    packMs.toFixed(1),
    unpackMs.toFixed(1),
  ]);
  const head = [
    'written as',
    'MB',
    'tokens scored',
    'perplexity',
    'change',
    'to it, ms',
    'back, ms',
  ];
  return markdown(head, rows);
}
