// SPDX-License-Identifier: MIT
//
// Every relative link and every `npm run` in the documents must lead somewhere.

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { exists } from './setup/cache-folder.mjs';
import { projectFolder } from './setup/node-modules.mjs';

const kDocuments = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** @returns {Promise<string[]>} one line per link that is broken */
export async function checkLinks() {
  const { scripts } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
  const broken = [];
  for (const document of kDocuments) {
    const text = await readFile(join(projectFolder, document), 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      if (!(await exists(join(projectFolder, dirname(document), target)))) {
        broken.push(`${document} links to ${target}, which is not there`);
      }
    }
    for (const [, script] of text.matchAll(/npm run ([a-z-]+)/g)) {
      if (!scripts[script]) broken.push(`${document} names npm run ${script}, which is no script`);
    }
  }
  return broken;
}
