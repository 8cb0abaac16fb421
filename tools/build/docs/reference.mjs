// SPDX-License-Identifier: MIT
//
// The API reference, from the comments of web/, as pages of the demo's site.

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

import { exists, oneAtATime } from '../../setup/cache-folder.mjs';
import { runCommand } from '../../setup/command.mjs';
import { projectFolder } from '../../setup/node-modules.mjs';
import { step } from '../../setup/step.mjs';
import { policyTag, siteNav } from './page.mjs';

// Beside what it shows, it says by which rules it was made.
const kMadeOf = [
  ...['web', 'typedoc.json', 'tsconfig.json', 'package.json'],
  ...['tools/build/docs/page.mjs', 'tools/build/docs/reference.mjs'],
];
const kFolder = join(projectFolder, 'build', 'api');

const kPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Makes it in build/api where what it is made of has changed; that takes 20 s.
 *
 * @throws Error that lists the comments which name what does not exist
 */
export async function makeReference() {
  await mkdir(dirname(kFolder), { recursive: true });
  await oneAtATime(`${kFolder}.making`, async () => {
    const stamp = await hashSources();
    const made = await readFile(join(kFolder, '.complete'), 'utf8').catch(() => '');
    if (made === stamp) return;
    await rm(kFolder, { recursive: true, force: true });
    await step('API reference', async () => {
      const typedoc = join(projectFolder, 'node_modules', '.bin', 'typedoc');
      await runCommand(typedoc, [], { cwd: projectFolder, quiet: true });
      for (const name of await readdir(kFolder, { recursive: true })) {
        if (name.endsWith('.html')) await frame(name);
      }
      await withoutStyle();
    });
    await writeFile(join(kFolder, '.complete'), stamp);
  });
}

/**
 * @param {string} target where it is copied to, if it has been made
 * @returns {Promise<boolean>} whether it has
 */
export async function placeReference(target) {
  if (!(await exists(join(kFolder, '.complete')))) return false;
  await cp(kFolder, target, { recursive: true, filter: (path) => !path.endsWith('.complete') });
  return true;
}

async function hashSources() {
  const hash = createHash('sha256');
  for (const place of kMadeOf) {
    const path = join(projectFolder, place);
    const isFolder = (await stat(path)).isDirectory();
    const names = isFolder ? (await readdir(path, { recursive: true })).sort() : [''];
    for (const name of names) {
      if (isFolder && !/\.\w+$/.test(name)) continue;
      hash.update(`${place}/${name}\n`).update(await readFile(join(path, name)));
    }
  }
  return hash.digest('hex');
}

/**
 * Puts a page of typedoc's into the site: its frame and colours, and a policy that allows what it needs.
 * The one inline script in it only sets the theme that was chosen; the site's is the browser's.
 *
 * @param {string} name of the page, in the folder
 */
async function frame(name) {
  const path = join(kFolder, name);
  const page = await readFile(path, 'utf8');
  const root = '../'.repeat(name.split(sep).length + 1);
  const head =
    `${policyTag(kPolicy)}<meta name="color-scheme" content="light dark">` +
    `<link rel="icon" href="${root}icon.svg" type="image/svg+xml">` +
    `<link rel="stylesheet" href="${root}docs/api.css">`;
  const framed = page
    .replace(/(<meta charset="utf-8"\/>)/, `$1${head}`)
    .replace(/<body><script>[^<]*<\/script>/, `<body>${siteNav(root, 'true')}`)
    .replace(/<div class="tsd-theme-toggle">.*?<\/div>/s, '');
  if (!framed.includes(head) || !framed.includes('class="site"') || /<script>/.test(framed)) {
    throw new Error(`${name}: this version of typedoc writes pages of a form of its own`);
  }
  await writeFile(path, framed);
}

// Its script begins by adding a style element for what may be hidden, which is nothing here, and which no
// policy of ours allows.
async function withoutStyle() {
  const path = join(kFolder, 'assets', 'main.js');
  const script = await readFile(path, 'utf8');
  const kStyle = 'document.createElement("style")';
  if (script.split(kStyle).length !== 2) {
    throw new Error('main.js: this version of typedoc styles its pages in a way of its own');
  }
  await writeFile(path, script.replace(kStyle, 'document.createElement("template")'));
}
