// SPDX-License-Identifier: MIT
//
// node tools/screenshot.mjs: docs/images/page.png, the built demo page with a story that its model has
// written, in Chromium. `--out FILE`, `--width N`, `--height N`, `--dark` take another one.

import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { palettePng } from './screenshot/palette-png.mjs';
import { serve } from './serve.mjs';
import { ensureChromium, launchChromium } from './setup/chromium.mjs';
import { projectFolder } from './setup/node-modules.mjs';

// A picture in a document that every reader of it downloads.
const kMostBytes = 120_000;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(projectFolder, 'docs', 'images', 'page.png') },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '800' },
    dark: { type: 'boolean', default: false },
  },
});

await ensureChromium();
const site = await serve(join(projectFolder, 'build', 'demo'), { port: 0 });
const browser = await launchChromium();
try {
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: Number(values.height) },
    colorScheme: values.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  await page.goto(site.url);
  await tellStory(page);
  const picture = await smaller(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  if (picture.length > kMostBytes) {
    throw new Error(
      `the picture has ${picture.length} bytes, more than ${kMostBytes}: make it smaller`,
    );
  }
  await writeFile(values.out, picture);
  process.stdout.write(`${relative(process.cwd(), values.out)}: ${picture.length} bytes\n`);
} finally {
  await browser.close();
  await site.close();
}

// As a visitor does: start the model, ask for a story, wait for its end, go on from a word otherwise.
// The seeds make them the same stories each time; the figures beside them are this machine's.
/** @param {import('playwright-core').Page} page */
async function tellStory(page) {
  await page.click('#start');
  await page.waitForSelector('#write:not([disabled])');
  await page.click('#how summary');
  await page.fill('#seed', '7');
  await page.fill('#max-tokens', '110');
  await page.click('#how summary');
  await page.click('#write');
  await page.waitForSelector('.answer:not([aria-busy]) .tools');
  await page.click('.piece:nth-of-type(40)');
  await page.click('.go-on');
  await page.waitForSelector('#branches li:nth-child(3):not(.busy)');
  await page.click('.piece:nth-of-type(60)');
  await page.evaluate(() => scrollTo(0, 0));
}

/** @param {Buffer} picture a PNG, whose pixels an empty page reads */
async function smaller(picture) {
  const page = await browser.newPage();
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const pieces = [];
    for (let i = 0; i < data.length; i += 32768) {
      pieces.push(String.fromCharCode(...data.subarray(i, i + 32768)));
    }
    return { width: image.width, height: image.height, pixels: btoa(pieces.join('')) };
  }, picture.toString('base64'));
  return palettePng(Buffer.from(pixels, 'base64'), width, height);
}
