// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { exists } from '../setup/cache-folder.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { writeGuides } from './docs/guides.mjs';
import { placeReference } from './docs/reference.mjs';

/**
 * The demo as folders that run anywhere: build/demo, which any static host can serve, at any address,
 * and build/extension, for a browser to load.
 */
export async function buildDemo() {
  if (!(await exists(join(projectFolder, 'dist', 'wasm')))) {
    process.stderr.write('demo: left out, because dist/wasm has not been built\n');
    return;
  }
  const source = join(projectFolder, 'demo');
  const examples = join(source, 'examples');
  const extension = join(examples, 'extension');
  const target = join(projectFolder, 'build');
  await copyPages(source, join(target, 'demo'), (path) => path !== examples);
  await bundleWorker(join('device', 'weights-worker.js'), source, join(target, 'demo'));
  const docs = join(target, 'demo', 'docs');
  const withReference = await placeReference(join(docs, 'api'));
  await writeGuides(docs, { withReference });
  await listSite(join(target, 'demo'));
  await copyPages(extension, join(target, 'extension'));
  await cp(join(source, 'models'), join(target, 'extension', 'models'), { recursive: true });
}

/**
 * Tells the service worker which files the site has, and their hashes. What differs in one of them is
 * another version.
 *
 * @param {string} folder
 */
export async function listSite(folder) {
  const worker = join(folder, 'sw.js');
  /** @type {Record<string, string>} */
  const files = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) {
    const name = relative(folder, path).replaceAll('\\', '/');
    // Maps are the debugger's, names with a dot the host's; the package for service workers is
    // nobody's here.
    if (name === 'sw.js' || name === 'fastweights/service-worker.js') continue;
    if (/\.map$|(^|\/)\./.test(name)) continue;
    files[name] = hashOf(await readFile(path));
  }
  const site = { version: hashOf(JSON.stringify(files)), files };
  await writeFile(
    worker,
    `const SITE = ${JSON.stringify(site)};\n${await readFile(worker, 'utf8')}`,
  );
}

/** @param {string | Buffer} content */
const hashOf = (content) => createHash('sha256').update(content).digest('hex').slice(0, 16);

/**
 * Pages with the package beside them. Their modules import it by its name, which needs an import map
 * and so an inline script; here the name becomes an address, and the strictest policy will do.
 *
 * @param {string} source
 * @param {string} target
 * @param {(path: string) => boolean} [isWanted]
 */
async function copyPages(source, target, isWanted = () => true) {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await cp(source, target, {
    recursive: true,
    filter: (path) => isWanted(path) && !/(tsconfig\.json|\.d\.ts)$/.test(path),
  });
  const place = join(target, 'fastweights');
  for (const name of await readdir(target, { recursive: true })) {
    if (name.endsWith('.js')) await nameToAddress(join(target, name), place);
  }
  await copyPackage(place);
}

/**
 * A worker that uses what stands in tools/: one file, as pages are served without that.
 *
 * @type {(name: string, source: string, target: string) => Promise<void>}
 */
async function bundleWorker(name, source, target) {
  const { build } = await import('esbuild');
  const entryPoints = [join(source, name)];
  const manner = /** @type {const} */ ({ bundle: true, format: 'esm', target: 'es2022' });
  await build({ ...manner, entryPoints, outfile: join(target, name), allowOverwrite: true });
}

/** @param {string} place */
async function copyPackage(place) {
  const dist = join(projectFolder, 'dist');
  await mkdir(place);
  for (const name of await readdir(dist)) {
    if (/\.js(\.map)?$/.test(name) && !name.startsWith('cli.')) {
      await cp(join(dist, name), join(place, name));
    }
  }
  await cp(join(dist, 'wasm'), join(place, 'wasm'), {
    recursive: true,
    filter: (path) => !path.endsWith('.d.ts'),
  });
}

/** @type {(path: string, place: string) => Promise<void>} */
async function nameToAddress(path, place) {
  const text = await readFile(path, 'utf8');
  const folder = `./${relative(dirname(path), place)}`;
  const changed = text.replaceAll(
    /(from |import |import\()'fastweights(?:\/(worker))?'/g,
    (_, before, entry = 'index') => `${before}'${folder}/${entry}.js'`,
  );
  if (changed !== text) await writeFile(path, changed);
}
