// SPDX-License-Identifier: MIT
// The examples with a page, as their READMEs have them: copied, with the packed package and the model in
// their places, built, served, and used. The extension is in tests/browser/chromium, the command in
// tests/package/hosts.
import { mkdtempSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { serve } from '../../../tools/serve.mjs';
import { launchChromium } from '../../../tools/setup/chromium.mjs';
import { kSmallModel } from '../../../tools/setup/embedded-model.mjs';
import { build, makeExample, packPackage, runServer } from './app-folder.js';
import { kInlineScripts } from './pages.js';

jest.setTimeout(300_000);

const kFox = 'Write a story about a fox named Lily.';

// What is served, where the README puts the model, where the text is, and what is asked for: nothing
// where the text itself goes on.
const kExamples = {
  page: { output: '.', place: 'model.gguf', text: '#answer', question: kFox },
  'vite-react': {
    ...{ output: 'dist', place: 'public/model.gguf', loadsAtOnce: true },
    ...{ text: 'article:last-of-type', question: kFox },
  },
  worker: {
    ...{ output: 'public', place: 'public/model.gguf' },
    ...{ text: '#texts', question: 'Once upon a time\nOne day a little fox' },
  },
  next: { place: 'public/model.gguf', text: 'textarea' },
};

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
let tarball;
let browser;
beforeAll(async () => {
  [tarball, browser] = await Promise.all([packPackage(folder), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Keeps what a page says of itself, as it comes. */
function listen() {
  globalThis.said = new Set();
  globalThis.shares = new Set();
  const options = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(() => {
    globalThis.said.add(document.querySelector('[role=status]')?.textContent);
    globalThis.shares.add(document.querySelector('progress')?.value);
  }).observe(document, options);
}

describe.each(Object.entries(kExamples))('%s', (name, example) => {
  let app;
  let server;
  beforeAll(async () => {
    const made = await makeExample(name, tarball);
    app = made.app;
    await mkdir(dirname(join(app, example.place)), { recursive: true });
    await cp(kSmallModel, join(app, example.place));
    const { build: building, start } = made.scripts;
    if (building) await build(app, building);
    const policy = name === 'page' ? kInlineScripts : undefined;
    server = start
      ? await runServer(app, (port) => [...start, '--hostname', '127.0.0.1', '--port', port])
      : await serve(join(app, example.output), { port: 0, policy });
  });
  afterAll(async () => {
    await server?.close();
    if (app) await rm(app, { recursive: true, force: true });
  });

  test('loads, writes and stops, and says what is missing', async () => {
    const page = await browser.newPage();
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    await page.addInitScript(listen);
    const button = (text) => page.getByRole('button', { name: text });
    const status = (pattern) => page.getByRole('status').filter({ hasText: pattern }).waitFor();
    const write = async () => {
      if (example.question) await page.getByRole('textbox').fill(example.question);
      await button('Write').click();
    };
    const text = () =>
      page.locator(example.text).evaluate((found) => found.value ?? found.textContent);

    await page.route('**/model.gguf', (route) => route.fulfill({ status: 404 }));
    await page.goto(server.url);
    // Pages that load before they are asked anything have a button for another attempt.
    const loader = page.getByRole('button', { name: /Load the model|Try again/ });
    if (!example.question) await loader.click();
    else if (!example.loadsAtOnce) await write();
    await status(/^ModelError \(not_found\): .*model\.gguf/);
    // Chromium itself prints that, or not, of a worker's requests.
    expect(wrong.splice(0).filter((line) => !line.includes('404'))).toEqual([]);

    await page.unroute('**/model.gguf');
    if (await loader.isVisible()) {
      await loader.click();
      await button('Write').waitFor();
    }
    await write();
    await button('Stop').and(page.locator(':disabled')).waitFor();
    await status(/Written|Ready/);
    expect((await text()).length).toBeGreaterThan(100);
    expect(await page.locator('progress:visible').count()).toBe(0);
    const { said, shares } = await page.evaluate(() => ({
      said: [...globalThis.said],
      shares: [...globalThis.shares],
    }));
    expect(said).toContainEqual(expect.stringMatching(/^Loading.*\d MB$/));
    expect(said).toContain('Writing');
    expect(shares.some((share) => share > 0 && share <= 1)).toBe(true);

    await write();
    await status(/^Writing$/);
    await page.waitForTimeout(150);
    // Not by the mouse: it moves down as the text grows.
    await button('Stop').dispatchEvent('click');
    await status(/Stopped|Ready/);
    const stopped = await text();
    await page.waitForTimeout(150);
    expect(await text()).toBe(stopped);
    expect(wrong).toEqual([]);
    await page.close();
  });
});
