// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
export const MODEL = '/demo/models/story-17m-q8_0.gguf';
export const modelPath = join(projectFolder, MODEL);

/** Loading takes well under a second each; this is for a machine that is busy with other things. */
export const PATIENCE_MS = 30_000;

export { launchChromium as launch, launchProfile } from '../../../tools/setup/chromium.mjs';

/**
 * Opens a page in a context of its own (storage included) and writes down what must not happen in
 * it: `wrong` lists errors and requests to other origins.
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext(options);
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
    if (['error', 'warning'].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => wrong.push(`uncaught: ${error.error()}`));
  const page = await context.newPage();
  await page.goto(url);
  return { page, context, wrong, requests };
}

/** The bare page of the API tests, with the package in it. */
export async function openApiPage(browser, server, options) {
  const opened = await openPage(browser, `${server.url}tests/browser/pages/api.html`, options);
  await opened.page.locator('body[data-ready]').waitFor({ state: 'attached' });
  return opened;
}
