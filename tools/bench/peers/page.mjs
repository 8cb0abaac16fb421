// SPDX-License-Identifier: MIT
//
// What the peers that run in a browser share: every run has a server and a context of its own, so
// that nothing is cached, and pages are cross-origin isolated, so that they may have threads.

import { basename, dirname } from 'node:path';

import { serve } from '../../serve.mjs';
import { projectFolder } from '../../setup/node-modules.mjs';

// Their workers are blobs. No page can reach anything but this server.
const kPolicy = "default-src 'self' blob: data: 'unsafe-inline' 'wasm-unsafe-eval'";

/**
 * Runs `measure` of a module of pages/ in a new page.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} name of the module
 * @param {import('../peers.mjs').Work} work
 * @param {AbortSignal} signal ends the run
 * @param {Record<string, string>} [mounts] folders that the module imports from
 * @returns {Promise<import('../peers.mjs').Run>}
 */
export async function measureInPage(browser, name, work, signal, mounts = {}) {
  const { model, ...rest } = work;
  const server = await serve(projectFolder, {
    port: 0,
    policy: kPolicy,
    mounts: { ...mounts, models: dirname(model) },
  });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const failed = new Promise((_, reject) => {
      page.on('crash', () => reject(new Error('the page crashed')));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    const pages = `${server.url}tools/bench/peers/pages`;
    await page.goto(`${pages}/page.html`);
    const measured = page.evaluate(
      async ([module, given]) => (await import(module)).measure(given),
      [`${pages}/${name}.js`, { ...rest, url: `${server.url}models/${basename(model)}` }],
    );
    return await Promise.race([measured, failed]);
  } finally {
    await context.close();
    await server.close();
  }
}
