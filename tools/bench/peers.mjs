// SPDX-License-Identifier: MIT
//
// The same model file in several runtimes: one run of each after another, and again, so that
// whatever else the machine does meets all of them.

import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import { partialCharacterIds } from '../gguf/byte-level-vocabulary.mjs';
import { ensureChromium } from '../setup/chromium.mjs';
import { choosePeers } from './command-line.mjs';
import { letters } from './letters.mjs';
import { madeModel } from './made-model.mjs';
import { fastweights } from './peers/fastweights.mjs';
import { native } from './peers/native.mjs';
import { table } from './peers/report.mjs';
import { wllama } from './peers/wllama.mjs';
import { measureProducts } from './products.mjs';

/**
 * What one run does: load, warm up, read `prompt`, write.
 *
 * @typedef {object} Work
 * @property {string} model path of the GGUF file
 * @property {number} threads
 * @property {string} prompt
 * @property {number} prefill tokens that it is
 * @property {number} decode tokens to write, greedily and past any end of text
 * @property {number[]} partialCharacters tokens that are not text, for runtimes that fail on them
 * @property {{ prompt: string, decode: number }} warmUp what is done first, untimed
 * @property {import('../../web/index.ts').Build} [build] of this package; its own choice by default
 *
 * @typedef {object} Run
 * @property {number} [loadMs] from the address of the file to a model that can answer
 * @property {number} prefillMs until the first token can be drawn
 * @property {number} decodeMs for the tokens after the first
 * @property {number} prefillTokens read
 * @property {number} decodeTokens written
 * @property {number} threads used
 * @property {string} engine what ran, for people
 *
 * @typedef {object} Peer
 * @property {string} name
 * @property {string} version
 * @property {() => Promise<void>} setup installs it
 * @property {(work: Work, signal: AbortSignal, engine?: string) => Promise<Run>} [measure] one run,
 *     from nothing, of those in a page in the browser of that engine; the signal ends it
 * @property {(work: import('./retry.mjs').Talk, signal: AbortSignal) => Promise<import('./retry.mjs').Retries>}
 *     [retry] a conversation whose last message is asked again, and changed
 *
 * @typedef {Run & { coresBusy: number }} WatchedRun coresBusy: of the machine, with what else it did
 * @typedef {{ peer: string, runs: WatchedRun[], error?: string, tookMs?: number }} Row
 * @typedef {{ type: string, threads: number, rows: Row[] }} Case
 */

/** @type {Peer[]} */
const kPeers = [fastweights, wllama, native];
const kLongRunMs = 60_000;
const kPatienceMs = 15 * 60_000;

/** @param {string[]} args */
export async function run(args) {
  const { peers, json, ...settings } = readOptions(args);
  const { shape, types, threads, repeat } = settings;
  await ensureChromium();
  for (const peer of peers) await peer.setup();
  const { int8Gops, readGBps } = await measureProducts([]);
  /** @type {Case[]} */
  const cases = [];
  // At the exit of the process, and only then, the browser of the moment is ended with it.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  for (const type of types) {
    const model = await madeModel(shape, type);
    for (const count of threads) {
      const work = workOf(model, count, settings);
      cases.push({ type, threads: count, rows: await compare(peers, work, repeat) });
    }
  }
  const versions = Object.fromEntries(peers.map(({ name, version }) => [name, version]));
  const report = {
    date: new Date().toISOString(),
    ...settings,
    versions,
    limits: { int8Gops, readGBps },
    cases,
  };
  if (json) await writeFile(json, `${JSON.stringify({ machine: cpus()[0].model, ...report })}\n`);
  return table(report);
}

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      peers: { type: 'string' },
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      types: { type: 'string', default: 'q8_0,q4_0,q4_k_m' },
      threads: { type: 'string', default: '1,2' },
      repeat: { type: 'string', default: '3' },
      prefill: { type: 'string', default: '512' },
      decode: { type: 'string', default: '64' },
      json: { type: 'string' },
    },
  });
  /** @type {(name: string, text: string, least?: number) => number} */
  const whole = (name, text, least = 1) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least) return value;
    throw new RangeError(`--${name} must be a whole number from ${least}, not '${text}'`);
  };
  return {
    json: values.json,
    peers: choosePeers(kPeers, values.peers),
    shape: values.shape,
    types: values.types.split(','),
    threads: values.threads.split(',').map((text) => whole('threads', text)),
    repeat: whole('repeat', values.repeat),
    prefill: whole('prefill', values.prefill),
    decode: whole('decode', values.decode, 2),
  };
}

/**
 * @param {string} model
 * @param {number} threads
 * @param {{ prefill: number, decode: number }} tokens
 * @returns {Work}
 */
export function workOf(model, threads, { prefill, decode }) {
  // Engines compile their hot loops while they run. The prompts have no beginning in common that a
  // runtime could have kept.
  const warmUp = { prompt: letters(64, 1), decode: 8 };
  const prompt = letters(prefill, 0);
  const partialCharacters = partialCharacterIds();
  return { model, threads, prompt, prefill, decode, partialCharacters, warmUp };
}

/**
 * @param {Peer[]} peers
 * @param {Work} work
 * @param {number} repeat
 * @returns {Promise<Row[]>} one a peer
 */
export async function compare(peers, work, repeat) {
  /** @type {Row[]} */
  const rows = peers.map(({ name }) => ({ peer: name, runs: [] }));
  for (let turn = 0; turn < repeat; turn++) {
    for (const [i, peer] of peers.entries()) {
      const row = rows[i];
      if (row.error || !peer.measure || (row.tookMs ?? 0) > kLongRunMs) continue;
      const start = performance.now();
      const idleBefore = idleMs();
      try {
        const measured = await peer.measure(work, AbortSignal.timeout(kPatienceMs));
        const idle = (idleMs() - idleBefore) / (performance.now() - start);
        row.runs.push({ ...checked(work, measured), coresBusy: cpus().length - idle });
      } catch (error) {
        const { name, message } = /** @type {Error} */ (error);
        // Below the first line, errors of pages have their stack.
        const [line] = message.split('\n');
        row.error = name === 'TimeoutError' ? 'no answer in 15 minutes' : line;
      }
      row.tookMs = performance.now() - start;
      say(work, row);
    }
  }
  return rows;
}

/** Time that processors had nothing to do, since the machine started. */
function idleMs() {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}

/**
 * @throws when a runtime did less or more than it was asked to
 * @param {Work} work
 * @param {Run} run
 */
function checked({ prefill, decode, threads }, run) {
  const asked = [prefill, decode, threads];
  const done = [run.prefillTokens, run.decodeTokens, run.threads];
  if (asked.join() === done.join()) return run;
  throw new Error(
    `read, wrote and used threads: ${done.join(', ')} instead of ${asked.join(', ')}`,
  );
}

/** @type {(work: Work, row: Row) => void} */
function say({ model, threads }, { peer, runs, error, tookMs = 0 }) {
  const file = basename(model);
  const { prefillMs = 0, decodeMs = 0 } = runs.at(-1) ?? {};
  const found = error ?? `read in ${prefillMs.toFixed(0)} ms, wrote in ${decodeMs.toFixed(0)} ms`;
  const seconds = (tookMs / 1000).toFixed(0);
  process.stderr.write(`${file}, ${threads} threads, ${peer}: ${found} (${seconds} s)\n`);
}
