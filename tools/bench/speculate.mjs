// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../setup/command.mjs';
import { bundledRun } from './bundled-run.mjs';
import { kSmallModel, markdown, newestEngine, nodeVersion } from './command-line.mjs';
import { madeModel } from './made-model.mjs';

/**
 * Texts with guesses and without, one after the other in turns: the same tokens, in less time or not.
 * With `--shape` guesses of random weights that are made right by chance. Beside both, what passes over
 * several tokens take.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: kSmallModel },
      threads: { type: 'string', default: '1' },
      repeat: { type: 'string', default: '9' },
      shape: { type: 'string' },
      type: { type: 'string', default: 'q4_0' },
      right: { type: 'string', default: '0.7' },
      quoted: { type: 'string', default: '0.95' },
      decode: { type: 'string', default: '48' },
    },
  });
  if (values.shape !== undefined) return runShape({ ...values, shape: values.shape });
  const script = join(import.meta.dirname, 'speculate-run.mjs');
  const given = [script, values.model, values.threads, values.repeat];
  const rows = [];
  /** @type {unknown[][]} */
  const passRows = [];
  /** @type {string[]} */
  const blockGains = [];
  for (const { node, build } of [
    { node: process.execPath, build: 'simd128' },
    await newestEngine(),
  ]) {
    const { stdout } = await runCommand(node, given, { capture: true });
    /** @type {import('./speculate-run.mjs').Found[]} */
    const found = JSON.parse(stdout);
    const where = `${build}, ${await nodeVersion(node)}`;
    for (const { name, tokens, without, guessed, gain, right } of found) {
      const rate = (/** @type {number} */ ms) => (1000 / ms).toFixed(0);
      // Nothing was guessed where that does not pay.
      const share = Number.isNaN(right) ? '' : `${(100 * right).toFixed(0)} %`;
      rows.push([where, name, tokens, rate(without), rate(guessed), `${gain.toFixed(2)}x`, share]);
    }
    const measured = await passes(values, node);
    passRows.push(...passTable(measured).map((row) => [where, ...row]));
    blockGains.push(...blockGain(where, measured));
  }
  const head = ['build', 'text', 'tokens', 'tokens/s', 'with guesses', 'gain', 'guesses right'];
  return [
    `${values.threads} thread(s), medians of ${values.repeat}\n\n${markdown(head, rows)}`,
    `${kPassTitle}\n\n${markdown(kPassHead, passRows)}`,
    ...blockGains,
  ].join('\n\n');
}

const kPassTitle =
  "Passes over several tokens of a text, beside one token's, the shortest of several:";
const kPassHead = [
  'build',
  'tokens',
  'ms',
  'of one',
  'where no guess is right',
  'products alone',
  'most that guesses gain',
  'if all but products were free',
];

/**
 * @typedef {import('./passes-run.mjs').Passes} Passes
 *
 * @param {{ model: string, threads: string }} values
 * @param {string} node
 * @param {{ repeat: number, passes: number }} [times]
 * @returns {Promise<Passes[]>} over one token, and over more
 */
async function passes({ model, threads }, node, times = { repeat: 9, passes: 50 }) {
  return bundledRun('passes-run', async (file) => {
    const work = JSON.stringify({ file: model, threads: Number(threads), ...times });
    const { stdout } = await runCommand(node, [file, work], { capture: true });
    return JSON.parse(stdout);
  });
}

/**
 * No guesses can gain more than tokens for a pass.
 * @param {Passes[]} found
 */
function passTable(found) {
  const [one] = found;
  return found.map(({ rows, right, wrong, products }) => {
    const more = products / one.products;
    return [
      rows,
      right.toFixed(2),
      (right / one.right).toFixed(2),
      (wrong / one.right).toFixed(2),
      more.toFixed(2),
      `${((rows * one.right) / right).toFixed(2)}x`,
      `${(rows / more).toFixed(2)}x`,
    ];
  });
}

/**
 * What guesses of the file's own block gain at most, by what they and passes take.
 * @type {(where: string, found: Passes[]) => string[]} of a file that has none, nothing
 */
function blockGain(where, found) {
  const [{ right: one, guess }] = found;
  if (guess === undefined) return [];
  const gains = [0.7, 0.8, 0.9, 0.95].map((share) => {
    // Of as many guesses in a row as are best.
    const best = found.map(({ rows, right }) => {
      const tokens = Array.from({ length: rows }, (_, i) => share ** i).reduce((a, b) => a + b);
      return (tokens * one) / (right + (rows - 1) * guess);
    });
    return `${(100 * share).toFixed(0)} % ${Math.max(...best).toFixed(2)}x`;
  });
  const part = (guess / one).toFixed(2);
  return [
    `${where}: a guess of the file's block takes ${part} of a pass over one token. By that, and by what passes take, its guesses gain at most, where so many are right: ${gains.join(', ')}.`,
  ];
}

// A pass over large weights takes long enough to be timed with a few others.
const kShapePasses = { repeat: 5, passes: 4 };
// What a draft of a shape is: random weights of so many layers, and the same vocabulary.
const kDraftLayers = 4;

/**
 * At a shape, with random weights: guesses that are made right as often as `right` says, by the block
 * for multi-token prediction and by a draft, and as often as `quoted` says, by a text that says again
 * what it has said, at what they cost.
 *
 * @param {{ shape: string, type: string, right: string, quoted: string, threads: string,
 *   repeat: string, decode: string }} values
 */
async function runShape({ shape, type, right, quoted, threads, repeat, decode }) {
  const { node, build } = await newestEngine();
  const [plain, withBlock, draft] = [
    await madeModel(shape, type),
    await madeModel(shape, type, { mtp: true }),
    await madeModel(shape, type, { layers: kDraftLayers }),
  ];
  const work = { threads: Number(threads), tokens: Number(decode), repeat: Number(repeat) };
  const rows = await bundledRun('guessed-run', async (file) => {
    const found = [];
    for (const [name, files] of /** @type {const} */ ([
      ['multi-token prediction', { file: withBlock, right }],
      [`a draft of ${kDraftLayers} layers`, { file: plain, draft, right }],
      ['what was said before', { file: plain, quoted: true, right: quoted }],
    ])) {
      const given = JSON.stringify({ ...work, ...files, right: Number(files.right) });
      const { stdout } = await runCommand(node, [file, given], { capture: true });
      const { without, guessed } = JSON.parse(stdout);
      const rate = (/** @type {number} */ ms) => ((1000 * work.tokens) / ms).toFixed(1);
      const gain = `${(without / guessed).toFixed(2)}x`;
      found.push([name, `${100 * Number(files.right)} %`, rate(without), rate(guessed), gain]);
    }
    return found;
  });
  const head = ['guesses', 'right', 'tokens/s', 'with guesses', 'gain'];
  const where = `${shape}, ${type}, ${build}, ${await nodeVersion(node)}`;
  const passRows = passTable(await passes({ model: plain, threads }, node, kShapePasses));
  return [
    `${where}, ${threads} thread(s), medians of ${repeat}\n\n${markdown(head, rows)}`,
    `${kPassTitle}\n\n${markdown(kPassHead.slice(1), passRows)}`,
  ].join('\n\n');
}
