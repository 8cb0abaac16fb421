// SPDX-License-Identifier: MIT
//
// docs/features.json as tables: what a developer may want of a text interface, which interfaces of this
// package have it and by which test that is shown, and which peers have it.

/**
 * What an interface of ours has: `yes` names the test that shows it, its file and title; `like` another
 * interface, since it is the engine's.
 * @typedef {'no' | { yes: [file: string, title: string] } | { like: string } | { no: string }
 *     | { part: string, test: [file: string, title: string] }} OwnCell
 *
 * @typedef {'yes' | 'no' | { no: string } | { part: string } | { unknown: string }} PeerCell
 *
 * @typedef {{ group: string }} Group
 * @typedef {{ want: string, short?: boolean } & Record<string, OwnCell | PeerCell>} Row
 *
 * @typedef {object} Features
 * @property {string} date when peers were looked at
 * @property {Record<string, string>} ours by key of cells: what a column is called
 * @property {Record<string, { name: string, by: string }>} peers and by what is said of them
 * @property {(Group | Row)[]} rows
 */

/** @type {(row: Group | Row) => row is Row} */
export const isRow = (row) => 'want' in row;

/**
 * Every row and column, tests linked, with notes below.
 *
 * @param {Features} features
 */
export function longTable({ ours, peers, rows }) {
  /** @type {string[]} */
  const notes = [];
  /** @param {string} text */
  const noted = (text) => {
    if (!notes.includes(text)) notes.push(text);
    return ` (${notes.indexOf(text) + 1})`;
  };
  const columns = [...Object.keys(ours), ...Object.keys(peers)];
  const names = [...Object.values(ours), ...Object.values(peers).map(({ name }) => name)];
  const lines = rows.map((row) => {
    if (!isRow(row)) return `| **${row.group}** |${' |'.repeat(columns.length)}`;
    const cells = columns.map((column) => {
      const { word, note, test } = read(row[column]);
      const linked = test ? `[${word}](../${test[0]} "${test[1].replaceAll('"', "'")}")` : word;
      return linked + (note === undefined ? '' : noted(note));
    });
    return `| ${row.want} | ${cells.join(' | ')} |`;
  });
  const list = notes.map((note, i) => `${i + 1}. ${note}`);
  return [...heading(['', ...names]), ...lines, '', ...list].join('\n');
}

/**
 * The rows that most ask for, for the README: by which of our interfaces, and the words alone of peers.
 *
 * @param {Features} features
 */
export function shortTable({ ours, peers, rows }) {
  const lines = rows.flatMap((row) => {
    if (!isRow(row) || !row.short) return [];
    /** @param {string} wanted */
    const through = (wanted) => Object.keys(ours).filter((key) => read(row[key]).word === wanted);
    const [whole, partly] = [through('yes'), through('part')].map((keys) =>
      keys.length === Object.keys(ours).length ? 'all' : keys.map((key) => ours[key]).join(', '),
    );
    const own = [whole, partly && `in part ${partly}`].filter(Boolean).join('; ');
    const cells = Object.keys(peers).map((key) => read(row[key]).word);
    return [`| ${row.want} | ${own || 'no'} | ${cells.join(' | ')} |`];
  });
  const names = Object.values(peers).map(({ name }) => name);
  return [...heading(['', 'fastweights', ...names]), ...lines].join('\n');
}

/** @param {string[]} names */
const heading = (names) => [`| ${names.join(' | ')} |`, `|${' --- |'.repeat(names.length)}`];

/**
 * @param {OwnCell | PeerCell} cell
 * @returns {{ word: 'yes' | 'no' | 'part' | '?', note?: string, test?: [file: string, title: string] }}
 */
export function read(cell) {
  if (typeof cell === 'string') return { word: cell };
  if ('yes' in cell) return { word: 'yes', test: cell.yes };
  if ('like' in cell) return { word: 'yes' };
  if ('no' in cell) return { word: 'no', note: cell.no };
  if ('unknown' in cell) return { word: '?', note: cell.unknown };
  return { word: 'part', note: cell.part, ...('test' in cell ? { test: cell.test } : {}) };
}
