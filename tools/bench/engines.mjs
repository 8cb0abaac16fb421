// SPDX-License-Identifier: MIT
//
// Every build in every browser, wllama beside it: the embedded model and random weights at a real
// shape, in turns, so that whatever else the machine does meets all of them.

import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { engineNamed, kEngines } from '../browsers/engines.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { kEmbeddedModel, markdown } from './command-line.mjs';
import { madeModel } from './made-model.mjs';
import { fastweights } from './peers/fastweights.mjs';
import { evaluateInPage } from './peers/page.mjs';
import { median } from './peers/report.mjs';
import { wllama } from './peers/wllama.mjs';
import { compare, workOf } from './peers.mjs';

const kPatienceMs = 60_000;
// Of text that the embedded model was trained for.
const kStory = ' Once upon a time there was a little fox who lived near a river.';

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string} version
 * @property {string[]} builds that it can run
 * @property {boolean} threads whether it shares memory
 */

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

  const size = { prefill: Number(values.prefill), decode: Number(values.decode) };
  const load = [loadavg()[0]];
  const cases = [];
  for (const [title, workWith, others] of [
    // All its layers are linear: llama.cpp aborts, for want of a key-value cache.
    ['embedded, 17 M, q8_0', await storyWork(), []],
    [`${values.shape}, ${values.type}`, await shapeWork(values.shape, values.type, size), [wllama]],
  ]) {
    for (const threads of values.threads.split(',').map(Number)) {
      const peers = engines.flatMap((engine) => peersIn(engine, threads, others));
      const rows = await compare(peers, workWith(threads), Number(values.repeat));
      cases.push({ title, threads, rows });
    }
  }
  load.push(loadavg()[0]);
  const report = { date: new Date().toISOString(), machine: cpus()[0].model, ...values };
  const found = { ...report, engines, load, cases };
  if (values.json) await writeFile(values.json, `${JSON.stringify(found)}\n`);
  return table(found);
}

/** @returns {Promise<Engine>} */
async function lookAt(name) {
  const signal = AbortSignal.timeout(kPatienceMs);
  const { result, version } = await evaluateInPage('features', {}, signal, {}, name);
  const builds = result.relaxed ? ['simd128', 'relaxed'] : ['simd128'];
  return { name, version, builds, threads: result.threads };
}

/** @param {Engine} engine @returns {import('./peers.mjs').Peer[]} named by engine and build */
function peersIn({ name, builds, threads: shares }, threads, others) {
  if (threads > 1 && !shares) return [];
  const ours = builds.map((build) => ({
    ...fastweights,
    name: `${name} ${build}`,
    measure: (work, signal) => fastweights.measure({ ...work, build }, signal, name),
  }));
  const theirs = others.map((peer) => ({
    ...peer,
    name: `${name} ${peer.name}`,
    measure: (work, signal) => peer.measure(work, signal, name),
  }));
  return [...ours, ...theirs];
}

/** 512 tokens or so of stories to read, and 128 to write. */
async function storyWork() {
  const { loadModel } = await import(join(projectFolder, 'dist', 'index.js'));
  const model = await loadModel(kEmbeddedModel);
  const prompt = kStory.repeat(32).trim();
  const prefill = await model.countTokens(prompt);
  await model.dispose();
  const warmUp = { prompt: `And then.${kStory.repeat(4)}`, decode: 8 };
  const all = { prompt, prefill, decode: 128, partialCharacters: [], warmUp };
  return (threads) => ({ ...all, model: kEmbeddedModel, threads });
}

async function shapeWork(shape, type, size) {
  const model = await madeModel(shape, type);
  return (threads) => workOf(model, threads, size);
}

function table({ engines, repeat, load, cases }) {
  const rates = (row) => ({
    prefill: median(row.runs.map((run) => (1000 * run.prefillTokens) / run.prefillMs)),
    // The first token comes with the prompt.
    decode: median(row.runs.map((run) => (1000 * (run.decodeTokens - 1)) / run.decodeMs)),
  });
  const lines = cases.flatMap(({ title, threads, rows }) =>
    rows.map((row) => {
      const [engine, what] = row.peer.split(' ');
      const found = rates(row);
      const other = rates(rows.find(({ peer }) => peer === `${engine} wllama`) ?? { runs: [] });
      const ratio = (name) =>
        what === 'wllama' ? '' : cell(found[name] / other[name], (value) => `${value.toFixed(1)}x`);
      return [
        ...[title, threads, engine, what],
        ...['prefill', 'decode'].flatMap((name) => [cell(found[name], digits), ratio(name)]),
        cell(median(row.runs.map(({ coresBusy }) => coresBusy)), digits),
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

const cell = (value, text) => (Number.isFinite(value) ? text(value) : '');
const digits = (value) => value.toFixed(value < 100 ? 1 : 0);
