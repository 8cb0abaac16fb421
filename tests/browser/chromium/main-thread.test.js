// SPDX-License-Identifier: MIT
// Every page stays responsive: nothing holds its thread for more than 50 ms, from the press on the
// button over loading to the last token.
//
// Two things are measured. Processor time of each task of the page's thread, from the browser's
// trace, in every run: it does not depend on what else the machine does. And what a person would
// feel: the browser's own long tasks and the gaps between ticks of a timer. On a busy machine these
// also count the time in which the thread was ready and another process ran, so the best of a few
// runs counts: what blocks the thread blocks it in every run. On a shared machine whose processors are
// half as fast for seconds, gaps of nine runs were 44 to 65 ms with no task of more than 21 ms in them.
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { serve } from '../../../tools/serve.mjs';
import { launch, modelPath, openPage, PATIENCE_MS, projectFolder } from '../support/browser.js';
import { finished, set } from '../support/demo-page.js';

jest.setTimeout(3 * PATIENCE_MS);
const LIMIT_MS = 50;
const RUNS = 10;
let browser;
let server;

beforeAll(async () => {
  const demo = join(projectFolder, 'build/demo');
  [browser, server] = await Promise.all([launch(), serve(demo, { port: 0 })]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));

async function startWatch(page) {
  await page.evaluate(() => {
    const watch = { longest: 0, gap: 0 };
    globalThis.watch = watch;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        watch.longest = Math.max(watch.longest, duration);
      }
    }).observe({ type: 'longtask' });
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      watch.gap = Math.max(watch.gap, now - last);
      last = now;
      setTimeout(tick, 1);
    };
    tick();
  });
}

/** Milliseconds of processor time of the longest task on the page's thread. */
function longestTask(trace) {
  const mains = trace.traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(({ pid, tid }) => `${pid} ${tid}`);
  const tasks = trace.traceEvents.filter(
    ({ ph, name, pid, tid }) => ph === 'X' && name === 'RunTask' && mains.includes(`${pid} ${tid}`),
  );
  expect(tasks.length).toBeGreaterThan(100);
  // A task without processor time, as at the edges of the trace, counts with the time it took.
  return Math.max(...tasks.map(({ tdur, dur }) => tdur ?? dur)) / 1000;
}

/** What is done on each page that runs a model. */
const USES = {
  async 'index.html'(page) {
    await page.click('#start');
    await page.locator('#composer').waitFor();
    // Some seconds: the longer, the likelier is a gap that other processes make.
    await set(page, { tokens: 80 });
    for (const button of ['#write', '#four']) {
      await page.fill('#prompt', 'Tell me a story.');
      await page.click(button);
      await finished(page);
    }
  },
  async 'held.html'(page) {
    await page.click('#write');
    await page.locator('#summary', { hasText: 'It is JSON.' }).waitFor();
  },
  async 'device.html'(page) {
    const boxes = await page.locator('#models input').all();
    for (const [i, box] of boxes.entries()) await box.setChecked(i === 0);
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('Done: 1 of 1 measured.').waitFor();
  },
  async 'models.html'(page) {
    await page.setInputFiles('#files', modelPath);
    await page.locator('#needs').waitFor();
    await page.click('#load');
    await page.locator('#trial').waitFor();
    await page.click('#write');
    await page.locator('#figures', { hasText: ' tokens' }).waitFor();
  },
  async 'how.html'(page) {
    await page.click('#layer [data-part=start]');
    await page.locator('#layer [data-part=desk]').waitFor();
  },
};

async function measure(name) {
  const { page, context } = await openPage(browser, `${server.url}${name}`);
  try {
    await page.waitForLoadState('networkidle');
    await startWatch(page);
    await browser.startTracing(page, {
      categories: ['toplevel', 'disabled-by-default-devtools.timeline'],
    });
    await USES[name](page);
    const trace = JSON.parse((await browser.stopTracing()).toString());
    const felt = await page.evaluate(() => globalThis.watch);
    return { ...felt, processor: longestTask(trace) };
  } finally {
    await context.close();
  }
}

/** Of all runs the best: what blocks the thread blocks it in every run. */
const best = (runs, what) => Math.min(...runs.map((run) => run[what]));

test.each(Object.keys(USES))(
  'no task holds %s for more than 50 ms while a model loads and writes',
  async (name) => {
    const runs = [];
    do {
      runs.push(await measure(name));
      expect(runs.at(-1).processor).toBeLessThanOrEqual(LIMIT_MS);
      // The other pages load as this one does. Where the model has as many threads as there are cores,
      // what is felt of them is mostly how these share the cores.
      if (name !== 'index.html') break;
    } while (runs.length < RUNS && Math.max(runs.at(-1).longest, runs.at(-1).gap) > LIMIT_MS);
    if (process.env.SHOW_FIGURES) process.stderr.write(`${name}: ${JSON.stringify(runs)}\n`);
    if (name !== 'index.html') return;
    expect(best(runs, 'longest')).toBeLessThanOrEqual(LIMIT_MS);
    expect(best(runs, 'gap')).toBeLessThanOrEqual(LIMIT_MS);
  },
);
