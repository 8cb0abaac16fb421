// SPDX-License-Identifier: MIT
// The demo page by keyboard alone, on a phone in the dark, and what it asks for. Only Chromium's driver
// presses keys as a person does, sets what kind of device it is and tells of each request.
import { join } from 'node:path';
import * as demo from '../support/demo-page.js';
import { serveFlawed } from '../support/server.js';
import { openSite } from '../support/site.js';

const { buildFolder, finished, newest, start, write } = demo;
const site = openSite(join(buildFolder, 'demo'));
const withPage = (...args) => demo.withPage(site, ...args);

test('nothing heavy is loaded before the button is pressed', () =>
  withPage(async (page, { requests }) => {
    await page.waitForLoadState('networkidle');
    expect(requests.filter((url) => /gguf|wasm|fastweights\//.test(url))).toEqual([]);
    await start(page);
    // Also shows that requests of the worker are seen, so that one to elsewhere would be.
    expect(requests.filter((url) => url.endsWith('.gguf'))).toHaveLength(1);
    expect(requests.filter((url) => url.endsWith('.wasm'))).toHaveLength(1);
  }));

test('answers a request, by keyboard alone', () =>
  withPage(async (page) => {
    await page.locator('#start').focus();
    await page.keyboard.press('Enter');
    await page.locator('#composer').waitFor();
    await page.locator('input[value=continue]').focus();
    await page.keyboard.press('ArrowRight');
    await page.fill('#max-tokens', '40');
    await page.locator('#prompt').fill('Write a story about a fox named Lily.');
    await page.keyboard.press('Control+Enter');
    await finished(page, 1);
    expect(await newest(page)).toMatch(/Lily/);
    expect(await page.locator('#announcer').textContent()).toMatch(/40 tokens/);
  }));

test('runs under a sub-path, without isolation headers, on a phone in the dark', async () => {
  const plain = await serveFlawed(buildFolder, { isolated: false });
  try {
    const options = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true };
    const test = async (page) => {
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      await start(page);
      expect((await write(page)).length).toBeGreaterThan(40);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(360);
    };
    await withPage(test, `${plain.url}demo/`, options);
    expect(plain.violations).toEqual([]);
  } finally {
    await plain.close();
  }
});
