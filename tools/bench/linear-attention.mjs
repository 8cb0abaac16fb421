// SPDX-License-Identifier: MIT
//
// AssociativeMemory beside the same operator of onnxruntime-web, `com.microsoft.LinearAttention`:
// through the interface that users of each have, one thread, in Node and in Chromium.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureChromium } from '../setup/chromium.mjs';
import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { ensureNode24 } from '../setup/node24.mjs';
import { ensureNpmPackages } from '../setup/npm-packages.mjs';
import { markdown, nodeVersion } from './command-line.mjs';
import { evaluateInPage } from './peers/page.mjs';

const kVersion = '1.30.0';
const kProgram = join(import.meta.dirname, 'linear-attention', 'node-run.mjs');
const kPatienceMs = 15 * 60_000;

/** @type {Record<string, (folder: string, work: Work) => Promise<Found>>} */
const kEngines = { node: compareInNode, chromium: compareInChromium };

/**
 * @typedef {{ tokens: number[], repeat: number }} Work
 * @typedef {{ engine: string, rows: import('./linear-attention/compare.js').Compared[] }} Found
 */

/** Names of the engines there are. */
export const kEngineNames = Object.keys(kEngines);

/**
 * @param {string[]} engines
 * @param {Work} work
 * @returns {Promise<Found[]>}
 */
export async function compareLinearAttention(engines, work) {
  const modules = await ensureNpmPackages('peers/onnxruntime', [`onnxruntime-web@${kVersion}`]);
  const folder = join(modules, 'onnxruntime-web');
  /** @type {Found[]} */
  const found = [];
  for (const engine of engines) found.push(await kEngines[engine](folder, work));
  return found;
}

/** @type {(folder: string, work: Work) => Promise<Found>} */
async function compareInNode(folder, work) {
  const node = await ensureNode24();
  const paths = [
    join(projectFolder, 'dist', 'index.js'),
    join(folder, 'dist', 'ort.node.min.mjs'),
  ].map((path) => pathToFileURL(path).href);
  const { stdout } = await runCommand(node, [kProgram, ...paths, JSON.stringify(work)], {
    capture: true,
  });
  return { engine: `Node ${await nodeVersion(node)}`, rows: JSON.parse(stdout) };
}

/** @type {(folder: string, work: Work) => Promise<Found>} */
async function compareInChromium(folder, work) {
  await ensureChromium();
  const { result, version } = await evaluateInPage(
    'linear-attention',
    work,
    AbortSignal.timeout(kPatienceMs),
    { onnxruntime: folder },
  );
  return { engine: `Chromium ${version}`, rows: result };
}

/** @param {Found} found */
export function linearAttentionTable({ engine, rows }) {
  /** @param {number} ms */
  const time = (ms) => (1000 * ms).toFixed(ms < 1 ? 1 : 0);
  const head = ['rule', 'tokens', 'ours, us', 'theirs, us', 'ratio', 'difference'];
  const lines = rows.map(({ rule, tokens, oursMs, theirsMs, difference }) => [
    rule,
    tokens,
    time(oursMs),
    time(theirsMs),
    `${(theirsMs / oursMs).toFixed(1)}x`,
    difference.toExponential(0),
  ]);
  return [
    `${engine}, a call of AssociativeMemory beside one of com.microsoft.LinearAttention`,
    `(onnxruntime-web ${kVersion}), arrays given and taken as their users have them; medians, in turns:`,
    `\n${markdown(head, lines)}`,
  ].join('\n');
}
