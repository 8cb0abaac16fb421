// SPDX-License-Identifier: MIT
//
// esbuild makes a chunk for every set of entry points that share a module. Most of these sets are one
// occasion to whoever downloads them: what a page's worker has is there when the parts that it fetches later
// look for it. 12 chunks of a page and 25 of its worker, each behind those that import it, took a second
// visit 0.3 s to ask for; as many files as there are occasions are 3 of a page and 6 of its worker, and
// the worker's first one names all others (web/worker/worker.ts).

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { ownSources } from './own-sources.mjs';

/**
 * @import { Metafile, Plugin } from 'esbuild'
 * @typedef {Map<string, { static: string[], dynamic: string[], exports: string[] }>} Files by name
 * @typedef {{ name: string, members: string[] }} Group
 */

/**
 * Writes the files of a build with splitting again, in fewer.
 *
 * @param {Metafile} metafile
 * @param {object} folders
 * @param {string} folders.from where the build's files lie, all of them
 * @param {string} folders.to
 * @param {string[]} folders.addressed entries that users name, by whatever address: nothing imports them
 * @param {import('esbuild').BuildOptions} options of esbuild
 * @returns {Promise<Record<string, string>>} the files of entries, by their sources
 */
export async function mergeChunks(metafile, { from, to, addressed }, options) {
  const { build } = await import('esbuild');
  const files = filesOf(metafile);
  const entries = entriesOf(metafile);
  const homes = homesOf(metafile, entries);
  const groups = groupsOf(files, [...entries.values()], { homes, addressed });
  const merged = new Set(groups.flatMap(({ members }) => members));
  const alone = [...files.keys()].filter((file) => !merged.has(file));
  const entryPoints = [...alone.map((file) => join(from, file)), ...groups.map(({ name }) => name)];
  const { outputFiles = [] } = await build({
    ...options,
    write: false,
    // Those of members, in whose place others are put.
    logOverride: { 'ignored-bare-import': 'silent' },
    outdir: to,
    entryPoints: entryPoints.map((path) => ({ in: path, out: basename(path, '.js') })),
    plugins: [merging(files, groups, from)],
  });
  const between = join(basename(dirname(from)), basename(from));
  for (const { path, text } of outputFiles) {
    const isOwn = (/** @type {string} */ source) =>
      !/^(group|member):/.test(source) && !source.includes(between);
    await writeFile(path, path.endsWith('.map') ? ownSources(text, isOwn) : text);
  }
  return Object.fromEntries(entries);
}

/** @type {(metafile: Metafile) => Files} */
function filesOf({ outputs }) {
  /** @type {Files} */
  const files = new Map();
  for (const [path, { imports, exports }] of Object.entries(outputs)) {
    if (!path.endsWith('.js')) continue;
    const of = (/** @type {string} */ kind) =>
      imports.filter((one) => one.kind === kind && !one.external).map((one) => basename(one.path));
    const found = { static: of('import-statement'), dynamic: of('dynamic-import'), exports };
    files.set(basename(path), found);
  }
  return files;
}

// Those that are asked for by their names, by their sources; all others are chunks.
/** @type {(metafile: Metafile) => Map<string, string>} */
function entriesOf({ outputs }) {
  const named = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [/** @type {const} */ ([entryPoint, basename(path)])] : [],
  );
  return new Map(named);
}

// Entries of which a chunk has all that they have.
/** @type {(metafile: Metafile, entries: Map<string, string>) => Map<string, string>} by chunks */
function homesOf({ outputs }, entries) {
  /** @type {Map<string, string>} */
  const homes = new Map();
  for (const [path, { inputs, entryPoint }] of Object.entries(outputs)) {
    const entry = Object.keys(inputs)
      .map((source) => entries.get(source))
      .find(Boolean);
    if (entry && !entryPoint) homes.set(basename(path), entry);
  }
  return homes;
}

/**
 * Chunks that are downloaded on the same occasions, and with them an entry that has nothing beside them or that
 * nobody has them without.
 *
 * @param {Files} files
 * @param {string[]} entries
 * @param {{ homes: Map<string, string>, addressed: string[] }} which
 * @returns {Group[]}
 */
function groupsOf(files, entries, { homes, addressed }) {
  const closures = new Map(entries.map((entry) => [entry, closureOf(files, entry)]));
  const earlier = earlierOf(files, closures);
  /** @type {Map<string, string[]>} */
  const byOccasions = new Map();
  for (const chunk of [...files.keys()].sort()) {
    if (closures.has(chunk)) continue;
    const occasions = entries.filter(
      (entry) => closures.get(entry)?.has(chunk) && !earlier.get(entry)?.has(chunk),
    );
    const key = occasions.sort().join();
    byOccasions.set(key, [...(byOccasions.get(key) ?? []), chunk]);
  }
  const taken = new Set(addressed);
  const homeOf = (/** @type {string} */ occasions, /** @type {string[]} */ members) => {
    const home = [occasions, ...members.map((file) => homes.get(file))].find(
      (entry) => entry && closures.has(entry) && !taken.has(entry),
    );
    if (home) taken.add(home);
    return home;
  };
  return [...byOccasions].flatMap(([occasions, members]) => {
    const home = homeOf(occasions, members);
    if (home) return [{ name: home, members: [home, ...members] }];
    if (members.length === 1) return [];
    // Their names have the hashes of what is in them.
    const hash = createHash('sha256').update(members.join()).digest('hex').slice(0, 8);
    return [{ name: `chunk-${hash.toUpperCase()}.js`, members }];
  });
}

/** @type {(files: Files, file: string) => Set<string>} */
function closureOf(files, file) {
  const found = new Set([file]);
  for (const one of found) for (const next of files.get(one)?.static ?? []) found.add(next);
  return found;
}

/**
 * What is there already when an entry is asked for, whoever does it.
 *
 * @param {Files} files
 * @param {Map<string, Set<string>>} closures
 * @returns {Map<string, Set<string>>}
 */
function earlierOf(files, closures) {
  const askers = (/** @type {string} */ entry) =>
    [...closures.keys()].filter((other) =>
      [...(closures.get(other) ?? [])].some((file) => files.get(file)?.dynamic.includes(entry)),
    );
  /** @type {Map<string, Set<string>>} */
  const earlier = new Map();
  for (const entry of closures.keys()) {
    earlier.set(entry, new Set(askers(entry).length > 0 ? files.keys() : []));
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const [entry, there] of earlier) {
      for (const asker of askers(entry)) {
        for (const file of there) {
          if (closures.get(asker)?.has(file) || earlier.get(asker)?.has(file)) continue;
          there.delete(file);
          changed = true;
        }
      }
    }
  }
  return earlier;
}

/**
 * In a group its members are what they are; everywhere else they are the group's exports.
 *
 * @param {Files} files
 * @param {Group[]} groups
 * @param {string} from
 * @returns {Plugin}
 */
function merging(files, groups, from) {
  const groupOf = new Map(groups.flatMap((group) => group.members.map((file) => [file, group])));
  const named = new Map(groups.map((group) => [group.name, group]));
  const clause = (
    /** @type {Group} */ { name, members },
    /** @type {string} */ member,
    turned = false,
  ) => {
    const number = members.indexOf(member);
    const names = files.get(member)?.exports ?? [];
    // Whoever asks for an entry looks for its own names.
    if (member === name) return names.join();
    return names
      .map((one) => (turned ? `${one}_${number} as ${one}` : `${one} as ${one}_${number}`))
      .join();
  };
  return {
    name: 'chunks by their occasions',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, importer, kind, namespace }) => {
        const file = basename(path);
        const group = groupOf.get(file);
        if (kind === 'entry-point')
          return named.has(file) ? { path, namespace: 'group' } : undefined;
        if (!group || kind === 'dynamic-import' || namespace === 'member') {
          return { path, external: true };
        }
        const inside = importer === group.name || group.members.includes(basename(importer));
        if (inside) return { path: join(from, file) };
        // What is not used of it is not imported.
        return { path: file, namespace: 'member', sideEffects: false };
      });
      build.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => {
        const group = /** @type {Group} */ (named.get(path));
        const lines = group.members.map(
          (file) => `export {${clause(group, file)}} from './${file}';`,
        );
        return { contents: lines.join('\n'), resolveDir: from };
      });
      build.onLoad({ filter: /./, namespace: 'member' }, ({ path }) => {
        const group = /** @type {Group} */ (groupOf.get(path));
        const contents = `export {${clause(group, path, true)}} from './${group.name}';`;
        return { contents };
      });
      build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const contents = await readFile(path, 'utf8');
        const at = (/** @type {RegExp} */ place) =>
          [...contents.matchAll(place)].map(([, file = '']) => groupOf.get(file)?.name ?? file);
        // What is imported for others' sake: so it is asked for at once.
        const others = new Set(at(/\bimport"\.\/([\w-]+\.js)"/g));
        for (const file of at(/\bfrom"\.\/([\w-]+\.js)"/g)) others.delete(file);
        others.delete(groupOf.get(basename(path))?.name ?? '');
        const imports = [...others].map((file) => `import './${file}';`).join('');
        return { contents: `${contents}\n${imports}`, resolveDir: from };
      });
    },
  };
}
