// SPDX-License-Identifier: MIT
//
// That every file which names the package's version names the same one. Run directly, as npm does before
// it publishes, also that all which package.json exports has been built; `check-release.mjs v1.2.3` holds
// the version against a release's tag.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';
import { kBuilds } from './build/wasm.mjs';
import { exists } from './setup/cache-folder.mjs';
import { projectFolder } from './setup/node-modules.mjs';

const kExamples = 'demo/examples';

/** @param {string} path */
const readText = (path) => readFile(join(projectFolder, path), 'utf8');
/** @param {string} path */
const readJson = async (path) => JSON.parse(await readText(path));

/** @returns {Promise<string[]>} one line per file that says otherwise than package.json */
export async function checkRelease() {
  const { version } = await readJson('package.json');
  const wrong = [];
  for (const [place, found] of await versions()) {
    if (found !== version) wrong.push(`${place} says ${found}, package.json ${version}`);
  }
  const [, released, date] = /^## (\S+)(?: - (\S+))?$/m.exec(await readText('CHANGELOG.md')) ?? [];
  const cited = parse(await readText('CITATION.cff'))['date-released'];
  if (released === version && date !== cited) {
    wrong.push(`CITATION.cff is of ${cited}, the release in CHANGELOG.md of ${date}`);
  }
  return wrong;
}

/** @returns {Promise<[place: string, version: unknown][]>} */
async function versions() {
  const lock = await readJson('package-lock.json');
  const extension = `${kExamples}/extension/manifest.json`;
  /** @type {[string, unknown][]} */
  const found = [
    ['package-lock.json', lock.version],
    ["package-lock.json's first package", lock.packages[''].version],
    ['CITATION.cff', parse(await readText('CITATION.cff')).version],
    [extension, (await readJson(extension)).version],
  ];
  // What has changed since the last release stands first while there is something.
  const headings = [...(await readText('CHANGELOG.md')).matchAll(/^## (\S+)/gm)];
  const [newest] = headings.map(([, name]) => name).filter((name) => name !== 'Unreleased');
  found.push(['CHANGELOG.md', newest]);
  for (const name of await readdir(join(projectFolder, kExamples))) {
    const path = `${kExamples}/${name}/package.json`;
    if (!(await exists(join(projectFolder, path)))) continue;
    const wanted = (await readJson(path)).dependencies.fastweights;
    found.push([path, wanted.replace(/^\^/, '')]);
  }
  return found;
}

/** @returns {Promise<string[]>} what package.json names and dist/ has not */
async function missingFiles() {
  const { exports, bin } = await readJson('package.json');
  const builds = kBuilds.flatMap((build) =>
    ['mjs', 'wasm'].map((kind) => `dist/wasm/fastweights-${build}.${kind}`),
  );
  const named = JSON.stringify([exports, bin]).match(/(?<=")(\.\/)?dist\/[^"*]+(?=")/g) ?? [];
  const missing = [];
  for (const path of [...named, ...builds]) {
    if (!(await exists(join(projectFolder, path)))) missing.push(`${path} has not been built`);
  }
  return missing;
}

if (process.argv[1] === import.meta.filename) {
  const wrong = [...(await checkRelease()), ...(await missingFiles())];
  const [tag] = process.argv.slice(2);
  const { version } = await readJson('package.json');
  if (tag && tag !== `v${version}`) wrong.push(`the tag is ${tag}, package.json says ${version}`);
  for (const line of wrong) process.stderr.write(`${line}\n`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
