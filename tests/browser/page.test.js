// SPDX-License-Identifier: MIT
// The demo page, as somebody uses it who has never seen it.
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EMBEDDED } from '../../demo/embedded.js';
import { kEmbeddedModel, kEmbeddedName } from '../../tools/setup/embedded-model.mjs';
import { findings } from './support/accessibility.js';
import { untilWorkers } from './support/browser.js';
import * as demo from './support/demo-page.js';
import { BEST_BUILD, has } from './support/engine.js';
import { serveFlawed } from './support/server.js';
import { openSite } from './support/site.js';

const { buildFolder, finished, newest, note, rows, say, set, start } = demo;
const site = openSite(join(buildFolder, 'demo'));
const withPage = (...args) => demo.withPage(site, ...args);

// The page itself has the bytes at hand: a message to the browser could not carry them.
const dropFile = (page, name, size) =>
  page.evaluate(
    async ([from, fileName, length]) => {
      const whole = await (await fetch(from)).arrayBuffer();
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([whole.slice(0, length)], fileName));
      for (const type of ['dragenter', 'drop']) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
      }
    },
    [`models/${kEmbeddedName}`, name, size],
  );

test('the size of the model is said as it is', async () => {
  expect(EMBEDDED.bytes).toBe((await stat(EMBEDDED.url)).size);
});

test('writes, shows its figures, and reads nothing for another answer', () =>
  withPage(async (page) => {
    expect(await findings(page)).toEqual([]);
    await start(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const first = await say(page, 'Tell me a story.', { seed: '41' });
    expect(first.length).toBeGreaterThan(40);
    expect(await note(page)).toMatch(
      /^0 tokens read again, state copied in [\d.]+ ms, first word after [\d.]+ m?s, 24 tokens, \d+ a second, reached the token limit\. Seed 41$/,
    );
    for (const figure of ['decode', 'prefill', 'tokens', 'first', 'weights', 'state', 'heap']) {
      expect(await page.textContent(`#figure-${figure}`)).toMatch(/^[\d.]+( ms| s| MB)?$/);
    }
    // Threads are half the cores.
    expect(await page.textContent('#figure-build')).toMatch(
      has.sharedMemory
        ? new RegExp(`^${BEST_BUILD}(, \\d threads)?$`)
        : new RegExp(`^${BEST_BUILD}$`),
    );
    // Of the prompt 14 tokens and what was written: softmax would hold less than this so far.
    expect(await page.textContent('#memory-words')).toMatch(
      /^After \d\d tokens it holds 4\.1 MB; keys and values of every token would be [\d.]+ MB\.$/,
    );

    await set(page, { seed: '42' });
    await page.click('.another');
    await finished(page);
    expect(await newest(page)).not.toBe(first);
    expect(await note(page)).toMatch(/^0 tokens read again, .* Seed 42$/);
    await page.fill('#seed', '41');
    await page.click('.another');
    await finished(page);
    expect(await newest(page)).toBe(first);
    expect(await rows(page)).toHaveLength(4);

    // Without a seed each answer has draws of its own.
    await page.fill('#seed', '');
    await page.click('.another');
    await finished(page);
    expect(await newest(page)).not.toBe(first);
    const seed = await page.textContent('#texts .seed');
    await page.click('#texts .seed');
    expect(await page.inputValue('#seed')).toBe(seed);
    expect(await findings(page)).toEqual([]);
  }));

test('goes on from a token, and from there to another question', () =>
  withPage(async (page) => {
    await start(page);
    const whole = await say(page, 'Tell me a story.', { seed: '3' });
    await set(page, { seed: '4' });
    const begins = await page.evaluate(() => {
      const pieces = [...document.querySelectorAll('.answer .piece')].slice(0, 9);
      pieces.at(-1).click();
      return pieces.map(({ textContent }) => textContent).join('');
    });
    expect(whole.startsWith(begins)).toBe(true);
    expect(await page.textContent('.places output')).toBe('after token 9 of 24');
    await page.click('.go-on');
    await finished(page);
    const other = await newest(page);
    expect(other.startsWith(begins)).toBe(true);
    expect(other).not.toBe(whole);
    expect(await note(page)).toMatch(/^0 tokens read again/);
    await say(page, 'And then?');
    expect(await note(page)).toMatch(/^0 tokens read again/);
    const [, first, fork, question] = await rows(page);
    expect(first).toMatch(/0 tokens again/);
    expect(fork).toMatch(/parts after token 9.*0 tokens again/);
    expect(question).toBe('And then?');

    // Back at the first answer nothing is lost, and another question follows it.
    await page.click('#branches li:nth-child(2) button');
    expect(await newest(page)).toBe(whole);
    await say(page, 'Who is it about?');
    expect(await note(page)).toMatch(/^0 tokens read again/);
    expect(await rows(page)).toHaveLength(7);
  }));

test('goes on from any token of an answer in the same words, and reads none', () =>
  withPage(async (page) => {
    await start(page);
    await page.evaluate(() => {
      const slider = document.getElementById('temperature');
      slider.value = '0';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const goOn = async (answer, pieces, { tokens, by = '.go-on' }) => {
      await page.click(`#branches li:nth-child(${answer}) button`);
      await set(page, { tokens });
      await page.evaluate((count) => {
        const range = document.querySelector('#texts > .answer:last-of-type .places input');
        range.value = String(count);
        range.dispatchEvent(new Event('input', { bubbles: true }));
      }, pieces);
      await page.click(`#texts > .answer:last-of-type ${by}`);
      await finished(page);
    };
    const whole = await say(page, 'Tell me a story.', { tokens: 60 });
    // In the first chunk of a state, at the ends of others and of the first trail, and after it.
    for (const pieces of [1, 2, 7, 8, 9, 31, 32, 33, 47, 59]) {
      await goOn(2, pieces, { tokens: 60 - pieces });
      expect(await note(page)).toMatch(/^0 tokens read again/);
      expect(await newest(page)).toBe(whole);
    }
    // After its last one, and from there within what has been added.
    await goOn(2, 60, { tokens: 8 });
    const longer = await newest(page);
    expect(longer.startsWith(whole)).toBe(true);
    expect(await note(page)).toMatch(/^0 tokens read again/);
    await goOn(13, 64, { tokens: 4 });
    expect(await newest(page)).toBe(longer);
    expect(await note(page)).toMatch(/^0 tokens read again/);
    await goOn(2, 21, { tokens: 5, by: '.four-ways' });
    const notes = await page.evaluate(() =>
      [...document.querySelectorAll('.column .note')].map(({ textContent }) => textContent),
    );
    expect(notes).toHaveLength(4);
    for (const one of notes) expect(one).toMatch(/^0 tokens read again/);
  }));

test('writes four answers side by side, of which one is gone on with', () =>
  withPage(async (page) => {
    await start(page);
    await set(page, { tokens: 40, seed: '20' });
    await page.click('#four');
    await finished(page);
    const texts = await page.evaluate(() =>
      [...document.querySelectorAll('.column .body')].map(({ textContent }) => textContent),
    );
    expect(new Set(texts).size).toBe(4);
    expect(await findings(page)).toEqual([]);
    await page.click('.column:nth-child(2) .choose');
    expect(await newest(page)).toBe(texts[1]);
    await say(page, 'And then?');
    expect(await note(page)).toMatch(/^0 tokens read again/);
    // An edited question stands beside the first one.
    await page.click('.edit');
    await say(page, 'Tell me another story.');
    expect(await page.textContent('.question .ways')).toContain('2 of 2');
  }));

test('the button and Escape stop the text within one token', () =>
  withPage(async (page) => {
    await start(page);
    await set(page, { tokens: 100_000 });
    for (const way of ['button', 'Escape']) {
      await page.fill('#prompt', 'Tell me a story.');
      const { pressed, end, pieces } = await page.evaluate(stopped, way);
      expect(end).toBe(pressed);
      // The stream is one piece ahead of the page, and one more token may have been under way.
      await finished(page);
      const tokens = Number(/, (\d+) tokens, .*stopped/.exec(await note(page))?.[1]);
      expect(tokens).toBeGreaterThanOrEqual(pieces);
      expect(tokens - pieces).toBeLessThanOrEqual(2);
    }
    await say(page, 'Tell me another story.');
    expect(await note(page)).toMatch(/reached the token limit/);
  }));

// In the page: writes, and stops as soon as there are some words.
async function stopped(way) {
  document.getElementById('write').click();
  const answer = document.querySelector('#texts > .answer:last-of-type');
  const body = answer.querySelector('.body');
  let pieces = 0;
  await new Promise((resolve) => {
    const observer = new MutationObserver((changes) => {
      pieces += changes.length;
      if (body.textContent.length < 60) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(body, { childList: true });
  });
  const over = new Promise((resolve) => {
    new MutationObserver(resolve).observe(answer, { attributeFilter: ['aria-busy'] });
  });
  if (way === 'button') document.getElementById('stop').click();
  else dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  const pressed = body.textContent.length;
  await over;
  return { pressed, end: body.textContent.length, pieces };
}

test('opens a file by picker and by drop, and explains a damaged one', () =>
  withPage(async (page) => {
    await page.setInputFiles('#file', kEmbeddedModel);
    await page.waitForSelector('#composer');
    expect(await page.textContent('#model-line')).toContain(basename(kEmbeddedModel));
    const picked = await say(page, 'Tell me a story.', { seed: '5' });

    await dropFile(page, 'cut.gguf', 1_000_000);
    await page.waitForSelector('#failure');
    expect(await page.textContent('#failure-code')).toBe('truncated');
    expect(await page.textContent('#failure-title')).toMatch(/ends too early/);
    // The model that was there still is.
    await page.click('.another');
    await finished(page);
    expect(await newest(page)).toBe(picked);
    expect(await page.isVisible('#failure')).toBe(false);

    await dropFile(page, 'dropped.gguf', 1e9);
    await page.waitForFunction(() =>
      document.getElementById('model-line').textContent.includes('dropped.gguf'),
    );
    // It is the same model: the conversation that is kept with it goes on.
    await page.click('.another');
    await finished(page);
    expect(await newest(page)).toBe(picked);
    await untilWorkers(page, 1);
  }));

test('runs under a sub-path, and where the host sends no headers, adds those for threads', async () => {
  const plain = await serveFlawed(buildFolder, { isolated: false });
  try {
    await withPage(async (page) => {
      await page.waitForFunction(() => globalThis.crossOriginIsolated);
      await start(page);
      expect((await say(page, 'Tell me a story.')).length).toBeGreaterThan(40);
    }, `${plain.url}demo/`);
    expect(plain.violations).toEqual([]);
  } finally {
    await plain.close();
  }
});

test('the page of the memories stores pictures, and recalls them', () =>
  withPage(async (page) => {
    await page.waitForSelector('#desk');
    await page.click('#all');
    const [count, softmax] = await page.evaluate(() => [
      document.querySelectorAll('#stored input').length,
      document.querySelector('#rule-softmax [data-part=mean-error]').textContent,
    ]);
    expect(count).toBe(32);
    expect(Number(softmax)).toBeLessThan(0.02);
  }, `${site.server.url}memory.html`));
