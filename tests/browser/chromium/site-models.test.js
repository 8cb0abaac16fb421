// SPDX-License-Identifier: MIT
// The page to which visitors bring models of their own.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safetensors } from '../../support/safetensors.js';
import { tinyConfig, tinyTensors } from '../../support/tiny-checkpoint.js';
import { findings, LOOKS, overflow } from '../support/accessibility.js';
import { modelPath, openPage, untilWorkers } from '../support/browser.js';
import * as demo from '../support/demo-page.js';
import { expectNothingWrong, openSite } from '../support/site.js';

const folder = join(demo.buildFolder, 'demo');
const site = openSite(folder);
const bytes = await readFile(modelPath);
const size = `${(bytes.length / 1e6).toFixed(1)} MB`;
const asked = [];
let other;
let address;

// Another origin, with one model, and one that never comes to its end.
beforeAll(async () => {
  other = createServer(({ url }, response) => {
    asked.push(url);
    const found = url === '/own.gguf' || url === '/slow.gguf';
    response.writeHead(found ? 200 : 404, {
      'access-control-allow-origin': '*',
      ...(found ? { 'content-length': bytes.length } : {}),
    });
    if (url === '/slow.gguf') response.write(bytes.subarray(0, 3_000_000));
    else response.end(found ? bytes : '');
  });
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${other.address().port}`;
});
afterAll(() => {
  other.closeAllConnections();
  return new Promise((resolve) => other.close(resolve));
});

/** Runs a test on the page; `others` are requests to other origins and failures that it is about. */
async function withPage(test, options = {}, others = /^$/) {
  const opened = await openPage(site.browser, `${site.server.url}models.html`, options);
  try {
    await opened.page.locator('#published tbody tr').first().waitFor();
    await test(opened.page, opened);
    const wrong = opened.wrong.filter((what) => !others.test(what));
    expectNothingWrong({ wrong, server: site.server });
  } finally {
    await opened.context.close();
  }
}
const look = async (page, text) => {
  await page.fill('#address', text);
  await page.click('#look');
};
const failure = async (page) => {
  await page.locator('#failure').waitFor();
  return page.textContent('#failure');
};
const load = async (page) => {
  await page.click('#load');
  await page.locator('#trial').waitFor();
};

test('what is typed is turned into an address, and nothing is asked for', () =>
  withPage(async (page) => {
    const hub = 'https://huggingface.co/owner/name/resolve';
    const meant = [
      ['owner/name', `${hub}/main/`],
      ['owner/name@v2/sub/a b.gguf', `${hub}/v2/sub/a%20b.gguf`],
      ['https://huggingface.co/owner/name', `${hub}/main/`],
      ['https://huggingface.co/owner/name/blob/main/x.gguf', `${hub}/main/x.gguf`],
      ['https://example.org/m.gguf', 'https://example.org/m.gguf'],
      ['./models/a.gguf', `${site.server.url}models/a.gguf`],
    ];
    for (const [typed, url] of meant) {
      await page.fill('#address', typed);
      expect(await page.textContent('#address-words')).toContain(`asked for: ${url} (`);
      expect(await page.isEnabled('#look')).toBe(true);
    }
    const wrong = [
      ['nonsense', /neither an address/],
      ['owner/..', /must not go up/],
      ['http://example.org/m.gguf', /Only https/],
      ['ftp://example.org/m.gguf', /Only https/],
      ['https://', /no complete address/],
      ['https://me:secret@example.org/', /name and password/],
    ];
    for (const [typed, words] of wrong) {
      await page.fill('#address', typed);
      expect(await page.textContent('#address-words')).toMatch(words);
      expect(await page.isDisabled('#look')).toBe(true);
    }
    await page.locator('#published button').first().click();
    expect(await page.textContent('#address-words')).toMatch(/LFM2-350M-Q4_K_M\.gguf \(the server/);
  }));

/** What the hub would say of a repository: its files. */
const listing = (page, files) =>
  page.route('https://huggingface.co/api/**', (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: Object.entries(files).map(([path, size]) => ({ type: 'file', path, size })),
    }),
  );

test('of a repository of GGUF files one is chosen, and only that is asked for', () =>
  withPage(
    async (page, { requests }) => {
      const files = {
        'README.md': 100,
        'big/x-Q8_0-00002-of-00002.gguf': 500e6,
        'big/x-Q8_0-00001-of-00002.gguf': 400e6,
        'x-Q4_K_M.gguf': 533e6,
        'mmproj-F16.gguf': 90e6,
      };
      await listing(page, files);
      await page.route('https://huggingface.co/owner/name/**', (route) =>
        route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: bytes }),
      );
      await look(page, 'owner/name');
      await page.locator('#choices').waitFor();
      expect(await page.locator('#choices li').allTextContents()).toEqual([
        'x-Q4_K_M.gguf 533.0 MB',
        'big/x-Q8_0-00001-of-00002.gguf 900.0 MB',
      ]);
      expect(await page.evaluate(() => document.activeElement.id)).toBe('choices');
      expect(await findings(page)).toEqual([]);
      const hub = () => requests.filter((url) => url.startsWith('https://huggingface.co/'));
      expect(hub()).toEqual([
        'https://huggingface.co/api/models/owner/name/tree/main?recursive=true',
      ]);
      await page.click('#choices button');
      await page.locator('#needs').waitFor();
      expect(await page.isVisible('#choices')).toBe(false);
      expect(await page.textContent('#verdict')).toMatch(/^This fits/);
      expect(hub().slice(1)).toEqual([
        'https://huggingface.co/owner/name/resolve/main/x-Q4_K_M.gguf',
      ]);
    },
    {},
    /^asked https:\/\/huggingface\.co\//,
  ));

test('a file is planned, loaded and tried', () =>
  withPage(async (page) => {
    await page.setInputFiles('#files', modelPath);
    await page.locator('#needs').waitFor();
    expect(await page.textContent('#plan')).toMatch(/Weights in memory[\d.]+ MB.*Licence/);
    expect(await page.textContent('#verdict')).toMatch(/^This fits: it takes [\d.]+ MB\.$/);
    // A file is there already.
    expect(await page.isVisible('#keep')).toBe(false);
    const plain = await page.textContent('#plan');
    await page.selectOption('#weights', 'q4_0');
    await page.waitForFunction((before) => {
      const { textContent } = document.getElementById('plan');
      return textContent !== before && !document.getElementById('load').disabled;
    }, plain);
    await load(page);
    await page.fill('#prompt', 'Tell me a story.');
    await page.click('#write');
    // At once: a whole story takes half a second.
    await page.waitForFunction(() => {
      const begun = document.getElementById('answer').textContent.length > 30;
      if (begun) document.getElementById('stop').click();
      return begun;
    });
    await page.locator('#figures', { hasText: 'Stopped.' }).waitFor();
    await page.click('#close');
    await page.locator('#trial').waitFor({ state: 'hidden' });
    await untilWorkers(page, 0);
  }));

test('a folder is a checkpoint, also one without a tokenizer', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'checkpoint-'));
  const checkpoint = join(parent, 'tiny');
  try {
    await mkdir(checkpoint);
    await writeFile(join(checkpoint, 'config.json'), JSON.stringify(tinyConfig));
    await writeFile(join(checkpoint, 'model.safetensors'), safetensors(tinyTensors()));
    await withPage(async (page) => {
      await page.setInputFiles('#folder', checkpoint);
      await page.locator('#needs').waitFor();
      expect(await page.textContent('#needs-title')).toBe('tiny');
      expect(await page.textContent('#plan')).toMatch(/lfm2.*kB more with each token/);
      expect(await page.textContent('#verdict')).toMatch(/with 256 tokens\.$/);
      await load(page);
      await page.click('#write');
      expect(await failure(page)).toMatch(/tokenizer/);
    });
  } finally {
    await rm(parent, { recursive: true });
  }
});

test('another server is asked when the button is pressed; its model is kept and deleted', () =>
  withPage(
    async (page) => {
      asked.length = 0;
      const url = `${address}/own.gguf`;
      await page.fill('#address', url);
      expect(asked).toEqual([]);
      await page.click('#look');
      await page.locator('#needs').waitFor();
      expect(asked).toEqual(['/own.gguf']);
      await page.check('#keep');
      await load(page);
      expect(await page.textContent('#kept tbody')).toContain(url + size);
      expect(await page.textContent('#kept-words')).toMatch(
        /^20\.4 MB in 1 file\. This site uses /,
      );
      const before = asked.length;
      await page.getByRole('link', { name: `Write and talk with ${url}` }).click();
      await page.getByRole('button', { name: 'Start own.gguf' }).click();
      await page.locator('#desk').waitFor();
      expect(await page.textContent('#model-line')).toMatch(/^own\.gguf is running: qwen35/);
      expect(asked).toHaveLength(before);
      await page.goBack();
      await page.getByRole('button', { name: `Look at ${url}` }).click();
      expect(await page.inputValue('#address')).toBe(url);
      await page.getByRole('button', { name: `Delete ${url}` }).click();
      expect(await page.isVisible('#kept')).toBe(true);
      await page.getByRole('button', { name: `Delete ${url} for good?` }).click();
      await page.locator('#kept').waitFor({ state: 'hidden' });
      expect(await page.textContent('#kept-words')).toMatch(/^None yet/);

      // A page that was opened for it asks nobody else for it, and has a model of its own.
      const then = asked.length;
      await page.goForward();
      await page.getByRole('button', { name: 'Start own.gguf' }).click();
      expect(await failure(page)).toMatch(/not_found[\s\S]*does not keep own\.gguf any more/);
      expect(asked).toHaveLength(then);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.locator('#desk').waitFor();
      expect(await page.textContent('#model-line')).toMatch(/^story 51M is running/);
    },
    {},
    /asked http:\/\/127\.0\.0\.1:\d+\/own\.gguf$/,
  ));

test('a repository is asked for at its hub, and says in words that it is not there', () =>
  withPage(
    async (page, { context }) => {
      const hub = [];
      await context.route('https://huggingface.co/**', (route) => {
        hub.push(new URL(route.request().url()).pathname);
        return route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } });
      });
      await page.fill('#address', 'owner/name');
      expect(hub).toEqual([]);
      await page.click('#look');
      expect(await failure(page)).toMatch(/not where it should be[\s\S]*config\.json: HTTP 404/);
      const [list, ...files] = hub;
      expect(list).toBe('/api/models/owner/name/tree/main');
      expect(files.every((path) => path.startsWith('/owner/name/resolve/main/'))).toBe(true);
      expect(hub).toContain('/owner/name/resolve/main/config.json');
    },
    {},
    /huggingface|status of 404/,
  ));

test('a load is cancelled, and what is wrong with a model is said in words', () =>
  withPage(
    async (page) => {
      await look(page, `${address}/slow.gguf`);
      await page.locator('#needs').waitFor();
      await page.click('#load');
      await page.locator('#loading-text', { hasText: ` of ${size}` }).waitFor();
      await page.click('#cancel');
      await page.locator('#loading').waitFor({ state: 'hidden' });
      expect(await page.isVisible('#failure')).toBe(false);
      expect(await page.isVisible('#trial')).toBe(false);

      const file = (name, buffer) => ({ name, mimeType: '', buffer });
      await page.setInputFiles('#files', file('cut.gguf', bytes.subarray(0, 1_000_000)));
      expect(await failure(page)).toMatch(/ends too early/);
      const many = [file('a.gguf', Buffer.from('GGUF')), file('notes.txt', Buffer.from('a'))];
      await page.setInputFiles('#files', many);
      expect(await failure(page)).toMatch(/Choose one model/);
      const texts = [file('a.txt', Buffer.from('a')), file('b.txt', Buffer.from('b'))];
      await page.setInputFiles('#files', texts);
      expect(await failure(page)).toMatch(/config\.json, which is not among these/);
      await page.setInputFiles('#files', file('words.gguf', Buffer.from('these are words')));
      expect(await failure(page)).toMatch(/not a GGUF model/);
    },
    {},
    /slow\.gguf|ERR_ABORTED/,
  ));

test('a model that has no room is planned and not loaded', () =>
  withPage(async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'deviceMemory', { value: 0.1 });
    });
    await page.reload();
    await page.setInputFiles('#files', modelPath);
    await page.locator('#verdict.bad').waitFor();
    expect(await page.textContent('#verdict')).toMatch(
      /^This does not fit: it needs 0\.1 GB, more than half of the 0\.1 GiB/,
    );
    expect(await page.isDisabled('#load')).toBe(true);
  }));

test.each(LOOKS)('axe finds nothing, in $colorScheme at $viewport.width', (look) =>
  withPage(async (page) => {
    await page.fill('#address', 'nonsense');
    await page.setInputFiles('#files', modelPath);
    await page.locator('#needs').waitFor();
    await load(page);
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }, look),
);
