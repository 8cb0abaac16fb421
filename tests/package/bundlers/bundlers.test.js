// SPDX-License-Identifier: MIT
// The packed package in the smallest app of every bundler: built, served and run in a page, and in the
// bundler's development server where it has one. The table of bundlers in docs/getting-started.md is this one.
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { serve } from '../../../tools/serve.mjs';
import { launchChromium } from '../../../tools/setup/chromium.mjs';
import { kSmallModel, kSmallName } from '../../../tools/setup/embedded-model.mjs';
import { build, makeApp, packPackage, runServer } from './app-folder.js';
import none from './none.js';
import { html, importMap } from './pages.js';

const kBundlers = [
  await import('./vite.js'),
  await import('./webpack.js'),
  await import('./rspack.js'),
  await import('./rollup.js'),
  await import('./esbuild.js'),
  await import('./parcel.js'),
  await import('./next-turbopack.js'),
  await import('./next-webpack.js'),
]
  .map((module) => module.default)
  .concat(none);
const kPageLimitMs = 60_000;
jest.setTimeout(420_000);

const project = fileURLToPath(new URL('../../..', import.meta.url));
const models = dirname(kSmallModel);
const folder = mkdtempSync(join(tmpdir(), 'bundlers-'));
let tarball;
let browser;
let elsewhere;

beforeAll(async () => {
  tarball = await packPackage(folder);
  browser = await launchChromium();
  // Development servers have no place for the model.
  elsewhere = await serveToAll(models);
});
afterAll(async () => {
  await browser?.close();
  await elsewhere?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves a folder to pages of every origin. */
function serveToAll(served) {
  return serve(served, {
    port: 0,
    isolated: false,
    onRequest(_, response) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('cross-origin-resource-policy', 'cross-origin');
    },
  });
}

/** What a page shows; `server` is what a server component has put into it. */
async function show(url, asked, others = []) {
  const page = await browser.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  const own = [url, elsewhere.url, ...others].map((text) => new URL(text).host);
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (/^(http|ws)/.test(protocol) && !own.includes(host)) wrong.push(`asked ${request.url()}`);
  });
  try {
    await page.goto(`${url}?${new URLSearchParams(asked)}`);
    const output = page.locator('output:not(:empty)').first();
    await output.waitFor({ timeout: kPageLimitMs }).catch((error) => wrong.push(error.message));
    expect(wrong).toEqual([]);
    const server = await page.locator('#server').allTextContents();
    return { ...JSON.parse(await output.textContent()), server: server[0] };
  } finally {
    await page.close();
  }
}

const written = (threads) => ({
  text: ', there was a little boy who loved to play with blocks',
  answer: expect.stringMatching(/^Once upon a time/),
  same: true,
  held: '"{\\"a\\"}"',
  threads,
});

describe.each(kBundlers)('$name', (bundler) => {
  let app;
  beforeAll(async () => {
    app = await makeApp(bundler, tarball);
  });
  afterAll(() => rm(app, { recursive: true, force: true }));

  test('builds an app that writes, with one thread and with two', async () => {
    if (bundler.build) await build(app, bundler.build);
    const { policy, output } = bundler;
    const server = bundler.start
      ? await runServer(app, bundler.start)
      : await serve(join(app, output), { port: 0, policy, mounts: { models } });
    const model = bundler.start ? `${elsewhere.url}${kSmallName}` : `/models/${kSmallName}`;
    try {
      for (const threads of [1, 2]) {
        const shown = await show(server.url, { model, threads });
        expect(shown).toMatchObject(written(threads));
        expect(shown.server).toBe(bundler.serverText);
      }
      if (bundler.ownWorker) {
        expect(await show(server.url, { model, worker: 'own' })).toMatchObject(written(1));
      }
    } finally {
      await server.close();
    }
  });

  const inDevelopment = async () => {
    const server = await runServer(app, bundler.dev);
    try {
      const model = `${elsewhere.url}${kSmallName}`;
      const shown = await show(server.url, { model, threads: 2 });
      expect(shown).toMatchObject(written(bundler.threadsInDevelopment ? 2 : 1));
    } finally {
      await server.close();
    }
  };
  if (bundler.dev) test('serves it in development', inDevelopment);

  test('needs what the guide says', () => {
    const guide = readFileSync(join(project, 'docs/getting-started.md'), 'utf8');
    const rows = guide.split('\n').filter((line) => line.startsWith(`| ${bundler.name} |`));
    expect(rows).toHaveLength(1);
    for (const need of bundler.needs ?? ['nothing']) expect(rows[0]).toContain(need);
  });
});

test('a page may take the package from another origin, by a worker that imports it', async () => {
  const app = await makeApp(none, tarball);
  const far = await serveToAll(join(app, 'node_modules/fastweights/dist'));
  await writeFile(join(app, 'index.html'), html('main.js', importMap(far.url)));
  const { origin } = new URL(far.url);
  const policy = [
    `default-src 'self' ${origin} data:`,
    `script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' ${origin}`,
    `worker-src blob: ${origin}`,
  ].join('; ');
  try {
    for (const isolated of [false, true]) {
      const near = await serve(app, { port: 0, policy, isolated, mounts: { models } });
      try {
        const shown = await show(near.url, { model: `/models/${kSmallName}`, threads: 2 }, [
          far.url,
        ]);
        expect(shown).toMatchObject(written(isolated ? 2 : 1));
      } finally {
        await near.close();
      }
    }
  } finally {
    await Promise.all([far.close(), rm(app, { recursive: true })]);
  }
});
