// SPDX-License-Identifier: MIT

import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { projectFolder } from '../setup/node-modules.mjs';

/**
 * The demo as a folder that any static host can serve, at any address: the page, the package beside
 * it and the model. The page's modules import the package by its name, which needs an import map
 * and so an inline script; here the name becomes an address, and the strictest policy will do.
 */
export async function buildDemo() {
  const source = join(projectFolder, 'demo');
  const dist = join(projectFolder, 'dist');
  const target = join(projectFolder, 'build', 'demo');
  const hasWasm = await stat(join(dist, 'wasm')).catch(() => null);
  if (!hasWasm) {
    process.stderr.write('demo: left out, because dist/wasm has not been built\n');
    return;
  }
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  /** @param {string} path */
  const filter = (path) => !path.endsWith('tsconfig.json');
  await cp(source, target, { recursive: true, filter });
  const place = join(target, 'fastweights');
  for (const name of await readdir(target, { recursive: true })) {
    if (name.endsWith('.js')) await nameToAddress(join(target, name), place);
  }

  await mkdir(place);
  for (const name of await readdir(dist)) {
    if (/\.js(\.map)?$/.test(name) && !name.startsWith('cli.'))
      await cp(join(dist, name), join(place, name));
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
