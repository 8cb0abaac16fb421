// SPDX-License-Identifier: MIT

import { readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { mergeChunks } from './merge-chunks.mjs';

/** @import { BuildOptions, Plugin } from 'esbuild' */

// web/wasm/wasm.ts names the generated modules by themselves; here they get their place, and stay
// imports so that only the build that runs is ever downloaded.
/** @type {Plugin} */
const glue = {
  name: 'glue',
  setup(build) {
    build.onResolve({ filter: /^fastweights-glue\// }, ({ path }) => placed(path));
  },
};

/** @type {(path: string) => { path: string, external: true }} */
function placed(path) {
  return {
    path: path.replace('fastweights-glue/', './wasm/fastweights-').concat('.mjs'),
    external: true,
  };
}

// The command line and the adapters are bundled by themselves and import the package: as more entry
// points they would have what pages download cut into more chunks, which together compress worse by
// a twentieth. So, too, there is one ModelError to test for.
/** @type {Plugin} */
const packageAsItIs = {
  name: 'package as it is',
  setup(build) {
    build.onResolve({ filter: /^(\.\.\/)+index\.js$/ }, () => ({
      path: './index.js',
      external: true,
    }));
  },
};

// A service worker may not import() and has no workers. What is imported later comes at once there,
// as without splitting esbuild has it; so does the glue, by this, and nothing starts a worker.
/** @type {Plugin} */
const atOnce = {
  name: 'at once',
  setup(build) {
    build.onResolve({ filter: /^fastweights-glue\// }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'glue' } : placed(path),
    );
    build.onLoad({ filter: /./, namespace: 'glue' }, ({ path }) => ({
      contents: path.endsWith('-threads')
        ? 'export default undefined;'
        : `export { default } from '${path}';`,
    }));
    build.onLoad({ filter: /\/(start-worker|thread-workers|answer-calls)\.ts$/ }, () => ({
      contents: 'export let startWorker, failureOf, startWorkers, answerCalls;',
    }));
  },
};

/**
 * Sources of which an earlier build has made files that others import: what is theirs alone, and classes that
 * there must be one of.
 *
 * @param {Record<string, string>} names of the files, by their sources
 * @returns {Plugin}
 */
const builtBefore = (names) => ({
  name: 'built before',
  setup(build) {
    build.onResolve({ filter: /\.js$/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      const source = relative(projectFolder, join(dirname(importer), path));
      const name = names[source.replace(/\.js$/, '.ts')];
      return name ? { path: `./${name}`, external: true } : undefined;
    });
  },
});

/** Interfaces that others defined, each an entry point of its own. */
export const kAdapters = ['prompt-api', 'openai', 'ai-sdk', 'react', 'langchain'];

/** Workers that threads run in. */
export const kThreads = ['thread-simd128', 'thread-relaxed'];

/** Type declarations to dist/types, plain modules (for the unit tests) to build/web. */
export async function writeTypes() {
  const tsc = join(projectFolder, 'node_modules', '.bin', 'tsc');
  /** @param {string[]} args */
  const run = (...args) => runCommand(tsc, args, { cwd: projectFolder });
  await run('--outDir', 'build/web', '--declarationDir', 'dist/types', '--declarationMap', 'false');
}

/**
 * The package: entry points that share chunks, every dependency inside, so that a page can import
 * dist/index.js as it is, with no bundler and nothing fetched from elsewhere.
 */
export async function bundlePackage() {
  const { build } = await import('esbuild');
  const dist = join(projectFolder, 'dist');
  for (const file of await readdir(dist)) {
    if (/\.js(\.map)?$/.test(file)) await rm(join(dist, file));
  }
  /** @satisfies {BuildOptions} */
  const shared = {
    absWorkingDir: projectFolder,
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    // A fifth of what pages download are long identifiers. Stack traces stay readable by the source
    // maps, which only debuggers fetch; methods and properties keep their names in any case.
    minify: true,
    sourcemap: 'linked',
    legalComments: 'none',
    external: ['node:*'],
    logLevel: 'warning',
  };
  const splitting = async (
    /** @type {{ [name: string]: string }} */ entryPoints,
    /** @type {Plugin[]} */ plugins,
    /** @type {string[]} */ addressed,
  ) => {
    const split = join(projectFolder, 'build', 'split', Object.keys(entryPoints).join());
    await rm(split, { recursive: true, force: true });
    const chunkNames = '[name]-[hash]';
    const { metafile } = await build({
      ...{ ...shared, entryPoints, plugins, chunkNames },
      outdir: split,
      splitting: true,
      metafile: true,
    });
    return mergeChunks(metafile, { from: split, to: dist, addressed }, shared);
  };
  // An engine and what it fetches later is a build of its own, as a page's worker takes nothing of what the
  // page has already. Beside it there is one ModelError, whoever throws it.
  const errors = { 'web/errors.ts': 'errors.js' };
  await build({ ...shared, entryPoints: { errors: 'web/errors.ts' } });
  const engine = await splitting(
    { engine: 'web/worker/engine.ts' },
    [glue, builtBefore(errors)],
    [],
  );
  const before = builtBefore({ ...errors, ...engine });
  await build({
    ...shared,
    plugins: [glue, before],
    entryPoints: { worker: 'web/worker/worker.ts' },
  });
  const page = builtBefore({ ...errors, 'web/worker/engine.ts': 'engine.js' });
  await splitting({ index: 'web/index.ts' }, [glue, page], ['index.js']);
  const threads = kThreads.map((name) => ({ in: `web/wasm/${name}.ts`, out: name }));
  await build({ ...shared, plugins: [glue], entryPoints: threads });
  await build({
    ...shared,
    plugins: [atOnce],
    entryPoints: { 'service-worker': 'web/index.ts' },
    define: { Worker: 'undefined' },
  });
  await build({ ...shared, plugins: [packageAsItIs], entryPoints: { cli: 'web/cli/main.ts' } });
  await build({
    ...shared,
    plugins: [packageAsItIs],
    entryPoints: kAdapters.map((name) => ({ in: `web/adapters/${name}.ts`, out: name })),
    splitting: true,
    chunkNames: '[name]-[hash]',
    external: [...shared.external, 'react', '@langchain/core'],
  });
}
