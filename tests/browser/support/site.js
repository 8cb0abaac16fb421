// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import { launch, openApiPage, PATIENCE_MS, projectFolder } from './browser.js';
import { serveFlawed } from './server.js';

/**
 * A browser, and a server of `folder` (see serveFlawed), for all tests of a file, each of which has
 * PATIENCE_MS.
 *
 * @param {object} [options] of the server
 * @param {object} [launchOptions] of the browser; WebKit takes `env`
 * @returns {{browser: object, server: object}} both from the first hook of the caller's on
 */
export function openSite(folder = projectFolder, options = {}, launchOptions = {}) {
  const site = {};
  jest.setTimeout(PATIENCE_MS);
  beforeAll(async () => {
    [site.browser, site.server] = await Promise.all([
      launch(launchOptions),
      serveFlawed(folder, options),
    ]);
  });
  afterAll(() => Promise.all([site.browser.close(), site.server.close()]));
  return site;
}

/**
 * That of the project with the page of the API tests in it, and what `openPage` gives beside it.
 *
 * @param {Function} before beforeAll, or beforeEach for a page, and a storage, of each test's own
 */
export function openApiSite(before = beforeAll) {
  const site = openSite();
  before(async () => {
    Object.assign(site, await openApiPage(site.browser, site.server));
  });
  return site;
}

/** Of a page, since it was last asked, and of its server. */
export function expectNothingWrong({ wrong, server }) {
  expect(wrong.splice(0)).toEqual([]);
  expect(server.violations).toEqual([]);
}
