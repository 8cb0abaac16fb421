// SPDX-License-Identifier: MIT
//
// A long conversation whose last message is asked again, as it was and changed: how soon the new
// answer begins, and how many tokens are read for it.

import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { byteLevelVocabulary } from '../gguf/byte-level-vocabulary.mjs';
import { ensureChromium } from '../setup/chromium.mjs';
import { median } from './clock.mjs';
import { choosePeers, markdown } from './command-line.mjs';
import { letters } from './letters.mjs';
import { madeModel } from './made-model.mjs';
import { fastweights } from './peers/fastweights.mjs';
import { transformers } from './peers/transformers.mjs';
import { wllama } from './peers/wllama.mjs';

/**
 * @typedef {object} Talk
 * @property {string} model path of the GGUF file
 * @property {string} shape of the model, for runtimes that read another format
 * @property {number} threads
 * @property {string[]} turns the user's messages, of which the last is asked again
 * @property {{ token: number, bias: number, tokens: number }} answer of each turn: a token so likely
 *     that every runtime writes it, `tokens` times
 * @property {string[]} edits what the last message is changed to, one after another
 *
 * @typedef {{ ms: number, tokens: number }} Start from the call to the first token of an answer, and
 *     the tokens read for it
 * @typedef {object} Retries
 * @property {number} heldTokens in the conversation
 * @property {{ retry: Start, edit: Start }[]} runs one an edit
 * @property {number} threads used
 * @property {string} engine what ran, for people
 * @property {string} [weights] what they are stored as, where that is not the file's type
 *
 * @typedef {Retries & { type: string, peer: string, version: string }} Case
 */

const kPeers = [fastweights, wllama, transformers];
const kAsked = /** @type {const} */ (['retry', 'edit']);
const kTurns = 8;
const kTurnTokens = 200;
const kLastTokens = 24;
const kAnswerTokens = 32;
const kPatienceMs = 30 * 60_000;

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      types: { type: 'string', default: 'q4_k_m' },
      threads: { type: 'string', default: '1,2' },
      repeat: { type: 'string', default: '3' },
      peers: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const peers = choosePeers(kPeers, values.peers);
  await ensureChromium();
  for (const peer of peers) await peer.setup();
  /** @type {Case[]} */
  const cases = [];
  // At the exit of the process, and only then, the browser of the moment is ended with it.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  for (const type of values.types.split(',')) {
    const model = await madeModel(values.shape, type);
    for (const threads of values.threads.split(',').map(Number)) {
      for (const { name, version, retry } of peers) {
        if (!retry) continue;
        const talk = talkOf(model, values.shape, threads, Number(values.repeat));
        const found = await retry(talk, AbortSignal.timeout(kPatienceMs));
        if (found.threads !== threads) throw new Error(`${name} used ${found.threads} threads`);
        cases.push({ ...found, type, peer: name, version });
        process.stderr.write(`${JSON.stringify(cases.at(-1))}\n`);
      }
    }
  }
  const report = { date: new Date().toISOString(), machine: cpus()[0].model, ...values, cases };
  if (values.json) await writeFile(values.json, `${JSON.stringify(report)}\n`);
  return table(report);
}

/**
 * @param {string} model
 * @param {string} shape
 * @param {number} threads
 * @param {number} repeat
 * @returns {Talk}
 */
function talkOf(model, shape, threads, repeat) {
  // A template trims what it is given.
  const question = (/** @type {number} */ count, /** @type {number} */ first) =>
    letters(count, first).trim();
  const turns = Array.from({ length: kTurns }, (_, i) => question(kTurnTokens, i));
  const edits = Array.from({ length: repeat }, (_, i) => question(kLastTokens, 20 - i));
  // A digit is a token by itself wherever it stands: the answer, as text, is the same tokens again.
  const token = byteLevelVocabulary(600).tokens.indexOf('7');
  const answer = { token, bias: 100, tokens: kAnswerTokens };
  return { model, shape, threads, turns: [...turns, question(kLastTokens, 24)], answer, edits };
}

/** @param {{ shape: string, repeat: string, cases: Case[] }} report */
function table({ shape, repeat, cases }) {
  /** @type {(found: Case, kind: 'retry' | 'edit', what: keyof Start) => number} */
  const middle = ({ runs }, kind, what) => median(runs.map((one) => one[kind][what]));
  const rows = cases.map((one) => {
    const ours =
      cases.find(({ type, threads }) => type === one.type && threads === one.threads) ?? one;
    return [
      ...[one.weights ?? one.type, one.threads, one.peer, one.heldTokens],
      ...kAsked.flatMap((kind) => {
        const ms = middle(one, kind, 'ms');
        const ratio = one === ours ? '' : `${(ms / middle(ours, kind, 'ms')).toFixed(1)}x`;
        return [ms.toFixed(0), middle(one, kind, 'tokens'), ratio];
      }),
    ];
  });
  const engines = new Set(
    cases.map(({ peer, version, engine }) => `${peer} ${version} (${engine})`),
  );
  const head = [
    ...['weights', 'threads', 'runtime', 'tokens held'],
    ...['the same question: ms', 'tokens read', 'to the first'],
    ...['another: ms', 'tokens read', 'to the first'],
  ];
  return [
    `${shape}, random weights: the last of ${kTurns + 1} questions of a conversation asked again, and changed;`,
    `milliseconds from the call to the first token of the answer, medians of ${repeat}.`,
    `${[...engines].join('; ')}.\n`,
    markdown(head, rows),
  ].join('\n');
}
