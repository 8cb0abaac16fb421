// SPDX-License-Identifier: MIT
//
// Every relative link, with its heading, and every `npm run` in the documents must lead somewhere; and
// every guide must be reached from the index of guides.

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

import { exists } from './setup/cache-folder.mjs';
import { projectFolder } from './setup/node-modules.mjs';

const kDocuments = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...['demo/models/README.md', 'tests/models/README.md'],
  'demo/examples/extension/README.md',
];
const kIndex = 'docs/README.md';

/** @returns {Promise<string[]>} one line per link that is broken */
export async function checkLinks(root = projectFolder) {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const names = await readdir(join(root, 'docs'));
  const guides = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  /** @type {Map<string, Set<string>>} */
  const headings = new Map();
  /** @param {string} document */
  const headingsIn = async (document) => {
    const found = headings.get(document) ?? anchors(await readFile(join(root, document), 'utf8'));
    headings.set(document, found);
    return found;
  };
  const broken = [];
  const indexed = new Set([kIndex]);
  for (const document of [...kDocuments, ...guides]) {
    const text = prose(await readFile(join(root, document), 'utf8'));
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path, heading] = target.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path));
      if (document === kIndex) indexed.add(file);
      if (!(await exists(join(root, file)))) {
        broken.push(`${document} links to ${target}, which is not there`);
      } else if (heading && file.endsWith('.md') && !(await headingsIn(file)).has(heading)) {
        broken.push(`${document} links to ${target}, but ${file} has no such heading`);
      }
    }
    for (const [, script] of text.matchAll(/npm run ([a-z-]+)/g)) {
      if (!scripts[script]) broken.push(`${document} names npm run ${script}, which is no script`);
    }
  }
  for (const guide of guides) {
    if (!indexed.has(guide)) broken.push(`${kIndex} does not link to ${guide}`);
  }
  return broken;
}

/**
 * A document without its fenced code, in which brackets are no links and `#` begins no heading.
 *
 * @param {string} text
 */
const prose = (text) => text.replace(/^```.*?^```$/gms, '');

/**
 * What GitHub calls the headings of a document.
 *
 * @param {string} text
 */
function anchors(text) {
  const found = new Set();
  for (const [, heading] of prose(text).matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    found.add(words.replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-'));
  }
  return found;
}
