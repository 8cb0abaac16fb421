// SPDX-License-Identifier: MIT
// The demo page, as somebody uses it who has never seen it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kContentSecurityPolicy } from '../../tools/serve.mjs';
import { MODEL, modelPath, openPage, projectFolder } from './support/browser.js';
import { serveFlawed } from './support/server.js';
import { expectNothingWrong, openSite } from './support/site.js';

const build = join(projectFolder, 'build');
const site = openSite(join(build, 'demo'));

/** Runs a test on the page and fails it for anything that went wrong behind the scenes. */
async function withPage(test, url = site.server.url, options = {}) {
  const opened = await openPage(site.browser, url, options);
  try {
    await test(opened.page, opened);
    expectNothingWrong({ ...opened, server: site.server });
  } finally {
    await opened.context.close();
  }
}

const start = async (page) => {
  await page.click('#start');
  await page.locator('#composer').waitFor();
};
const finished = (page, count) =>
  page.locator(`#texts:has(> article:nth-of-type(${count})):not(:has([aria-busy]))`).waitFor();
const newest = (page) => page.locator('#texts .written').first();
const note = (page) => page.locator('#texts .note').first().textContent();

async function write(page, { tokens = 24, seed = '', count = 1 } = {}) {
  await page.fill('#max-tokens', String(tokens));
  await page.fill('#seed', seed);
  await page.click('#write');
  await finished(page, count);
  return newest(page).textContent();
}

// The page itself has the bytes at hand: a message to the browser could not carry them.
async function dropFile(page, name, size) {
  const transfer = await page.evaluateHandle(
    async ([from, fileName, length]) => {
      const whole = await (await fetch(from)).arrayBuffer();
      const data = new DataTransfer();
      data.items.add(new File([whole.slice(0, length)], fileName));
      return data;
    },
    [`models/${MODEL.split('/').pop()}`, name, size],
  );
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

test('nothing heavy is loaded before the button is pressed', () =>
  withPage(async (page, { requests }) => {
    await page.waitForLoadState('networkidle');
    expect(requests.filter((url) => /gguf|wasm|fastweights\//.test(url))).toEqual([]);
    await start(page);
    // Also shows that requests of the worker are seen, so that one to elsewhere would be.
    expect(requests.filter((url) => url.endsWith('.gguf'))).toHaveLength(1);
    expect(requests.filter((url) => url.endsWith('.wasm'))).toHaveLength(1);
  }));

test('states the policy that the server sends', async () => {
  const html = await readFile(join(build, 'demo/index.html'), 'utf8');
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
      expect(await page.locator(`#figure-${figure}`).textContent()).toMatch(
        /^[\d.]+( ms| s| MB)?$/,
      );
    }
    expect(await page.locator('#figure-build').textContent()).toMatch(
      /^(simd128|relaxed)(, \d threads)?$/,
    );
    expect(await page.locator('#constancy').textContent()).toMatch(/did not grow/);

    const other = await write(page, { seed: '42', count: 2 });
    const again = await write(page, { seed: '41', count: 3 });
    expect(other).not.toBe(first);
    expect(again).toBe(first);

    await page.fill('#seed', '');
    await page.click('#again');
    await finished(page, 4);
    const seed = await page.locator('#texts .seed').first().textContent();
    const drawn = await newest(page).textContent();
    await page.locator('#texts .seed').first().click();
    expect(await page.inputValue('#seed')).toBe(seed);
    await page.click('#again');
    await finished(page, 5);
    expect(await newest(page).textContent()).toBe(drawn);
    expect(await page.locator('#texts .given').allTextContents()).toEqual(
      Array(5).fill('Once upon a time'),
    );
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
    expect(await newest(page).textContent()).toMatch(/Lily/);
    expect(await page.locator('#announcer').textContent()).toMatch(/40 tokens/);
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
    await page.locator('#composer').waitFor();
    expect(await page.locator('#model-line').textContent()).toContain('story-17m-q8_0.gguf');
    const picked = await write(page, { seed: '5', count: 1 });

    await dropFile(page, 'cut.gguf', 1_000_000);
    await page.locator('#failure').waitFor();
    expect(await page.locator('#failure-code').textContent()).toBe('truncated');
    expect(await page.locator('#failure-title').textContent()).toMatch(/ends too early/);
    // The model that was there still is.
    expect(await write(page, { seed: '5', count: 2 })).toBe(picked);
    expect(await page.locator('#failure').isVisible()).toBe(false);

    await dropFile(page, 'dropped.gguf', 1e9);
    await page.locator('#model-line', { hasText: 'dropped.gguf' }).waitFor();
    expect(await write(page, { seed: '5', count: 3 })).toBe(picked);
    expect(page.workers()).toHaveLength(1);
  }));

test('runs under a sub-path, without isolation headers, on a phone in the dark', async () => {
  const plain = await serveFlawed(build, { isolated: false });
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
