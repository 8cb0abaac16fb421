// SPDX-License-Identifier: MIT

import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { projectFolder } from '../setup/node-modules.mjs';
import { kEmbeddedModel, markdown } from './command-line.mjs';

const kText = join(projectFolder, 'tests', 'golden', 'demo', 'heldout-excerpt.txt');

// The package's own modules, which a user cannot import.
/** @type {import('esbuild').Plugin} */
export const glueBeside = {
  name: 'glue beside it',
  setup(build) {
    build.onResolve({ filter: /^fastweights-glue\// }, ({ path }) => {
      const name = path.slice('fastweights-glue/'.length);
      return { path: `./wasm/fastweights-${name}.mjs`, external: true };
    });
  },
};

/**
 * What a state that was written in fewer bytes makes of the text that comes after it.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: kEmbeddedModel },
      file: { type: 'string', default: kText },
      context: { type: 'string', default: '512' },
    },
  });
  const { build } = await import('esbuild');
  const folder = await mkdtemp(join(tmpdir(), 'compact-'));
  try {
    const outfile = join(folder, 'compact.mjs');
    // What is not told where the wasm lies looks for it beside the module.
    await symlink(join(projectFolder, 'dist', 'wasm'), join(folder, 'wasm'), 'dir');
    await build({
      entryPoints: [join(import.meta.dirname, 'compact-run.mjs')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [glueBeside],
      logLevel: 'warning',
    });
    const { measure } = await import(pathToFileURL(outfile).href);
    const found = await measure(values.model, values.file, Number(values.context));
    return report(found);
  } finally {
    await rm(folder, { recursive: true });
  }
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
