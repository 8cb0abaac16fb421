// SPDX-License-Identifier: MIT
// The page that measures the device.
import { join } from 'node:path';
import { findings, LOOKS, overflow } from '../support/accessibility.js';
import { resources, untilWorkers } from '../support/browser.js';
import * as demo from '../support/demo-page.js';
import { openSite } from '../support/site.js';

const folder = join(demo.buildFolder, 'demo');
const site = openSite(folder);
const withPage = (test, options) =>
  demo.withPage(
    site,
    async (page, opened) => {
      await page.locator('#models input').first().waitFor();
      await test(page, opened);
    },
    `${site.server.url}device.html`,
    options,
  );

/** Measures these models with few tokens. */
async function run(page, models, { read = 16, written = 4, repeats = 2 } = {}) {
  for (const box of await page.locator('#models input').all()) {
    await box.setChecked(models.includes(await box.getAttribute('value')));
  }
  for (const [id, value] of Object.entries({ read, written, repeats })) {
    await page.fill(`#${id}`, String(value));
  }
  await page.click('#run');
}
const ended = (page) => page.locator('#status:not(:empty)').waitFor();

test('says what the browser has, and loads no weights', async () => {
  await withPage(async (page) => {
    await page.waitForLoadState('networkidle');
    const features = Object.fromEntries(
      await page.evaluate(() =>
        [...document.querySelectorAll('#features div')].map((cell) =>
          [...cell.children].map(({ textContent }) => textContent),
        ),
      ),
    );
    expect(features).toMatchObject({
      'Build that runs': 'relaxed',
      SIMD128: 'yes',
      'Relaxed SIMD': 'yes',
      'Cross-origin isolated': 'yes',
      'Logical cores': String(await page.evaluate(() => navigator.hardwareConcurrency)),
      'Most that one model can take': '4.29 GB',
    });
    expect((await resources(page)).filter((url) => /wasm|fastweights\//.test(url))).toEqual([]);
    // Of random weights each size is known before any is made.
    expect(await page.textContent('#models')).toMatch(/Qwen3\.5 0\.8B random, Q4_K_M, 518 MB/);
    await page.selectOption('#type', 'q8_0');
    await page.locator('#models', { hasText: 'Qwen3.5 0.8B random, Q8_0, 801 MB' }).waitFor();
  });
});

test('measures the own model and random weights, as a table and as JSON', () =>
  withPage(async (page, { requests }) => {
    await run(page, ['own', 'rwkv7-0.1b']);
    await ended(page);
    expect(await page.textContent('#status')).toBe('Done: 2 of 2 measured.');
    const report = JSON.parse(await page.textContent('#json'));
    expect(report.protocol).toEqual({ tokensRead: 16, tokensWritten: 4, countedRuns: 2 });
    expect(report.device.relaxedSimd).toBe(true);
    expect(report.results.map(({ model }) => model)).toEqual([
      'The model of this site',
      'RWKV-7 0.1B',
    ]);
    for (const { read, written, weightsBytes, heapBytes, wasHidden } of report.results) {
      for (const { median, least, most, runs } of [read, written]) {
        expect(runs).toHaveLength(2);
        expect([least, most]).toEqual([Math.min(...runs), Math.max(...runs)]);
        expect(median).toBeCloseTo((runs[0] + runs[1]) / 2, 6);
        expect(least).toBeGreaterThan(0);
      }
      expect(heapBytes).toBeGreaterThan(weightsBytes);
      expect(wasHidden).toBe(false);
    }
    // As many bytes as the file of that shape has, of which none was downloaded.
    expect(report.results[1].weightsBytes).toBeGreaterThan(125e6);
    expect(
      requests.filter((url) => url.endsWith('.gguf')).every((url) => url.includes('/models/')),
    ).toBe(true);
    expect(await page.locator('#table tbody tr').count()).toBe(2);
    // Each model is gone before the next: what is left makes weights.
    await untilWorkers(page, 1);
  }));

test('can be cancelled, and measures again', () =>
  withPage(async (page) => {
    await run(page, ['own'], { read: 4096, written: 1024, repeats: 25 });
    await page.locator('#progress-text', { hasText: /tokens read|writing/ }).waitFor();
    await page.click('#stop');
    await ended(page);
    expect(await page.textContent('#status')).toBe('Cancelled: 0 of 1 measured.');
    expect(await page.isVisible('#failure')).toBe(false);
    expect(await page.isVisible('#results')).toBe(false);
    await run(page, [], {});
    expect(await page.textContent('#status')).toBe('Choose a model first.');
    await run(page, ['own'], { repeats: 1 });
    await page.locator('#status', { hasText: 'Done: 1 of 1 measured.' }).waitFor();
    await page.locator('#table', { hasText: 'one run' }).waitFor();
  }));

test('what is too large for the device cannot be chosen, and says why', () =>
  withPage(async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'deviceMemory', { value: 1 });
    });
    await page.reload();
    await page.locator('#models input').first().waitFor();
    expect(await page.isDisabled('input[value="qwen3.5-0.8b"]')).toBe(true);
    expect(await page.textContent('#models')).toMatch(
      /518 MB: needs 0\.6 GB, more than half of the 1 GiB of this device/,
    );
    expect(await page.isEnabled('input[value="rwkv7-0.1b"]')).toBe(true);
  }));

test.each(LOOKS)('axe finds nothing, in $colorScheme at $viewport.width', (look) =>
  withPage(async (page) => {
    await run(page, ['own'], { repeats: 1 });
    await ended(page);
    await page.click('summary');
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }, look),
);
