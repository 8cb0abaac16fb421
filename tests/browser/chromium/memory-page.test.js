// SPDX-License-Identifier: MIT
// The page of the demo that plays with memories.
import { join } from 'node:path';
import { openPage, projectFolder } from '../support/browser.js';
import { serveFlawed } from '../support/server.js';
import { expectNothingWrong, openSite } from '../support/site.js';

const demo = join(projectFolder, 'build', 'demo');
const site = openSite(demo, { isolated: false });

/** Runs a test on the page and fails it for anything that went wrong behind the scenes. */
async function withPage(test, options = {}) {
  const opened = await openPage(site.browser, `${site.server.url}memory.html`, options);
  try {
    await opened.page.locator('#desk').waitFor();
    await test(opened.page, opened);
    expectNothingWrong({ ...opened, server: site.server });
  } finally {
    await opened.context.close();
  }
}

/** What a part of each rule's card says, as a number: 'mean-error', 'chosen-error', 'bytes'. */
const told = (page, part) =>
  page.evaluate(
    (name) =>
      Object.fromEntries(
        [...document.querySelectorAll('#rules > [data-rule]')].map((card) => {
          const text = card.querySelector(`[data-part=${name}]`).textContent;
          return [card.dataset.rule, Number.parseFloat(text.replaceAll(',', ''))];
        }),
      ),
    part,
  );
const storedCount = (page) => page.locator('#stored input').count();

/** The pixels of a canvas as text, to tell whether it changed. */
const drawn = (page, rule, part) =>
  page.evaluate(
    ([name, which]) => document.querySelector(`#rule-${name} [data-part=${which}]`).toDataURL(),
    [rule, part],
  );

/** Sets a slider as a hand does. */
const slide = (page, id, value) =>
  page.locator(`#${id}`).evaluate((slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, String(value));

test('is found from the first page by how it works, leads back, and needs no isolation and no model', () =>
  withPage(async (page) => {
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await page.waitForLoadState('networkidle');
    // The page's own: the service worker keeps every build, and the model.
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(asked.filter((url) => url.endsWith('.wasm'))).toHaveLength(1);
    expect(asked.filter((url) => url.endsWith('.gguf'))).toEqual([]);
    await page.click('a[href="./"]');
    await page.click('nav a[href="how.html"]');
    await page.click('main a[href="memory.html"]');
    await page.locator('#desk').waitFor();
  }));

test('past as many pairs as a key has numbers, rules differ as they should', () =>
  withPage(async (page) => {
    const before = await told(page, 'bytes');
    await page.click('#all');
    expect(await storedCount(page)).toBe(32);
    const error = await told(page, 'mean-error');
    expect(error.linear).toBeGreaterThan(1.1);
    expect(error.retnet).toBeLessThan(error.linear - 0.1);
    expect(error.delta).toBeLessThan(error.linear - 0.1);
    expect(error.gated_delta).toBeLessThan(error.delta);
    expect(error.least_squares).toBeLessThan(error.gated_delta - 0.1);
    expect(error.softmax).toBeLessThan(0.02);

    const after = await told(page, 'bytes');
    for (const [rule, size] of Object.entries(after)) {
      // A row of a key and a value for each pair, of which there were four.
      if (rule === 'softmax') expect([before[rule], size]).toEqual([4 * 320, 32 * 320]);
      else expect([rule, size]).toEqual([rule, before[rule]]);
    }
    expect(await page.locator('#summary').textContent()).toMatch(/32 of 32 .* more than the 16 /);
    expect(await page.locator('#chart polyline').count()).toBe(6);
    const last = await page.locator('#table tr').last().locator('th, td').allTextContents();
    expect(last.map(Number)).toEqual([32, ...Object.values(error)]);
  }));

test('keys at right angles do not disturb each other, up to as many as there can be', () =>
  withPage(async (page) => {
    await page.selectOption('#key-dim', '8');
    await page.selectOption('#keys', 'orthonormal');
    await page.locator('#summary', { hasText: 'has room for 8' }).waitFor();
    await page.locator('#rule-linear [data-part=mean-error]', { hasText: '0.00' }).waitFor();
    for (let pairs = 4; pairs < 8; pairs++) await page.click('#step');
    const full = await told(page, 'mean-error');
    for (const rule of ['linear', 'delta', 'least_squares']) expect(full[rule]).toBeLessThan(0.01);
    expect(full.retnet).toBeGreaterThan(0.05);
    await page.click('#step');
    expect((await told(page, 'mean-error')).linear).toBeGreaterThan(0.05);
  }));

test('a new picture under an old key: delta has it, linear has both', () =>
  withPage(async (page) => {
    await page.locator('#stored label').nth(2).click();
    const [stored, state] = [
      await drawn(page, 'delta', 'stored'),
      await drawn(page, 'delta', 'state'),
    ];
    await page.click('#overwrite');
    expect(await storedCount(page)).toBe(4);
    expect(await drawn(page, 'delta', 'stored')).not.toBe(stored);
    expect(await drawn(page, 'delta', 'state')).not.toBe(state);
    expect(await drawn(page, 'delta', 'recalled')).toBe(await drawn(page, 'delta', 'stored'));
    expect(await drawn(page, 'linear', 'recalled')).not.toBe(await drawn(page, 'linear', 'stored'));
    const error = await told(page, 'chosen-error');
    expect(error.delta).toBe(0);
    expect(error.gated_delta).toBe(0);
    for (const rule of ['linear', 'retnet', 'least_squares', 'softmax']) {
      expect(error[rule]).toBeGreaterThan(0.3);
    }
    expect(await page.locator('#summary').textContent()).toMatch(/^Pair 3 has a new picture/);
  }));

test('noise on the keys blurs what is recalled, and nothing that is stored', () =>
  withPage(async (page) => {
    await page.click('#all');
    const clean = await told(page, 'mean-error');
    const state = await drawn(page, 'least_squares', 'state');
    await slide(page, 'noise', 0.5);
    const noisy = await told(page, 'mean-error');
    expect(noisy.least_squares).toBeGreaterThan(clean.least_squares + 0.05);
    expect(await drawn(page, 'least_squares', 'state')).toBe(state);
    await slide(page, 'noise', 0);
    expect(await told(page, 'mean-error')).toEqual(clean);
  }));

test('plays, pauses and resets by keyboard alone', () =>
  withPage(async (page) => {
    await page.locator('#step').focus();
    await page.keyboard.press('Enter');
    expect(await storedCount(page)).toBe(5);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.locator('#stored label:nth-child(7)').waitFor();
    await page.keyboard.press('Space');
    const paused = await storedCount(page);
    await page.waitForTimeout(600);
    expect(await storedCount(page)).toBe(paused);

    await page.locator('#stored input').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#stored input').nth(1).isChecked()).toBe(true);

    await page.locator('#all').focus();
    await page.keyboard.press('Enter');
    // That button is done; the keyboard is where one goes on.
    expect(await page.evaluate(() => document.activeElement.id)).toBe('reset');
    await page.keyboard.press('Enter');
    expect(await storedCount(page)).toBe(0);
    expect(await page.evaluate(() => document.activeElement.id)).toBe('step');
    expect(await page.locator('#summary').textContent()).toMatch(/^Nothing is stored/);
    expect(Object.values(await told(page, 'mean-error'))).toEqual(Array(6).fill(NaN));
  }));

test('frees the memories that it replaces', () =>
  withPage(async (page) => {
    await page.evaluate(async () => {
      const { AssociativeMemory } = await import('./fastweights/index.js');
      const { create } = AssociativeMemory;
      const one = await AssociativeMemory.create({ rule: 'linear', keyDim: 4, valueDim: 4 });
      one.dispose();
      const prototype = Object.getPrototypeOf(one);
      const { dispose } = prototype;
      globalThis.count = { made: 0, freed: 0 };
      AssociativeMemory.create = async (options) => {
        const memory = await create.call(AssociativeMemory, options);
        globalThis.count.made++;
        return memory;
      };
      prototype.dispose = function () {
        globalThis.count.freed++;
        return dispose.call(this);
      };
    });
    // Faster than memories are made, too.
    await Promise.all([0.9, 0.91, 0.92].map((kept) => slide(page, 'kept', kept)));
    await page.selectOption('#key-dim', '32');
    await page.selectOption('#key-dim', '64');
    // Those of the start are freed as well, and one set is in use.
    const count = () => page.evaluate(() => globalThis.count);
    while ((await count()).freed < 30) await page.waitForTimeout(50);
    expect(await count()).toEqual({ made: 30, freed: 30 });
    expect(await storedCount(page)).toBe(4);
  }));

test('plays to the end, also where fewer pairs are asked for meanwhile', () =>
  withPage(async (page) => {
    await page.click('#play');
    await page.locator('#stored label:nth-child(6)').waitFor();
    await slide(page, 'pairs', 4);
    await page.locator('#play:disabled', { hasText: 'Play' }).waitFor();
    expect(await storedCount(page)).toBe(4);
    await slide(page, 'pairs', 8);
    await page.locator('#play:enabled').click();
    await page.locator('#play:disabled', { hasText: 'Play' }).waitFor();
    expect(await storedCount(page)).toBe(8);
  }));

test('is drawn anew when light becomes dark', () =>
  withPage(async (page) => {
    const light = await drawn(page, 'linear', 'album');
    await page.emulateMedia({ colorScheme: 'dark' });
    // Chromium tells pages of it with a frame, not before this goes on.
    while ((await drawn(page, 'linear', 'album')) === light) await page.waitForTimeout(50);
    await page.emulateMedia({ colorScheme: 'light' });
    while ((await drawn(page, 'linear', 'album')) !== light) await page.waitForTimeout(50);
  }));

test('says so where the WebAssembly is missing', async () => {
  const refuses = ({ url }) => url.endsWith('.wasm');
  const refusing = await serveFlawed(demo, { refuses });
  try {
    const { page, context } = await openPage(site.browser, `${refusing.url}memory.html`);
    await page.locator('#failure').waitFor();
    expect(await page.locator('#failure').textContent()).toMatch(/WebAssembly/);
    expect(await page.locator('#desk').isVisible()).toBe(false);
    await context.close();
  } finally {
    await refusing.close();
  }
});

test.each(['light', 'dark'])('fits a phone, %s', (colorScheme) =>
  withPage(
    async (page) => {
      await page.click('#all');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      // In reach, wherever the page has been scrolled to.
      await page.locator('#rule-softmax').scrollIntoViewIfNeeded();
      await page.click('#reset');
      expect(await storedCount(page)).toBe(0);
    },
    { viewport: { width: 360, height: 740 }, colorScheme, hasTouch: true },
  ),
);
