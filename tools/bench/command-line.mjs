// SPDX-License-Identifier: MIT

import { join } from 'node:path';

import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { ensureNode24 } from '../setup/node24.mjs';

export { kEmbeddedModel, kSmallModel } from '../setup/embedded-model.mjs';

/** The builds with an engine each that runs them, the newest last. */
export async function engines() {
  const newest = await newestEngine();
  return [
    { build: 'simd128', node: process.execPath },
    { build: 'simd128', node: newest.node },
    newest,
  ];
}

export async function newestEngine() {
  return { build: 'relaxed', node: await ensureNode24() };
}

/**
 * The one JSON object that a command of the package prints.
 * @type {(node: string, args: string[]) => Promise<any>}
 */
export async function fastweights(node, args) {
  const cli = join(projectFolder, 'dist', 'cli.js');
  const { stdout } = await runCommand(node, [cli, ...args, '--json'], { capture: true });
  return JSON.parse(stdout);
}

/** @param {string} node */
export async function nodeVersion(node) {
  return (await runCommand(node, ['--version'], { capture: true })).stdout.trim();
}

/**
 * The peers that an option names, in its order.
 *
 * @template {{ name: string }} T
 * @param {T[]} known
 * @param {string} [names] with commas between them; all by default
 * @returns {T[]}
 */
export function choosePeers(known, names) {
  if (names === undefined) return known;
  return names.split(',').map((name) => {
    const found = known.find((peer) => peer.name === name);
    if (found) return found;
    const all = known.map((peer) => peer.name).join(', ');
    throw new RangeError(`--peers knows ${all}, not '${name}'`);
  });
}

/**
 * A Markdown table.
 * @type {(head: unknown[], rows: unknown[][]) => string}
 */
export function markdown(head, rows) {
  /** @param {unknown[]} cells */
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
