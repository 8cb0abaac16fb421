// SPDX-License-Identifier: MIT
// Models inside service workers, which may neither import() nor start workers.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { modelPath, openApiPage, projectFolder } from '../support/browser.js';
import { expectNothingWrong, openSite } from '../support/site.js';

const classic = mkdtempSync(join(tmpdir(), 'service-worker-'));
afterAll(() => rmSync(classic, { recursive: true }));

const site = openSite(projectFolder, { mounts: { classic } });

const kPages = '/tests/browser/pages';

/** What the service worker `script` answers. */
function ask(script, question, options = {}) {
  return site.page.evaluate(
    async ([url, type, asked]) => {
      const scope = new URL(`${crypto.randomUUID()}/`, new URL(url, location.href)).href;
      const registration = await navigator.serviceWorker.register(url, { type, scope });
      try {
        const worker = registration.installing ?? registration.active;
        await new Promise((resolve) => {
          const look = () => worker.state === 'activated' && resolve();
          worker.addEventListener('statechange', look);
          look();
        });
        const { port1, port2 } = new MessageChannel();
        return await new Promise((resolve) => {
          port1.onmessage = ({ data }) => resolve(data);
          worker.postMessage(asked, [port2]);
        });
      } finally {
        await registration.unregister();
      }
    },
    [script, options.type ?? 'module', { ask: question, options: options.load ?? {} }],
  );
}

const kModule = `${kPages}/service-worker.js`;
let expected;
beforeAll(async () => {
  Object.assign(site, await openApiPage(site.browser, site.server));
  expected = await site.page.evaluate(async (pages) => {
    const fastweights = await import('/dist/index.js');
    const { answer } = await import(`${pages}/answers.js`);
    const ports = [{ postMessage: (message) => Object.assign(ports, message) }];
    await answer(fastweights, { data: { ask: 'write', options: {} }, ports });
    return ports.value;
  }, kPages);
});
afterEach(() => expectNothingWrong(site));

test('a module writes what a page does, in one thread', async () => {
  expect(expected.text.length).toBeGreaterThan(40);
  const { value, error } = await ask(kModule, 'write', { load: { threads: 2 } });
  expect(error).toBeUndefined();
  expect(value).toEqual({ ...expected, threads: 1 });
  expect(value.again).toBe(value.next);
  expect(value.day).toMatch(/^\d{4}-\d\d$/);
});

test('the other build, files, memories and the cache', async () => {
  const load = { wasm: { build: 'simd128' } };
  const { value } = await ask(kModule, 'write', { load });
  expect(value.build).toBe('simd128');
  expect(await ask(kModule, 'inspect')).toEqual({ value: 'qwen35' });
  expect(await ask(kModule, 'remember')).toEqual({ value: [1, 2, 3, 4] });
  expect(await ask(kModule, 'keep')).toEqual({ value: [statSync(modelPath).size] });
});

test('says that there is no worker, and which entry a service worker needs', async () => {
  const { error } = await ask(kModule, 'write', { load: { worker: true } });
  expect(error.name).toBe('TypeError');
  expect(error.message).toMatch(/no Worker/);
  for (const question of ['write', 'inspect', 'remember']) {
    const { error } = await ask(`${kPages}/service-worker-main-entry.js`, question);
    expect(error).toMatchObject({ name: 'ModelError', code: 'worker' });
    expect(error.message).toMatch(/fastweights\/service-worker/);
  }
});

test('a classic script, bundled in one file, is told where the wasm is', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(projectFolder, kModule)],
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
    // It has none: `wasm.url` says where files are.
    define: { 'import.meta.url': '""' },
  });
  writeFileSync(join(classic, 'sw.js'), outputFiles[0].text);
  const load = {
    wasm: { build: expected.build, url: `/dist/wasm/fastweights-${expected.build}.wasm` },
  };
  const { value, error } = await ask('/classic/sw.js', 'write', { type: 'classic', load });
  expect(error).toBeUndefined();
  expect(value).toEqual({ ...expected, threads: 1 });
});
