// SPDX-License-Identifier: MIT
// The demo extension, as a browser loads it, and what it would be without its policy.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { kEmbeddedName } from '../../../tools/setup/embedded-model.mjs';
import { launchProfile, PATIENCE_MS, projectFolder } from '../support/browser.js';

jest.setTimeout(PATIENCE_MS);

const built = join(projectFolder, 'build', 'extension');
let folder;
let browser;
/** Addresses that the extensions' files begin with. */
let whole;
let withoutPolicy;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extension-'));
  const changed = join(folder, 'without-policy');
  await cp(built, changed, { recursive: true });
  const manifest = JSON.parse(await readFile(join(built, 'manifest.json'), 'utf8'));
  delete manifest.content_security_policy;
  await writeFile(join(changed, 'manifest.json'), JSON.stringify(manifest));

  browser = await launchProfile(join(folder, 'profile'), [built, changed]);
  browser.setDefaultTimeout(PATIENCE_MS / 2);
  while (browser.serviceWorkers().length < 2) await browser.waitForEvent('serviceworker');
  for (const worker of browser.serviceWorkers()) {
    const hasPolicy = await worker.evaluate(
      () => chrome.runtime.getManifest().content_security_policy !== undefined,
    );
    const address = new URL('.', worker.url()).href;
    if (hasPolicy) whole = address;
    else withoutPolicy = address;
  }
}, 2 * PATIENCE_MS);
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

async function openPanel(address) {
  const page = await browser.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  await page.goto(`${address}panel.html`);
  return { page, wrong, text: (id) => page.locator(id).textContent() };
}

const untilNote = (page, pattern) => page.locator('#note', { hasText: pattern }).waitFor();

test('streams an answer into the panel, and a second one', async () => {
  const { page, wrong, text } = await openPanel(whole);
  await page.fill('#prompt', 'Write a story about a fox named Lily.');
  await page.evaluate(() => {
    globalThis.pieces = 0;
    new MutationObserver((changes) => {
      globalThis.pieces += changes.length;
    }).observe(document.getElementById('answer'), { childList: true });
    globalThis.notes = [];
    const note = document.getElementById('note');
    new MutationObserver(() => globalThis.notes.push(note.textContent)).observe(note, {
      childList: true,
    });
  });
  for (const _ of ['first', 'second']) {
    await page.click('#send');
    await untilNote(page, /^Written here/);
    expect(await text('#answer')).toMatch(/Lily/);
  }
  expect(await page.evaluate(() => globalThis.pieces)).toBeGreaterThan(40);
  const notes = await page.evaluate(() => globalThis.notes);
  expect(notes).toContainEqual(expect.stringMatching(/^Loading: \d+\.\d MB$/));
  expect(wrong).toEqual([]);
  await page.close();
});

test('stops where it is told to, and writes again', async () => {
  const { page, text } = await openPanel(whole);
  await page.click('#send');
  await page.waitForFunction(() => document.getElementById('answer').textContent.length > 20);
  await page.click('#send');
  await untilNote(page, /^Stopped\.$/);
  const length = (await text('#answer')).length;
  await page.click('#send');
  await untilNote(page, /^Written here/);
  expect((await text('#answer')).length).toBeGreaterThan(length);
  await page.close();
});

test('has threads, as its manifest isolates its pages', async () => {
  const { page } = await openPanel(whole);
  const threads = await page.evaluate(async (name) => {
    const { loadModel } = await import('./fastweights/index.js');
    const model = await loadModel(`models/${name}`, { threads: 2 });
    const { facts } = model;
    await model.dispose();
    return facts.threads;
  }, kEmbeddedName);
  expect(threads).toBe(2);
  await page.close();
});

test('without a policy that allows WebAssembly it says what is missing', async () => {
  const { page, text } = await openPanel(withoutPolicy);
  await page.click('#send');
  await untilNote(page, 'ModelError');
  expect(await text('#note')).toMatch(/^ModelError \(wasm\): /);
  expect(await text('#note')).toMatch(/Content Security Policy|Content-Security-Policy/i);
  expect(await text('#note')).toMatch(/script-src/);
  await page.close();
});
