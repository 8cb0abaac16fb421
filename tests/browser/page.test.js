// SPDX-License-Identifier: MIT
// The demo page, as somebody uses it who has never seen it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kContentSecurityPolicy } from '../../tools/serve.mjs';
import { MODEL, modelPath, untilWorkers } from './support/browser.js';
import * as demo from './support/demo-page.js';
import { BEST_BUILD, has } from './support/engine.js';
import { serveFlawed } from './support/server.js';
import { openSite } from './support/site.js';

const { buildFolder, finished, newest, note, start, write } = demo;
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
    [`models/${MODEL.split('/').pop()}`, name, size],
  );

test('states the policy that the server sends', async () => {
  const html = await readFile(join(buildFolder, 'demo/index.html'), 'utf8');
  expect(html).toContain(`content="${kContentSecurityPolicy}"`);
});

test('writes, shows its figures, keeps earlier texts, repeats a seed', () =>
  withPage(async (page) => {
    await start(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const first = await write(page, { seed: '41', count: 1 });
    expect(first.length).toBeGreaterThan(40);
    expect(await note(page)).toMatch(
      /^24 tokens, \d+ a second, reached the token limit\. Seed 41$/,
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
    expect(await page.textContent('#constancy')).toMatch(/did not grow/);

    const other = await write(page, { seed: '42', count: 2 });
    const again = await write(page, { seed: '41', count: 3 });
    expect(other).not.toBe(first);
    expect(again).toBe(first);

    await page.fill('#seed', '');
    await page.click('#again');
    await finished(page, 4);
    const seed = await page.textContent('#texts .seed');
    const drawn = await newest(page);
    await page.click('#texts .seed');
    expect(await page.inputValue('#seed')).toBe(seed);
    await page.click('#again');
    await finished(page, 5);
    expect(await newest(page)).toBe(drawn);
    const given = await page.evaluate(() =>
      [...document.querySelectorAll('#texts .given')].map(({ textContent }) => textContent),
    );
    expect(given).toEqual(Array(5).fill('Once upon a time'));
  }));

test.each(['button', 'Escape'])('the %s stops the text within one token', (way) =>
  withPage(async (page) => {
    await start(page);
    await page.fill('#max-tokens', '100000');
    const { pressed, end, pieces } = await page.evaluate(async (by) => {
      document.getElementById('write').click();
      const written = document.querySelector('#texts .written');
      let pieces = 0;
      await new Promise((resolve) => {
        const observer = new MutationObserver((changes) => {
          pieces += changes.length;
          if (written.textContent.length < 60) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(written, { characterData: true, subtree: true });
      });
      const over = new Promise((resolve) => {
        const observer = new MutationObserver(resolve);
        observer.observe(written.closest('article'), { attributeFilter: ['aria-busy'] });
      });
      if (by === 'button') document.getElementById('stop').click();
      else dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      const pressed = written.textContent.length;
      await over;
      return { pressed, end: written.textContent.length, pieces };
    }, way);
    expect(end).toBe(pressed);
    // The stream is one piece ahead of the page, and one more token may have been under way.
    const tokens = Number(/^(\d+) tokens.*stopped/.exec(await note(page))?.[1]);
    expect(tokens).toBeGreaterThanOrEqual(pieces);
    expect(tokens - pieces).toBeLessThanOrEqual(2);

    await write(page, { count: 2 });
    expect(await note(page)).toMatch(/reached the token limit/);
  }),
);

test('opens a file by picker and by drop, and explains a damaged one', () =>
  withPage(async (page) => {
    await page.setInputFiles('#file', modelPath);
    await page.waitForSelector('#composer');
    expect(await page.textContent('#model-line')).toContain('story-17m-q8_0.gguf');
    const picked = await write(page, { seed: '5', count: 1 });

    await dropFile(page, 'cut.gguf', 1_000_000);
    await page.waitForSelector('#failure');
    expect(await page.textContent('#failure-code')).toBe('truncated');
    expect(await page.textContent('#failure-title')).toMatch(/ends too early/);
    // The model that was there still is.
    expect(await write(page, { seed: '5', count: 2 })).toBe(picked);
    expect(await page.isVisible('#failure')).toBe(false);

    await dropFile(page, 'dropped.gguf', 1e9);
    await page.waitForFunction(() =>
      document.getElementById('model-line').textContent.includes('dropped.gguf'),
    );
    expect(await write(page, { seed: '5', count: 3 })).toBe(picked);
    await untilWorkers(page, 1);
  }));

test('runs under a sub-path, without isolation headers', async () => {
  const plain = await serveFlawed(buildFolder, { isolated: false });
  try {
    await withPage(async (page) => {
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      await start(page);
      expect((await write(page)).length).toBeGreaterThan(40);
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
