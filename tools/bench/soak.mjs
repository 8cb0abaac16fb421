// SPDX-License-Identifier: MIT
//
// What a page holds after very much: a million tokens in one session, a thousand models loaded and
// broken off, a thousand sessions cloned, saved, restored, rewound and written together. Memory and
// speed at the beginning, after a tenth, after half and at the end.

import { readdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { ensureChromium } from '../setup/chromium.mjs';
import { kEmbeddedModel, markdown } from './command-line.mjs';
import { measureInPage } from './peers/page.mjs';

/**
 * @typedef {object} Mark
 * @property {number} at milliseconds since 1970
 * @property {number} done tokens or rounds
 * @property {number} rate of them a second since the mark before
 * @property {number} heapBytes of WebAssembly, 0 where there is no model
 * @property {number} heapInUse
 */

const kNeverMs = 12 * 60 * 60_000;
const kSampleMs = 1000;
const kKinds = /** @type {const} */ (['tokens', 'loads', 'states']);

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      kinds: { type: 'string', default: kKinds.join() },
      tokens: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '1000' },
      threads: { type: 'string', default: '2' },
    },
  });
  await ensureChromium();
  const rows = [];
  for (const kind of values.kinds.split(',')) {
    const count = Number(kind === 'tokens' ? values.tokens : values.rounds);
    const residents = watchRenderers();
    const work = { kind, model: kEmbeddedModel, count, threads: Number(values.threads) };
    /** @type {Mark[]} */
    const marks = await measureInPage('soak', work, AbortSignal.timeout(kNeverMs));
    const seen = residents.end();
    // A page needs a while until it has all that it will ever hold.
    const shown = new Set(
      [0, 0.1, 0.5, 1].map((part) => marks[Math.round(part * (marks.length - 1))]),
    );
    for (const mark of shown) rows.push(row(kind, mark, seen));
  }
  const head = ['', 'done', 'a second', 'heap, MB', 'in use, MB', 'resident, MB'];
  return markdown(head, rows);
}

/** @type {(kind: string, mark: Mark, seen: { at: number, bytes: number }[]) => unknown[]} */
function row(kind, { at, done, rate, heapBytes, heapInUse }, seen) {
  // Later than the last mark there is no page any more.
  const before = seen.filter((one) => one.at <= at);
  const near = before[before.length - 1] ?? seen[0];
  const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
  const own = [heapBytes, heapInUse].map((bytes) => (bytes > 0 ? megabytes(bytes) : ''));
  return [kind, done, rate.toFixed(rate < 10 ? 2 : 0), ...own, megabytes(near.bytes)];
}

/** Looks every second how much memory Chromium's renderers hold. */
function watchRenderers() {
  /** @type {{ at: number, bytes: number }[]} */
  const seen = [];
  const timer = setInterval(async () => {
    const bytes = await residentBytes();
    if (bytes > 0) seen.push({ at: Date.now(), bytes });
  }, kSampleMs);
  return {
    end() {
      clearInterval(timer);
      return seen;
    },
  };
}

/** Of the renderers that this process has started. */
async function residentBytes() {
  /** @type {Map<number, { parent: number, bytes: number }>} */
  const found = new Map();
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    const resident = 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    const bytes = command.includes('--type=renderer') ? resident : 0;
    found.set(Number(id), { parent, bytes });
  }
  let sum = 0;
  for (const { parent, bytes } of found.values()) {
    let above = parent;
    while (bytes > 0 && above > 1 && above !== process.pid) above = found.get(above)?.parent ?? 0;
    if (above === process.pid) sum += bytes;
  }
  return sum;
}
