// SPDX-License-Identifier: MIT
// The fenced blocks of the documents that readers copy from.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));

/** What is run, what is parsed, and what is no code. */
export const RUN = ['ts', 'tsx', 'js', 'jsx', 'html', 'sh'];
export const PARSED = ['json'];
export const NO_CODE = ['http', 'text'];

const FENCE = /^(?:<!-- not run: (?<reason>.+?) -->\n)?```(?<language>\w*)\n(?<code>.*?)^```$/gms;

/**
 * Every block of README.md and docs, in their order.
 *
 * @returns {{ name: string, document: string, line: number, language: string, code: string,
 *     reason?: string }[]} `reason`: why it is not run, as the comment before it says
 */
export function allBlocks() {
  const guides = readdirSync(join(project, 'docs')).filter((file) => file.endsWith('.md'));
  return ['README.md', ...guides.map((file) => `docs/${file}`)].flatMap((document) =>
    blocksOf(document, readFileSync(join(project, document), 'utf8')),
  );
}

/** Those of a document's text. */
export function blocksOf(document, text) {
  return [...text.matchAll(FENCE)].map(({ index, groups }) => {
    const line = text.slice(0, index).split('\n').length + (groups.reason ? 1 : 0);
    return { name: `${document}:${line}`, document, line, ...groups };
  });
}

/** The scripts of a page: those that are modules, and its import maps. */
export function scriptsOf(html) {
  const scripts = [...html.matchAll(/<script type="(\w+)">(.*?)<\/script>/gs)];
  const of = (wanted) => scripts.filter(([, type]) => type === wanted).map(([, , text]) => text);
  return { modules: of('module'), maps: of('importmap') };
}

/** Its code as one file of a package: where it is, and what stands there. */
export function fileOf({ document, line, language, code }) {
  const folder = basename(document, '.md').toLowerCase();
  // A block that says what its file is called may be imported by that name.
  const [, own] = /^\/\/ ([\w-]+\.m?js)\b/.exec(code) ?? [];
  const suffix = language === 'html' ? 'js' : language;
  const text = language === 'html' ? scriptsOf(code).modules.join('\n') : code;
  return { path: join(folder, own ?? `line-${line}.${suffix}`), text };
}
