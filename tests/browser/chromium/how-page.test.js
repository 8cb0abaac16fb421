// SPDX-License-Identifier: MIT
// The page of the demo that explains: its pictures react, and its numbers are true.
import { join } from 'node:path';
import { findings } from '../support/accessibility.js';
import { openPage, projectFolder } from '../support/browser.js';
import { expectNothingWrong, openSite } from '../support/site.js';

const demo = join(projectFolder, 'build', 'demo');
const site = openSite(demo, { isolated: false });

/** Runs a test on the page and fails it for anything that went wrong behind the scenes. */
async function withPage(test, options = {}) {
  const opened = await openPage(site.browser, `${site.server.url}how.html`, options);
  try {
    await opened.page.locator('#chunks [data-part=told]:not(:empty)').waitFor();
    await test(opened.page, opened);
    expectNothingWrong({ ...opened, server: site.server });
  } finally {
    await opened.context.close();
  }
}

/** The numbers that a step tells, in order. */
const told = async (page, step) =>
  (
    (await page.locator(`#${step} [data-part=told]`).textContent()).match(
      /-?\d+(\.\d+)?(e-\d+)?/g,
    ) ?? []
  ).map(Number);

/** Sets a slider as a hand does. */
const slide = (page, step, name, value) =>
  page.locator(`#${step} [data-part=${name}]`).evaluate((slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, String(value));

/** The pixels of all pictures of a step, to tell whether they changed. */
const drawn = (page, step) =>
  page.evaluate(
    (id) =>
      [...document.querySelectorAll(`#${id} :is(canvas, svg)`)].map((picture) =>
        picture instanceof HTMLCanvasElement ? picture.toDataURL() : picture.innerHTML,
      ),
    step,
  );

async function startLayer(page) {
  await page.click('#layer [data-part=start]');
  await page.locator('#layer [data-part=desk]').waitFor();
}

test('needs no model before one is asked for', () =>
  withPage(async (page, { requests }) => {
    expect(requests.filter((url) => url.endsWith('.gguf'))).toEqual([]);
    await page.click('main a[href="memory.html"]');
    await page.locator('#desk').waitFor();
  }));

describe('a step', () => {
  let opened;
  let page;
  beforeAll(async () => {
    opened = await openPage(site.browser, `${site.server.url}how.html`);
    page = opened.page;
    await page.locator('#chunks [data-part=told]:not(:empty)').waitFor();
  });
  afterAll(() => opened.context.close());
  afterEach(() => expectNothingWrong({ ...opened, server: site.server }));

  test('the sum grows fuller with each pair and begins anew', async () => {
    expect((await told(page, 'sum')).at(-1)).toBe(0);
    const before = await drawn(page, 'sum');
    for (let i = 0; i < 7; i++) await page.click('#sum [data-part=write]');
    const [pairs, cells, , error] = await told(page, 'sum');
    expect([pairs, cells]).toEqual([8, 1024]);
    expect(error).toBeGreaterThan(0.2);
    for (const [i, picture] of (await drawn(page, 'sum')).entries()) {
      expect(picture).not.toBe(before[i]);
    }
    await page.click('#sum [data-part=reset]');
    expect(await told(page, 'sum')).toEqual([1024]);
  });

  test('interference is the product of the keys', async () => {
    for (const cosine of [-1, 0, 0.55]) {
      await slide(page, 'interference', 'cosine', cosine);
      expect((await told(page, 'interference')).map((x) => x + 0)).toEqual([cosine, cosine]);
    }
  });

  test('the delta rule leaves nothing of the old value, and of it as much as beta says', async () => {
    await slide(page, 'delta', 'cosine', 0);
    const [sum, none, other] = await told(page, 'delta');
    expect(sum).toBeGreaterThan(0.9);
    expect([none, other]).toEqual([0, 0]);
    await slide(page, 'delta', 'beta', 0);
    // Nothing was written: the old picture is read.
    expect((await told(page, 'delta'))[1]).toBeGreaterThan(0.9);
    await slide(page, 'delta', 'cosine', 0.9);
    await slide(page, 'delta', 'beta', 1);
    expect((await told(page, 'delta'))[2]).toBeGreaterThan(0.5);
  });

  test('a gate leaves alpha to the power of how long ago it was', async () => {
    for (const alpha of [1, 0.85, 0.5]) {
      await slide(page, 'gates', 'alpha', alpha);
      const shares = await told(page, 'gates');
      expect(shares).toHaveLength(8);
      for (const [i, left] of shares.entries()) {
        // It is told in two digits behind the point.
        expect(Math.abs(left - alpha ** (7 - i))).toBeLessThan(0.0051);
      }
    }
  });

  test('a step of gradient descent leaves (1 - beta)² of the loss', async () => {
    const before = await drawn(page, 'descent');
    for (const beta of [0, 0.25, 1, 2]) {
      await slide(page, 'descent', 'beta', beta);
      const [first, now] = await told(page, 'descent');
      expect(first).toBeGreaterThan(10);
      expect(now).toBeCloseTo((1 - beta) ** 2 * first, 0);
    }
    expect(await drawn(page, 'descent')).not.toEqual(before);
  });

  test('a chunk makes the state that its tokens make one by one', async () => {
    const before = await drawn(page, 'chunks');
    await page.click('#chunks [data-part=again]');
    expect(await drawn(page, 'chunks')).not.toEqual(before);
    const [most, difference] = await told(page, 'chunks');
    expect(most).toBeGreaterThan(0.5);
    // They are not the same additions: no difference at all would be one state drawn twice.
    expect(difference).toBeGreaterThan(0);
    expect(difference).toBeLessThan(1e-5 * most);
  });
});

test('the layer shows the numbers of its state, token by token', () =>
  withPage(async (page) => {
    await startLayer(page);
    const before = await drawn(page, 'layer');
    await page.locator('#layer [data-part=text] button').nth(11).click();
    expect(await drawn(page, 'layer')).not.toEqual(before);
    const shown = await page.evaluate(() => {
      const part = (name) => document.querySelector(`#layer [data-part=${name}]`);
      return {
        head: Number(part('head').value),
        layer: Number(part('layer').value),
        position: Number(part('told').textContent.match(/token (\d+) of/)[1]),
        numbers: [...part('numbers').querySelectorAll('td')].map((cell) => cell.textContent),
      };
    });
    const wanted = await page.evaluate(async ({ layer, head, position }) => {
      const { loadModel } = await import('/fastweights/index.js');
      const { amount } = await import('/how/state-words.js');
      const { EMBEDDED } = await import('/embedded.js');
      const model = await loadModel(EMBEDDED.url);
      // An answer that ends where the state has read so many tokens.
      const at = async (tokens) => {
        const session = await model.createSession({ thinking: false });
        const options = { temperature: 0, maxTokens: 1 };
        await session.prompt('Tell me a bedtime story.', options);
        const { tokens: read } = await session.state({ values: false });
        const again = await model.createSession({ thinking: false });
        await again.prompt('Tell me a bedtime story.', {
          ...options,
          maxTokens: tokens - read + 1,
        });
        const state = await again.state({ layer, head });
        return state.tokens === tokens ? state.layers[0] : undefined;
      };
      const [old, now] = [await at(position - 1), await at(position)];
      const { last } = now;
      await model.dispose();
      return [
        ...[last.queryNorms, last.keyNorms, last.valueNorms, last.decay, last.beta],
        ...[old.norms, last.writeNorms, now.norms],
      ].map(([number]) => amount(number));
    }, shown);
    expect(shown.numbers).toEqual(wanted);
    const other = shown.layer === 0 ? '1' : '0';
    await page.selectOption('#layer [data-part=layer]', other);
    await page.locator('#layer [data-part=told]', { hasText: `layer ${other} keeps` }).waitFor();
  }));

test('a state is watched while an answer is written, which stays the same', () =>
  withPage(async (page) => {
    const seen = await page.evaluate(async () => {
      const { loadModel } = await import('/fastweights/index.js');
      const { watch } = await import('/how/watch.js');
      const host = document.createElement('section');
      document.querySelector('main').prepend(host);
      const { EMBEDDED } = await import('/embedded.js');
      const model = await loadModel(EMBEDDED.url);
      const session = () => model.createSession({ thinking: false, seed: 3 });
      const watched = await session();
      const canvases = () => [...host.querySelectorAll('canvas')].map((one) => one.toDataURL());
      const pictures = new Set();
      const stop = watch(watched, host);
      let text = '';
      for await (const piece of watched.promptStreaming('A story, please.', { maxTokens: 120 })) {
        text += piece;
        if (host.querySelector('canvas')) pictures.add(canvases().join());
      }
      await stop();
      const { tokens, layers } = await watched.state();
      const lines = {
        line: host.querySelector('[data-part=line]').textContent,
        figures: host.querySelector('[data-part=figures]').textContent,
        rows: host.querySelectorAll('tr').length,
      };
      const before = canvases();
      host.querySelector('canvas').scrollIntoView();
      const chosen = () => [...host.querySelectorAll('select')].map(({ value }) => value).join('.');
      const first = chosen();
      const [layer] = host.querySelectorAll('select');
      layer.value = '0';
      layer.dispatchEvent(new Event('change'));
      await new Promise((resolve) => setTimeout(resolve, 200));
      const unwatched = await (await session()).prompt('A story, please.', { maxTokens: 120 });
      await model.dispose();
      return {
        ...lines,
        text,
        unwatched,
        tokens,
        layers: layers.length,
        norm: layers.find(({ layer: of }) => of === Number(first.split('.')[0])).norms[0],
        pictures: pictures.size,
        changed: canvases().filter((picture, i) => picture !== before[i]).length,
        chosen: [first, chosen()],
      };
    });
    expect(seen.text).toBe(seen.unwatched);
    expect(seen.text.length).toBeGreaterThan(100);
    expect(seen.pictures).toBeGreaterThan(3);
    expect(seen.line).toBe(`${seen.tokens} tokens read into ${seen.layers} layers`);
    expect(seen.figures).toContain(`norm of S ${seen.norm.toPrecision(3)}`);
    expect(seen.rows).toBe(1 + seen.layers);
    expect(seen.chosen).toEqual(['5.0', '0.0']);
    expect(seen.changed).toBe(3);
    expect(await findings(page)).toEqual([]);
  }));

test('who wants no motion sees a picture a second at the most', () =>
  withPage(
    async (page) => {
      const frames = await page.evaluate(async () => {
        const { StatePicture } = await import('/how/state-picture.js');
        const host = document.createElement('section');
        document.body.append(host);
        const picture = new StatePicture(host);
        const seen = new Set();
        for (let tokens = 1; tokens <= 40; tokens++) {
          const values = new Float32Array(16).fill(tokens);
          const layer = { layer: 0, mixer: 'gated_delta', heads: 1, keyDim: 4, valueDim: 4 };
          picture.update({ tokens, layers: [{ ...layer, norms: values.subarray(0, 1), values }] });
          seen.add(host.querySelector('[data-part=line]').textContent);
        }
        return seen.size;
      });
      expect(frames).toBe(1);
    },
    { reducedMotion: 'reduce' },
  ));

test.each([
  ['light', 390],
  ['dark', 1280],
])('axe finds nothing, in %s colours at a width of %i', (colorScheme, width) =>
  withPage(
    async (page) => {
      await startLayer(page);
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    },
    { colorScheme, viewport: { width, height: 844 } },
  ),
);
