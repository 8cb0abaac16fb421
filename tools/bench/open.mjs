// SPDX-License-Identifier: MIT
//
// A model is opened in Chromium: from a server on this machine, from its kept file, from weights that were
// kept as they lie in memory; beside it what only reading those bytes into WebAssembly memory takes. Each
// run has a browser of its own on one profile, and each turn all kinds, so that whatever else the machine
// does meets all of them. A browser that has just started has work of its own for some seconds, which is no
// part of a visit: the page is opened `--idle-ms` later.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { serve } from '../serve.mjs';
import { ensureChromium, launchProfile } from '../setup/chromium.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { median } from './clock.mjs';
import { markdown } from './command-line.mjs';
import { madeModel } from './made-model.mjs';
import { kPolicy } from './peers/page.mjs';
import { wllama, wllamaMounts } from './peers/wllama.mjs';

const kPatienceMs = 10 * 60_000;
/** What is done, by its name in pages/open.js; the first one leaves what the others find. */
const kKinds = /** @type {const} */ ({
  download: 'from a server on this machine, nothing kept',
  keep: 'the same, and kept in both forms',
  read: 'only reading the packed weights into memory',
  least: 'the same from the call of a page on, by a worker that compiles the core first',
  packed: 'from the packed weights',
  file: 'from the kept file',
  prefix: 'from the packed weights, a chat from a kept prefix',
  session: 'from the packed weights, a chat that was kept',
  wllama: 'wllama, from a server on this machine',
  'wllama-kept': 'wllama, from its cache',
});

/**
 * @typedef {{ openMs: number, firstTokenMs?: number, bytes: number }} Opened firstTokenMs: since the
 *     navigation to the page
 * @typedef {Opened & { peakBytes: number }} Run peakBytes: of the renderer
 */

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      type: { type: 'string', default: 'q4_k_m' },
      threads: { type: 'string' },
      repeat: { type: 'string', default: '5' },
      'idle-ms': { type: 'string', default: '4000' },
      kinds: { type: 'string', default: Object.keys(kKinds).join() },
    },
  });
  const kinds = values.kinds.split(',');
  // As many as a load takes by itself.
  const half = Math.min(Math.max(availableParallelism() >> 1, 1), 8);
  const threads = Number(values.threads ?? half);
  await ensureChromium();
  const model = await madeModel(values.shape, values.type);
  const profile = await mkdtemp(join(tmpdir(), 'fastweights-open-'));
  const others = kinds.some((kind) => /wllama/.test(kind));
  if (others) await wllama.setup();
  const mounts = { ...(others && wllamaMounts()), models: dirname(model) };
  const server = await serve(projectFolder, { port: 0, policy: kPolicy, mounts });
  /** @type {Map<string, Run[]>} */
  const runs = new Map(kinds.map((kind) => [kind, []]));
  try {
    for (let turn = 0; turn < Number(values.repeat); turn++) {
      for (const [kind, rows] of runs) {
        if (kind === 'keep' && turn > 0) continue;
        const url = `${server.url}models/${basename(model)}`;
        const work = { kind, threads, idleMs: Number(values['idle-ms']), url };
        // Its first one fills its cache.
        if (kind === 'wllama-kept' && turn === 0) await open(profile, server.url, work);
        rows.push(await open(profile, server.url, work));
      }
    }
  } finally {
    await server.close();
    await rm(profile, { recursive: true, force: true });
  }
  return table(runs);
}

/**
 * @param {string} profile
 * @param {string} url
 * @param {{ kind: string, url: string, threads: number, idleMs: number }} work
 * @returns {Promise<Run>}
 */
async function open(profile, url, work) {
  const context = await launchProfile(profile);
  try {
    context.setDefaultTimeout(kPatienceMs);
    const page = await context.newPage();
    await page.waitForTimeout(work.idleMs);
    await page.goto(`${url}tools/bench/peers/pages/page.html`);
    const opened = await page.evaluate(
      async (given) => (await import(given.module)).measure(given),
      {
        ...work,
        module: `/tools/bench/peers/pages/${/wllama/.test(work.kind) ? 'wllama-' : ''}open.js`,
      },
    );
    return { ...opened, peakBytes: await peakBytes() };
  } finally {
    await context.close();
  }
}

/** The most that a renderer which this process has started has held in memory. */
async function peakBytes() {
  const parents = new Map();
  const peaks = new Map();
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    parents.set(Number(id), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    if (!command.includes('--type=renderer')) continue;
    peaks.set(Number(id), 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
  }
  const ours = (/** @type {number} */ id) => {
    for (let above = id; above > 1; above = parents.get(above) ?? 0) {
      if (above === process.pid) return true;
    }
    return false;
  };
  return Math.max(0, ...[...peaks].filter(([id]) => ours(id)).map(([, bytes]) => bytes));
}

/** @param {Map<string, Run[]>} runs */
function table(runs) {
  /** @type {(kind: string, of: (run: Run) => number | undefined) => number} */
  const middle = (kind, of) => median((runs.get(kind) ?? []).map((run) => of(run) ?? Number.NaN));
  const reading = middle('read', ({ openMs }) => openMs);
  const lines = [...runs.keys()].map((kind) => {
    const title = kKinds[/** @type {keyof typeof kKinds} */ (kind)];
    const ms = middle(kind, ({ openMs }) => openMs);
    const first = middle(kind, ({ firstTokenMs }) => firstTokenMs);
    const bytes = middle(kind, (run) => run.bytes);
    const peak = middle(kind, ({ peakBytes: most }) => most);
    return [
      title,
      ms.toFixed(0),
      (ms / reading).toFixed(2),
      Number.isNaN(first) ? '' : first.toFixed(0),
      (peak / 1e6).toFixed(0),
      ((peak - bytes) / 1e6).toFixed(0),
    ];
  });
  const head = [
    ...['', 'opened in, ms', 'times the reading', 'first token since the navigation, ms'],
    ...['renderer at most, MB', 'above the weights, MB'],
  ];
  return markdown(head, lines);
}
