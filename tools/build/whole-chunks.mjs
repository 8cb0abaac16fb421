// SPDX-License-Identifier: MIT

import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const kCore = 'fastweights-core';

/**
 * Keeps esbuild from cutting what every page downloads into a chunk for each set of modules that needs
 * it: twenty small ones take a tenth more after brotli, and a request each. Every module that is
 * fetched later is made to import all that is there by then, so that few sets are left: what the page
 * alone has, what the engine alone has, and what both have. For esbuild to keep those imports,
 * package.json says that modules in web/ may have side effects.
 *
 * @param {object} metafile of the same build without this plugin
 * @param {object} entries
 * @param {string} entries.page entry point of pages
 * @param {string} entries.worker entry point of workers
 * @param {string} entries.engine what a page without a worker fetches in its place
 * @param {string} folder of the paths in the metafile
 */
export function wholeChunks({ inputs }, { page, worker, engine }, folder) {
  // What runs with an entry, by its imports.
  function together(entry) {
    const found = new Set([entry]);
    for (const path of found) {
      for (const { path: next, kind } of inputs[path].imports) {
        if (kind === 'import-statement' && inputs[next]) found.add(next);
      }
    }
    return found;
  }
  // What is fetched from there on, sooner or later.
  function fetched(entry) {
    const found = new Set();
    const from = [entry];
    for (const start of from) {
      for (const path of together(start)) {
        for (const { path: next, kind } of inputs[path].imports) {
          if (kind !== 'dynamic-import' || !inputs[next] || next === engine || found.has(next)) {
            continue;
          }
          found.add(next);
          from.push(next);
        }
      }
    }
    return found;
  }
  const withPage = together(page);
  const withWorker = together(worker);
  const cores = {
    page: [...withPage].filter((path) => path !== page),
    engine: [...withWorker].filter((path) => path !== worker),
    both: [...withPage].filter((path) => withWorker.has(path)),
  };
  // Libraries say that they can be imported for nothing but what is used of them.
  const isOurs = (path) => !path.startsWith('node_modules/');
  const coreOf = new Map([
    [page, 'page'],
    [worker, 'engine'],
    [engine, 'engine'],
  ]);
  const [byPage, byWorker] = [fetched(page), fetched(worker)];
  for (const path of new Set([...byPage, ...byWorker])) {
    const core = byPage.has(path) ? (byWorker.has(path) ? 'both' : 'page') : 'engine';
    // A module of the engine that pages fetch by itself.
    coreOf.set(path, withWorker.has(path) ? 'both' : core);
  }

  return {
    name: 'whole chunks',
    setup(build) {
      build.onLoad({ filter: /\.[tj]s$/, namespace: 'file' }, async ({ path }) => {
        const core = coreOf.get(path.slice(folder.length + 1));
        if (!core) return undefined;
        const source = await readFile(path, 'utf8');
        const loader = extname(path).slice(1);
        return { contents: `${source}\nimport '${kCore}/${core}';\n`, loader };
      });
      build.onResolve({ filter: new RegExp(`^${kCore}/`) }, ({ path }) => ({
        path: path.slice(kCore.length + 1),
        namespace: kCore,
      }));
      build.onLoad({ filter: /./, namespace: kCore }, ({ path }) => ({
        contents: cores[path]
          .filter(isOurs)
          .map((module) => `import '${join(folder, module)}';`)
          .join('\n'),
        resolveDir: folder,
      }));
    },
  };
}
