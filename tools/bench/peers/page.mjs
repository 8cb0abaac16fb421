// SPDX-License-Identifier: MIT
//
// What the peers that run in a browser share: every run has a server and a browser of its own, so
// that nothing is cached and nothing survives a crash, and pages are cross-origin isolated, so that they may have threads.

import { basename, dirname } from 'node:path';

import { serve } from '../../serve.mjs';
import { launchChromium } from '../../setup/chromium.mjs';
import { projectFolder } from '../../setup/node-modules.mjs';

// Their workers are blobs. No page can reach anything but this server.
const kPolicy = "default-src 'self' blob: data: 'unsafe-inline' 'wasm-unsafe-eval'";

/**
 * Runs `measure` of a module of pages/ in a new page.
 *
 * @param {string} name of the module
 * @param {{ model: string }} work with the path of the model
 * @param {AbortSignal} signal ends the run
 * @param {Record<string, string>} [mounts] folders that the module imports from
 * @returns {Promise<any>} what it returns
 */
export async function measureInPage(name, work, signal, mounts = {}) {
  const { model, ...rest } = work;
  /** @param {string} url */
  const given = (url) => ({ ...rest, url: `${url}models/${basename(model)}` });
  const { result } = await evaluateInPage(name, given, signal, {
    ...mounts,
    models: dirname(model),
  });
  return result;
}

/**
 * The same with anything for `work`, or with what is made of the server's address.
 *
 * @param {string} name
 * @param {unknown} work
 * @param {AbortSignal} signal
 * @param {Record<string, string>} mounts
 * @returns {Promise<{ result: any, version: string }>} version: the browser's
 */
export async function evaluateInPage(name, work, signal, mounts) {
  const server = await serve(projectFolder, { port: 0, policy: kPolicy, mounts });
  /** @type {Awaited<ReturnType<typeof launchChromium>> | undefined} */
  let browser;
  try {
    const chromium = await launchChromium();
    browser = chromium;
    const page = await chromium.newPage();
    const failed = new Promise((_, reject) => {
      page.on('crash', () => reject(new Error('the page crashed')));
      chromium.on('disconnected', () => reject(new Error('the browser ended')));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    // Whether or not anything waits for it by then.
    failed.catch(() => {});
    const pages = `${server.url}tools/bench/peers/pages`;
    await page.goto(`${pages}/page.html`);
    const measured = page.evaluate(
      async ([module, given]) => (await import(module)).measure(given),
      [`${pages}/${name}.js`, typeof work === 'function' ? work(server.url) : work],
    );
    return { result: await Promise.race([measured, failed]), version: chromium.version() };
  } finally {
    await browser?.close();
    await server.close();
  }
}
