// SPDX-License-Identifier: MIT

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { exists } from '../setup/cache-folder.mjs';
import { projectFolder } from '../setup/node-modules.mjs';

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
  const extension = join(source, 'extension');
  const target = join(projectFolder, 'build');
  await copyPages(source, join(target, 'demo'), (path) => path !== extension);
  await copyPages(extension, join(target, 'extension'));
  await cp(join(source, 'models'), join(target, 'extension', 'models'), { recursive: true });
}

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
  const address = `./${relative(dirname(path), join(place, 'index.js'))}`;
  const changed = text.replaceAll(/(from |import\()'fastweights'/g, `$1'${address}'`);
  if (changed !== text) await writeFile(path, changed);
}
