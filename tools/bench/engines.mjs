// SPDX-License-Identifier: MIT
//
// Every build in every browser, wllama beside it: the small story model and random weights at a real
// shape, in turns, so that whatever else the machine does meets all of them.

import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { engineNamed, kEngines } from '../browsers/engines.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { median } from './clock.mjs';
import { kSmallModel, markdown } from './command-line.mjs';
import { madeModel } from './made-model.mjs';
import { fastweights } from './peers/fastweights.mjs';
import { evaluateInPage } from './peers/page.mjs';
import { wllama } from './peers/wllama.mjs';
import { compare, workOf } from './peers.mjs';

const kPatienceMs = 60_000;
// Of text that the small story model was trained for.
const kStory = ' Once upon a time there was a little fox who lived near a river.';

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string} version
 * @property {import('../../web/index.ts').Build[]} builds that it can run
 * @property {boolean} shares memory between threads
 *
 * @typedef {object} Subject
 * @property {string} title
 * @property {import('./peers.mjs').Work} work with one thread
 * @property {import('./peers.mjs').Peer[]} others that can run the model
 *
 * @typedef {{ title: string, threads: number, rows: import('./peers.mjs').Row[] }} Case
 */

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      engines: { type: 'string', default: Object.keys(kEngines).join(',') },
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      type: { type: 'string', default: 'q4_k_m' },
      threads: { type: 'string', default: '1,2' },
      prefill: { type: 'string', default: '256' },
      decode: { type: 'string', default: '32' },
      repeat: { type: 'string', default: '3' },
      json: { type: 'string' },
    },
  });
  const names = values.engines.split(',');
  for (const name of names) await engineNamed(name).ensure();
  await wllama.setup();
  const engines = [];
  for (const name of names) engines.push(await lookAt(name));
  // At the exit of the process, and only then, the browser of the moment is ended with it.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

  const model = await madeModel(values.shape, values.type);
  const size = { prefill: Number(values.prefill), decode: Number(values.decode) };
  /** @type {Subject[]} */
  const subjects = [
    // All its layers are linear: llama.cpp aborts, for want of a key-value cache.
    { title: 'stories, 17 M, q8_0', work: await storyWork(), others: [] },
    { title: `${values.shape}, ${values.type}`, work: workOf(model, 1, size), others: [wllama] },
  ];
  const load = [loadavg()[0]];
  /** @type {Case[]} */
  const cases = [];
  for (const { title, work, others } of subjects) {
    for (const threads of values.threads.split(',').map(Number)) {
      const peers = engines
        .filter(({ shares }) => shares || threads === 1)
        .flatMap((engine) => peersIn(engine, others));
      const rows = await compare(peers, { ...work, threads }, Number(values.repeat));
      cases.push({ title, threads, rows });
    }
  }
  load.push(loadavg()[0]);
  const report = { date: new Date().toISOString(), machine: cpus()[0].model, ...values };
  const found = { ...report, engines, load, cases };
  if (values.json) await writeFile(values.json, `${JSON.stringify(found)}\n`);
  return table(found);
}

/**
 * @param {string} name
 * @returns {Promise<Engine>}
 */
async function lookAt(name) {
  const signal = AbortSignal.timeout(kPatienceMs);
  const { result, version } = await evaluateInPage('features', {}, signal, {}, { engine: name });
  /** @type {Engine['builds']} */
  const builds = result.relaxed ? ['simd128', 'relaxed'] : ['simd128'];
  return { name, version, builds, shares: result.shares };
}

/**
 * @param {Engine} engine
 * @param {import('./peers.mjs').Peer[]} others
 * @returns {import('./peers.mjs').Peer[]} named by engine and build, or by engine and runtime
 */
function peersIn({ name, builds }, others) {
  const ours = builds.map((build) => ({
    ...inEngine(fastweights, name, { build }),
    name: `${name} ${build}`,
  }));
  return [...ours, ...others.map((peer) => inEngine(peer, name))];
}

/**
 * @param {import('./peers.mjs').Peer} peer
 * @param {string} engine
 * @param {Partial<import('./peers.mjs').Work>} [more]
 * @returns {import('./peers.mjs').Peer}
 */
function inEngine(peer, engine, more = {}) {
  const { measure } = peer;
  if (!measure) throw new Error(`${peer.name} measures nothing`);
  return {
    ...peer,
    name: `${engine} ${peer.name}`,
    measure: (work, signal) => measure({ ...work, ...more }, signal, engine),
  };
}

/**
 * 500 tokens or so of stories to read, and 128 to write.
 *
 * @returns {Promise<import('./peers.mjs').Work>}
 */
async function storyWork() {
  const { loadModel } = await import(join(projectFolder, 'dist', 'index.js'));
  const model = await loadModel(kSmallModel);
  const prompt = kStory.repeat(32).trim();
  const prefill = await model.countTokens(prompt);
  await model.dispose();
  const warmUp = { prompt: `And then.${kStory.repeat(4)}`, decode: 8 };
  const size = { prefill, decode: 128, threads: 1 };
  return { ...size, prompt, partialCharacters: [], warmUp, model: kSmallModel };
}

/** @param {import('./peers.mjs').Row | undefined} row */
function rates(row) {
  const runs = row?.runs ?? [];
  return {
    prefill: median(runs.map((run) => (1000 * run.prefillTokens) / run.prefillMs)),
    // The first token comes with the prompt.
    decode: median(runs.map((run) => (1000 * (run.decodeTokens - 1)) / run.decodeMs)),
  };
}

/** @param {{ engines: Engine[], repeat: string, load: number[], cases: Case[] }} report */
function table({ engines, repeat, load, cases }) {
  const lines = cases.flatMap(({ title, threads, rows }) =>
    rows.map((row) => {
      const [engine, what] = row.peer.split(' ');
      const found = rates(row);
      const theirs = rates(rows.find(({ peer }) => peer === `${engine} wllama`));
      const ratio = (/** @type {'prefill' | 'decode'} */ name) =>
        what === 'wllama' ? '' : cell(found[name] / theirs[name], 'x');
      return [
        ...[title, threads, engine, what],
        ...[cell(found.prefill), ratio('prefill'), cell(found.decode), ratio('decode')],
        cell(median(row.runs.map(({ coresBusy }) => coresBusy))),
        [row.runs.length, ...(row.error ? [row.error] : [])].join('; '),
      ];
    }),
  );
  const head = [
    ...['model', 'threads', 'engine', 'build', 'prefill, tokens/s', 'to wllama'],
    ...['decode, tokens/s', 'to wllama', 'cores busy', 'runs'],
  ];
  const versions = engines.map(({ name, version }) => `${name} ${version}`).join(', ');
  return [
    `${versions}; wllama ${wllama.version}. Medians of ${repeat}, one run where a run takes over a`,
    `minute. Cores busy: of ${cpus().length}, with whatever else the machine did; its load average was`,
    `${load.map((value) => value.toFixed(1)).join(' at the start and ')} at the end.\n`,
    markdown(head, lines),
  ].join('\n');
}

const cell = (/** @type {number} */ value, unit = '') =>
  Number.isFinite(value) ? value.toFixed(value < 100 ? 1 : 0) + unit : '';
