// SPDX-License-Identifier: MIT
//
// What the peers that run in a browser share: every run has a server and a browser of its own, so
// that nothing is cached and nothing survives a crash, and pages are cross-origin isolated, so that they may have threads.

import { basename, dirname } from 'node:path';

import { engineNamed } from '../../browsers/engines.mjs';
import { serve } from '../../serve.mjs';
import { projectFolder } from '../../setup/node-modules.mjs';

const kNeverMs = 60 * 60_000;
// Their workers are blobs. No page can reach anything but this server.
export const kPolicy = "default-src 'self' blob: data: 'unsafe-inline' 'wasm-unsafe-eval'";

/**
 * @typedef {object} Host
 * @property {string} [engine] chromium by default
 * @property {string[]} [flags] of Chromium
 * @property {(page: any) => Promise<unknown>} [ready] is given the page before the module runs
 */

/**
 * Runs `measure` of a module of pages/ in a new page.
 *
 * @param {string} name of the module
 * @param {{ model: string }} work with the path of the model
 * @param {AbortSignal} signal ends the run
 * @param {Record<string, string>} [mounts] folders that the module imports from
 * @param {Host} [host]
 * @returns {Promise<any>} what it returns
 */
export async function measureInPage(name, work, signal, mounts = {}, host = {}) {
  const { model, ...rest } = work;
  /** @param {string} url */
  const given = (url) => ({ ...rest, url: `${url}models/${basename(model)}` });
  const folders = { ...mounts, models: dirname(model) };
  return (await evaluateInPage(name, given, signal, folders, host)).result;
}

/**
 * The same with anything for `work`, or with what is made of the server's address.
 *
 * @param {string} name
 * @param {unknown} work
 * @param {AbortSignal} signal
 * @param {Record<string, string>} mounts
 * @param {Host} [host]
 * @returns {Promise<{ result: any, version: string }>} version: the browser's
 */
export async function evaluateInPage(name, work, signal, mounts, host = {}) {
  const { engine = 'chromium', flags, ready } = host;
  const server = await serve(projectFolder, { port: 0, policy: kPolicy, mounts });
  /** @type {import('../../browsers/engines.mjs').Browser | undefined} */
  let browser;
  try {
    // No call ends before the signal does.
    const launched = await engineNamed(engine).launch({ patienceMs: kNeverMs, flags });
    browser = launched;
    const page = await (await launched.newContext()).newPage();
    const failed = new Promise((_, reject) => {
      // Other drivers' calls are rejected then.
      page.on?.('crash', () => reject(new Error('the page crashed')));
      launched.on?.('disconnected', () => reject(new Error('the browser ended')));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    // Whether or not anything waits for it by then.
    failed.catch(() => {});
    const pages = `${server.url}tools/bench/peers/pages`;
    await page.goto(`${pages}/page.html`);
    await ready?.(page);
    const measured = page.evaluate(
      async ([module, given]) => (await import(module)).measure(given),
      [`${pages}/${name}.js`, typeof work === 'function' ? work(server.url) : work],
    );
    return { result: await Promise.race([measured, failed]), version: await launched.version() };
  } finally {
    await browser?.close();
    await server.close();
  }
}
