// SPDX-License-Identifier: MIT

import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectFolder } from '../setup/node-modules.mjs';

// The package's own modules, which a user cannot import.
/** @type {import('esbuild').Plugin} */
const glueBeside = {
  name: 'glue beside it',
  setup(build) {
    build.onResolve({ filter: /^fastweights-glue\// }, ({ path }) => {
      const name = path.slice('fastweights-glue/'.length);
      return { path: `./wasm/fastweights-${name}.mjs`, external: true };
    });
  },
};

/**
 * Bundles a script of this folder with those modules of the package that it imports.
 *
 * @template T
 * @param {string} name of the script, without its extension
 * @param {(file: string) => Promise<T>} use has the bundle, which is there until this is settled
 * @returns {Promise<T>}
 */
export async function bundledRun(name, use) {
  const { build } = await import('esbuild');
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    const outfile = join(folder, `${name}.mjs`);
    // What is not told where the wasm and the threads' files lie looks for them beside the module.
    for (const file of ['wasm', 'thread-simd128.js', 'thread-relaxed.js']) {
      await symlink(join(projectFolder, 'dist', file), join(folder, file));
    }
    await build({
      entryPoints: [join(import.meta.dirname, `${name}.mjs`)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [glueBeside],
      logLevel: 'warning',
    });
    return await use(outfile);
  } finally {
    await rm(folder, { recursive: true });
  }
}
