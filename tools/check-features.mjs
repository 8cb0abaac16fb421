// SPDX-License-Identifier: MIT
//
// What the documents say of interfaces: every "yes" of ours names a test that exists, and the tables in
// docs/comparison.md and README.md are those of docs/features.json. Run with `--write`, it writes them.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import ts from 'typescript';

import { isRow, longTable, read, shortTable } from './features/tables.mjs';
import { projectFolder } from './setup/node-modules.mjs';

/** @import { Features, OwnCell, Row } from './features/tables.mjs' */

/** @type {[document: string, table: (features: Features) => string][]} */
const kTables = [
  ['docs/comparison.md', longTable],
  ['README.md', shortTable],
];
const kBegin =
  '<!-- features: made of docs/features.json by `node tools/check-features.mjs --write` -->';
const kEnd = '<!-- end of features -->';

/** @returns {Promise<string[]>} one line per thing that is wrong */
export async function checkFeatures(root = projectFolder) {
  /** @type {Features} */
  const features = JSON.parse(await readFile(join(root, 'docs', 'features.json'), 'utf8'));
  const wrong = await missingTests(root, features);
  for (const [document, table] of kTables) {
    const text = await readFile(join(root, document), 'utf8');
    const place = placeIn(text);
    if (!place) wrong.push(`${document} has no place for the table of features`);
    else if (text.slice(...place).trim() !== table(features)) {
      wrong.push(`${document} has another table than docs/features.json: ${kBegin.slice(5, -4)}`);
    }
  }
  return wrong;
}

/** @type {(root: string, features: Features) => Promise<string[]>} */
async function missingTests(root, { ours, rows }) {
  /** @type {Map<string, Promise<Set<string>>>} */
  const titles = new Map();
  /** @param {string} file */
  const titlesIn = (file) => {
    const found = titles.get(file) ?? testTitles(join(root, file));
    titles.set(file, found);
    return found;
  };
  const wrong = [];
  for (const row of rows.filter(isRow)) {
    for (const key of Object.keys(ours)) {
      const { word, test } = read(row[key]);
      const where = `docs/features.json, ${row.want}, ${ours[key]}`;
      if (test) {
        const [file, title] = test;
        if (!(await titlesIn(file)).has(title))
          wrong.push(`${where}: ${file} has no test '${title}'`);
      } else if (word !== 'no' && !isLikeATestedOne(row, key))
        wrong.push(`${where}: names no test`);
    }
  }
  return wrong;
}

/** @type {(row: Row, key: string) => boolean} */
function isLikeATestedOne(row, key) {
  const cell = /** @type {OwnCell} */ (row[key]);
  return typeof cell === 'object' && 'like' in cell && read(row[cell.like]).test !== undefined;
}

/**
 * Titles of `test('…')` and `test.each(…)('…')`.
 *
 * @param {string} path
 * @returns {Promise<Set<string>>}
 */
async function testTitles(path) {
  const text = await readFile(path, 'utf8').catch(() => '');
  const found = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && /^test(\.each\b|$)/.test(node.expression.getText())) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) found.add(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

/**
 * Where the table is between its marks.
 *
 * @param {string} text
 * @returns {[begin: number, end: number] | undefined}
 */
function placeIn(text) {
  const begin = text.indexOf(kBegin);
  const end = text.indexOf(kEnd);
  return begin < 0 || end < begin ? undefined : [begin + kBegin.length, end];
}

if (process.argv[1] === import.meta.filename && process.argv.includes('--write')) {
  const features = JSON.parse(await readFile(join(projectFolder, 'docs', 'features.json'), 'utf8'));
  for (const [document, table] of kTables) {
    const path = join(projectFolder, document);
    const text = await readFile(path, 'utf8');
    const place = placeIn(text);
    if (!place) throw new Error(`${document} has no place for the table`);
    await writeFile(
      path,
      `${text.slice(0, place[0])}\n${table(features)}\n${text.slice(place[1])}`,
    );
  }
}
