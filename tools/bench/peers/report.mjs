// SPDX-License-Identifier: MIT

import { median } from '../clock.mjs';
import { markdown } from '../command-line.mjs';

/** @import { Case, Row, WatchedRun } from '../peers.mjs' */

/** @type {Record<string, (run: WatchedRun) => number>} */
const kMeasures = {
  load: ({ loadMs = Number.NaN }) => loadMs / 1000,
  prefill: ({ prefillTokens, prefillMs }) => (1000 * prefillTokens) / prefillMs,
  // The first token comes with the prompt.
  decode: ({ decodeTokens, decodeMs }) => (1000 * (decodeTokens - 1)) / decodeMs,
  coresBusy: ({ coresBusy }) => coresBusy,
};

/** @param {Row} row */
export function mediansOf({ runs }) {
  return Object.fromEntries(
    Object.entries(kMeasures).map(([name, of]) => [name, median(runs.map(of))]),
  );
}

/**
 * The report as a Markdown table, with what one must know to read it.
 *
 * @param {object} report
 * @param {string} report.shape
 * @param {number} report.prefill tokens
 * @param {number} report.decode tokens
 * @param {number} report.repeat
 * @param {Record<string, string>} report.versions by name, in the order of the rows
 * @param {{ int8Gops: number, readGBps: number }} report.limits of one wasm thread of the machine
 * @param {Case[]} report.cases
 */
export function table({ shape, prefill, decode, repeat, versions, limits, cases }) {
  const first = Object.keys(versions)[0];
  const engines = Object.entries(versions).map(([name, version]) => {
    const rows = cases.flatMap((one) => one.rows.filter(({ peer }) => peer === name));
    const engine = rows.flatMap(({ runs }) => runs)[0]?.engine;
    return `${name} ${version}${engine ? ` (${engine})` : ''}`;
  });
  const head = [
    ...['weights', 'threads', 'runtime', 'load, s', 'prefill, tokens/s', 'decode, tokens/s'],
    ...['cores busy', `prefill, ${first} to it`, `decode, ${first} to it`, 'runs'],
  ];
  const lines = cases.flatMap(({ type, threads, rows }) => {
    const best = mediansOf(rows[0]);
    return rows.map((row) => [
      type,
      threads,
      row.peer,
      ...cellsOf(row, row === rows[0] ? {} : best),
    ]);
  });
  return [
    `${shape}, random weights, ${prefill} tokens read and ${decode} written greedily by a model just`,
    `loaded and warmed up; medians of ${repeat}, one run where a run takes over a minute. Cores busy: of`,
    `the machine; much more than the threads says that it had other work. ${engines.join('; ')}. One wasm`,
    `thread of the machine: ${limits.int8Gops.toFixed(0)} GOP/s of int8 products, ${limits.readGBps.toFixed(1)} GB/s read.\n`,
    markdown(head, lines),
  ].join('\n');
}

/** @type {(row: Row, first: Record<string, number>) => (string | number)[]} */
function cellsOf(row, first) {
  const found = mediansOf(row);
  /** @type {(value: number, unit?: string) => string} */
  const cell = (value, unit = '') => (Number.isFinite(value) ? value.toFixed(1) + unit : '');
  return [
    ...Object.keys(kMeasures).map((name) => cell(found[name])),
    ...['prefill', 'decode'].map((name) => cell(first[name] / found[name], 'x')),
    [row.runs.length, ...(row.error ? [row.error] : [])].join('; '),
  ];
}
