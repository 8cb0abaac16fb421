// SPDX-License-Identifier: MIT
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kSmallModel, kSmallName } from '../../../tools/setup/embedded-model.mjs';
import { engineName } from './engine.js';

export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
export const MODEL = `/tests/models/${kSmallName}`;
export const modelPath = kSmallModel;

/**
 * Loading takes well under a second each; this is for a machine that is busy with other things: beside
 * another browser's suite a Firefox with three threads on two cores was once not done after 30 s.
 */
export const PATIENCE_MS = 90_000;

export { launchProfile } from '../../../tools/setup/chromium.mjs';
export { launch } from './engine.js';

/**
 * Opens a page in a context of its own (storage included) and writes down what must not happen in
 * it: `wrong` lists errors, and in Chromium requests to other origins, which elsewhere the server's
 * `violations` show. A page has the calls of tools/browsers/driven-page.mjs, in Chromium all of
 * Playwright's, and so `options`.
 */
export async function openPage(browser, url, options = {}) {
  return openIn(await browser.newContext(options), url);
}

async function openIn(context, url) {
  const { wrong, requests } = engineName === 'chromium' ? watch(context, url) : context;
  const page = await context.newPage();
  await page.goto(url);
  return { page, context, wrong, requests };
}

function watch(context, url) {
  context.setDefaultTimeout(PATIENCE_MS / 2);
  const wrong = [];
  const requests = [];
  const { origin } = new URL(url);
  context.on('request', (request) => {
    requests.push(request.url());
    const scheme = new URL(request.url()).protocol;
    const local = scheme === 'blob:' || scheme === 'data:';
    if (!local && new URL(request.url()).origin !== origin) wrong.push(`asked ${request.url()}`);
  });
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    wrong.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => wrong.push(`uncaught: ${error.error()}`));
  return { wrong, requests };
}

/** The bare page of the API tests, with the package in it. */
export async function openApiPage(browser, server, options) {
  const context = await browser.newContext(options);
  const url = `${server.url}tests/browser/pages/api.html`;
  if (engineName === 'webkit') await holdStorage(context, url);
  const opened = await openIn(context, url);
  await untilReady(opened.page);
  return opened;
}

// A session under WebKit's driver forgets what is open nowhere, at a reload for example.
async function holdStorage(context, url) {
  const holder = await context.newPage();
  await holder.goto(url);
  await untilReady(holder);
  await holder.evaluate(async () => {
    const names = ['models', 'sessions', 'prefixes'].map((place) => `fastweights-${place}-2`);
    globalThis.held = await Promise.all(names.map((name) => caches.open(name)));
  });
}

/** What a page has fetched for itself, its workers and a service worker left out. */
export const resources = (page) =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

/** Waits for the package in such a page, also after a reload. */
export const untilReady = (page) =>
  page.waitForFunction(() => document.body?.dataset.ready === 'yes');

/** Waits until a page has no more workers than these; only Chromium's driver tells of them. */
export async function untilWorkers(page, count) {
  if (engineName !== 'chromium') return;
  for (let i = 0; i < 100 && page.workers().length > count; i++) await pause(100);
  expect(page.workers()).toHaveLength(count);
}
