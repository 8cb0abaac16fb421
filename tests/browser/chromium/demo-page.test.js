// SPDX-License-Identifier: MIT
// The demo page by keyboard alone, on a phone in the dark, what it asks for and what it keeps. Only
// Chromium's driver presses keys as a person does, sets what kind of device it is, takes downloads and
// keeps storage across reloads as browsers do.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeModel } from '../../../tools/make-model.mjs';
import { editModel } from '../../api/edit-model.js';
import { findings } from '../support/accessibility.js';
import * as demo from '../support/demo-page.js';
import { serveFlawed } from '../support/server.js';
import { openSite } from '../support/site.js';

const { buildFolder, finished, newest, note, rows, say, set, start } = demo;
const site = openSite(join(buildFolder, 'demo'));
const withPage = (...args) => demo.withPage(site, ...args);

test('nothing heavy is loaded before the button is pressed', () =>
  withPage(async (page) => {
    await page.waitForLoadState('load');
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(asked.filter((url) => url.endsWith('/talk/main.js'))).toHaveLength(1);
    expect(asked.filter((url) => /gguf|wasm|fastweights\//.test(url))).toEqual([]);
  }));

test('answers, goes back and forks, by keyboard alone', () =>
  withPage(async (page) => {
    await page.locator('#start').focus();
    await page.keyboard.press('Enter');
    await page.locator('#composer').waitFor();
    await set(page, { tokens: 40, seed: '1' });
    await page.locator('#prompt').fill('Write a story about a fox named Lily.');
    await page.keyboard.press('Control+Enter');
    await finished(page);
    const whole = await newest(page);
    expect(whole).toMatch(/Lily/);
    expect(await page.locator('#announcer').textContent()).toMatch(/40 tokens/);
    await page.fill('#seed', '2');
    await page.locator('.places input').focus();
    await page.keyboard.press('Home');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    expect(await page.textContent('.places output')).toBe('after token 5 of 40');
    await page.locator('.go-on').focus();
    await page.keyboard.press('Enter');
    await finished(page);
    expect(await note(page)).toMatch(/^0 tokens read again/);
    expect(await newest(page)).not.toBe(whole);
    await page.locator('.ways .step').first().focus();
    await page.keyboard.press('Enter');
    expect(await newest(page)).toBe(whole);
  }));

test('goes on after a reload, and in another tab from a file', () =>
  withPage(async (page, { context }) => {
    await start(page);
    const first = await say(page, 'Tell me a story.', { seed: '1' });
    await set(page, { seed: '2' });
    await page.click('.another');
    await finished(page);
    const said = await rows(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    const path = await download.path();

    await page.getByText('after a reload it goes on from here').waitFor();
    await page.reload();
    expect(await page.textContent('#start')).toBe('Go on where you left off');
    await start(page);
    expect(await rows(page)).toEqual(said);
    const next = await say(page, 'And then?', { seed: '3' });
    expect(await note(page)).toMatch(/^0 tokens read again/);
    // The other branch was not held: all of it is read once more, 14 tokens of question and 24.
    await page.click('#branches li:nth-child(2) button');
    expect(await newest(page)).toBe(first);
    await say(page, 'And then?', { seed: '3' });
    const again = Number(/^(\d+) tokens read again/.exec(await note(page))?.[1]);
    expect(again).toBeGreaterThan(24);
    expect(again).toBeLessThan(50);

    // A browser that knows nothing of it.
    await page.evaluate(() => localStorage.clear());
    const other = await context.newPage();
    await other.goto(site.server.url);
    await other.setInputFiles('#file', path);
    await other.waitForSelector('#branches li');
    expect(await rows(other)).toEqual(said);
    expect(await say(other, 'And then?', { seed: '3' })).toBe(next);
    expect(await note(other)).toMatch(/^0 tokens read again/);

    // Words for a file that is damaged.
    const bytes = await readFile(path);
    const scratched = Buffer.from(bytes);
    scratched.fill('?', 12, 20);
    for (const [damaged, message] of [
      [bytes.subarray(0, -9), /cut|end|truncated/i],
      [bytes.subarray(0, 200), /ends too early/],
      [scratched, /header of the conversation is damaged/],
    ]) {
      await writeFile(`${path}.cut`, damaged);
      await other.setInputFiles('#file', `${path}.cut`);
      await other.waitForFunction((pattern) => {
        const { hidden, textContent } = document.getElementById('failure');
        return !hidden && new RegExp(pattern, 'i').test(textContent);
      }, message.source);
      expect(await rows(other)).toHaveLength(said.length + 2);
    }

    await other.click('#forget');
    expect(await rows(other)).toHaveLength(said.length + 2);
    await other.click('#forget');
    await other.waitForFunction(() => !document.querySelector('#branches li'));
    await other.reload();
    expect(await other.textContent('#start')).toBe('Start');
  }));

test('what an answer has come to is there after a reload in its middle', () =>
  withPage(async (page) => {
    await start(page);
    const first = await say(page, 'Tell me a story.', { seed: '5' });
    await set(page, { tokens: 100_000 });
    await page.fill('#prompt', 'Tell me another story.');
    await page.click('#write');
    await page.waitForFunction(() => document.querySelectorAll('.answer .piece').length > 60);
    await page.reload();
    await start(page);
    const [, , question, broken] = await rows(page);
    expect(question).toBe('Tell me another story.');
    expect(broken).toMatch(/^“.+”0 tokens again/);
    expect((await newest(page)).length).toBeGreaterThan(80);
    expect(await page.textContent('#texts')).toContain(first.trim());

    // Its end is a place to go on from.
    const before = await newest(page);
    await set(page, { seed: '6' });
    await page.click('#texts > .answer:last-of-type .go-on');
    await finished(page);
    expect((await newest(page)).startsWith(before)).toBe(true);
  }));

test('writes on to a million tokens, beside a conversation, and stops', () =>
  withPage(async (page) => {
    await start(page);
    await page.click('#million');
    await page.waitForFunction(() =>
      /^After [\d,]{3,} tokens/.test(document.getElementById('memory-words').textContent),
    );
    expect(await page.textContent('#memory-words')).toMatch(/it holds 4\.1 MB;/);
    expect((await say(page, 'Tell me a story.')).length).toBeGreaterThan(40);
    await page.click('#million');
    await page.getByText('tokens were written, ').waitFor();
    expect(await page.isVisible('#million-progress')).toBe(false);
    // The end of the chart is that of the text.
    const [, tokens] = /^([\d,]+) tokens/.exec(await page.textContent('#million-words'));
    expect(await page.textContent('#memory-words')).toMatch(`After ${tokens} tokens`);
    expect(await page.textContent('#figure-tokens')).toBe(tokens);
  }));

test('goes on with texts where a model has no turns, and says how much it reads for that', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'texts-'));
  try {
    const file = join(folder, 'texts.gguf');
    const shape = { layers: 3, fullAttentionInterval: 0 };
    await writeFile(file, editModel(makeModel({ shape }), { drop: ['tokenizer.chat_template'] }));
    await withPage(async (page) => {
      await page.setInputFiles('#file', file);
      await page.waitForSelector('#composer');
      expect(await page.inputValue('#prompt')).toBe('Once upon a time');
      expect(await page.textContent('#prompt-label')).toBe('The beginning of a text');
      await say(page, 'Once upon a time', { seed: '1' });
      expect(await note(page)).toMatch(/^0 tokens read again, .*reached the token limit/);
      await page.click('.another');
      await finished(page);
      expect(await note(page)).toMatch(/^11 tokens read again, /);
      await page.click('.again-four');
      await finished(page);
      expect(await page.textContent('.column .note')).toMatch(/^11 tokens read again, /);
      await say(page, 'The end', { tokens: 6000 });
      const words = await page.textContent('#memory-words');
      expect(words).toMatch(/^After [\d,]+ tokens it holds \d+ kB;/);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('fits a phone in the dark', async () => {
  const plain = await serveFlawed(buildFolder, { isolated: false });
  try {
    const options = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true };
    const test = async (page) => {
      await page.waitForFunction(() => globalThis.crossOriginIsolated);
      await start(page);
      await set(page);
      await page.click('#four');
      await finished(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(360);
      expect(await findings(page)).toEqual([]);
    };
    await withPage(test, `${plain.url}demo/`, options);
    expect(plain.violations).toEqual([]);
  } finally {
    await plain.close();
  }
});
