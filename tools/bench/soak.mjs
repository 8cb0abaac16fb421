// SPDX-License-Identifier: MIT
//
// What a page holds after very much: a million tokens in one session, a thousand models loaded and
// broken off, a thousand sessions cloned, saved, restored, rewound and written together. Memory and
// speed at the beginning, after a tenth, after half and at the end, as they are and with garbage collected.

import { readdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { ensureChromium } from '../setup/chromium.mjs';
import { kSmallModel, markdown } from './command-line.mjs';
import { measureInPage } from './peers/page.mjs';

/**
 * @typedef {object} Told
 * @property {number} done tokens or rounds
 * @property {number} rate of them a second since the mark before
 * @property {number} [againstNew] a text's rate, of that of one which has just begun, in turns
 * @property {number} heapBytes of WebAssembly, 0 where there is no model
 * @property {number} heapInUse
 *
 * @typedef {Told & { resident: number, collected: number }} Mark with the bytes that Chromium's
 *     renderers hold, before and after JavaScript's garbage is collected
 */

const kNeverMs = 12 * 60 * 60_000;
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
    /** @type {Mark[]} */
    const marks = [];
    const work = { kind, model: kSmallModel, count, threads: Number(values.threads) };
    const flags = ['--js-flags=--expose-gc'];
    const ready = (/** @type {import('playwright-core').Page} */ page) => listen(page, marks);
    await measureInPage('soak', work, AbortSignal.timeout(kNeverMs), {}, { flags, ready });
    // A page needs a while until it has all that it will ever hold.
    const shown = new Set(
      [0, 0.1, 0.5, 1].map((part) => marks[Math.round(part * (marks.length - 1))]),
    );
    for (const mark of shown) rows.push(row(kind, mark));
  }
  const head = [
    '',
    'done',
    'a second',
    'of a new one',
    'heap, MB',
    'in use, MB',
    'resident, MB',
    'without garbage, MB',
  ];
  return markdown(head, rows);
}

/** @type {(kind: string, mark: Mark) => unknown[]} */
function row(kind, { done, rate, againstNew, heapBytes, heapInUse, resident, collected }) {
  const megabytes = (/** @type {number} */ bytes) => (bytes > 0 ? (bytes / 1e6).toFixed(1) : '');
  const bytes = [heapBytes, heapInUse, resident, collected].map(megabytes);
  return [kind, done, rate.toFixed(rate < 10 ? 2 : 0), againstNew?.toFixed(2) ?? '', ...bytes];
}

/** @type {(page: import('playwright-core').Page, marks: Mark[]) => Promise<unknown>} */
function listen(page, marks) {
  return page.exposeFunction('tell', async (/** @type {Told} */ told) => {
    const resident = await residentBytes();
    for (const realm of [page, ...page.workers()]) {
      // A worker may have ended by now.
      // @ts-expect-error: there with --expose-gc.
      await realm.evaluate(() => globalThis.gc()).catch(() => {});
    }
    marks.push({ ...told, resident, collected: await residentBytes() });
  });
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
