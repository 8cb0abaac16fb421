// SPDX-License-Identifier: MIT
//
// docs/*.md, and whatever Markdown they lead to, as pages of the demo's site.

import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

import { projectFolder } from '../../setup/node-modules.mjs';
import { makeHighlighter } from './highlight.mjs';
import { render } from './markdown.mjs';
import { guidePage } from './page.mjs';

/** @import { Rendered } from './markdown.mjs' */

/**
 * @typedef {{ path: string, file: string, title: string, rendered: Rendered }} Guide
 *
 * @typedef {object} Source a document before it has a page
 * @property {string} text
 * @property {string} title its first heading
 * @property {Set<string>} linked the files that it links to, as the project names them
 */

const kIndex = 'docs/README.md';

/**
 * @param {string} target the folder of the pages, `docs` in the site's
 * @param {object} [options]
 * @param {string} [options.project] whose documents they are
 * @param {boolean} [options.withReference] whether the API reference is beside them, in `api`
 */
export async function writeGuides(target, options = {}) {
  const { project = projectFolder, withReference = false } = options;
  const names = await readdir(join(project, 'docs'));
  const first = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const { guides, pictures } = await readGuides(project, first.sort());
  const ordered = order(guides);
  const reference = withReference ? 'api/index.html' : undefined;
  await mkdir(target, { recursive: true });
  for (const guide of guides.values()) {
    await writeFile(join(target, guide.file), guidePage(guide, ordered, reference));
  }
  for (const path of pictures) {
    const place = join(target, posix.relative('docs', path));
    await mkdir(dirname(place), { recursive: true });
    await cp(join(project, path), place);
  }
}

/**
 * The documents `first`, and those that they link to, and so on.
 *
 * @param {string} project
 * @param {string[]} first
 */
async function readGuides(project, first) {
  /** @type {Map<string, Source>} */
  const sources = new Map();
  const waiting = [...first];
  for (const path of waiting) {
    if (sources.has(path)) continue;
    const source = await readSource(project, path);
    sources.set(path, source);
    waiting.push(...[...source.linked].filter((found) => found.endsWith('.md')));
  }
  /** @type {Map<string, Guide>} */
  const guides = new Map();
  /** @type {Set<string>} */
  const pictures = new Set();
  const highlight = await makeHighlighter();
  for (const [path, { text, title, linked }] of sources) {
    /** @param {string} target */
    const placeOf = (target) => {
      if (isElsewhere(target)) return { address: target };
      const [named, anchor] = target.split('#', 2);
      const found = posix.join(posix.dirname(path), named);
      const address = linked.has(found) ? addressOf(found) : undefined;
      const part = anchor === undefined ? '' : `#${anchor}`;
      return { address: address && address + part, title: sources.get(found)?.title };
    };
    const rendered = render(text, placeOf, highlight);
    guides.set(path, { path, file: pageOf(path), title, rendered });
    for (const found of linked) {
      if (found.startsWith('docs/') && !found.endsWith('.md')) pictures.add(found);
    }
  }
  return { guides, pictures };
}

/** @param {string} target */
const isElsewhere = (target) => /^[a-z]+:|^#/i.test(target);

/** @type {(project: string, path: string) => Promise<Source>} */
async function readSource(project, path) {
  const text = await readFile(join(project, path), 'utf8');
  /** @type {string[]} */
  const targets = [];
  // What they are in the site does not matter here, only what they name.
  const { headings } = render(text, (target) => {
    if (!isElsewhere(target)) targets.push(target.split('#', 1)[0]);
    return { address: target };
  });
  /** @type {Set<string>} */
  const linked = new Set();
  for (const target of targets) {
    const found = posix.join(posix.dirname(path), target);
    const kind = await stat(join(project, found)).catch(() => undefined);
    if (!kind) throw new Error(`${path} links to ${target}, which is not there`);
    if (kind.isFile()) linked.add(found);
  }
  return { text, linked, title: headings[0]?.text ?? path };
}

/** @param {string} path @returns {string} the page of a document */
function pageOf(path) {
  if (path === kIndex) return 'index.html';
  const name = path.replace(/^docs\//, '').replace(/(\/README)?\.md$/, '');
  return `${name.replaceAll('/', '-').toLowerCase()}.html`;
}

/**
 * @param {string} path of a file of the project
 * @returns {string | undefined} its address as seen from a guide; none for sources, which the site has not
 */
function addressOf(path) {
  if (path.endsWith('.md')) return pageOf(path);
  if (path.startsWith('docs/')) return posix.relative('docs', path);
  if (/^demo\/(?!examples\/)/.test(path)) return `../${posix.relative('demo', path)}`;
  return undefined;
}

/**
 * The index and the guides, as the index names them; what it does not name comes last.
 *
 * @param {Map<string, Guide>} guides
 */
function order(guides) {
  const index = guides.get(kIndex);
  if (!index) throw new Error(`${kIndex}, the first page of the documentation, is missing`);
  const own = [...guides.values()].filter(({ path }) => posix.dirname(path) === 'docs');
  /** @param {Guide} guide */
  const place = ({ file }) => {
    const found = index.rendered.html.search(`href="${file}["#]`);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  };
  const rest = own.filter((guide) => guide !== index);
  rest.sort((a, b) => place(a) - place(b) || a.title.localeCompare(b.title));
  return [index, ...rest];
}
