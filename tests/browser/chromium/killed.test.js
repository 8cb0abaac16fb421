// SPDX-License-Identifier: MIT
// A browser that is killed while it writes. Only Chromium's driver keeps a profile from one browser to
// the next; WebKit's sessions keep nothing.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchProfile, MODEL } from '../support/browser.js';
import { OPTIONS, uninterrupted } from '../support/conversation.js';
import { openApiSite } from '../support/site.js';

const site = openApiSite();

test('a browser that is killed again and again resumes one of the last two saves', async () => {
  const expected = await uninterrupted(site.page);
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  const profile = async () => {
    const context = await launchProfile(folder);
    const opened = await context.newPage();
    await opened.goto(`${site.server.url}tests/browser/pages/api.html`);
    await opened.locator('body[data-ready]').waitFor({ state: 'attached' });
    return { context, opened };
  };
  for (let round = 0; round < 3; round++) {
    const { context, opened } = await profile();
    const closed = new Promise((resolve) => context.once('close', resolve));
    await opened.evaluate(
      async ([url, options]) => {
        const model = await fastweights.loadModel(url);
        const session = await model.createSession(options);
        await session.prompt('Tell a story.', { maxTokens: options.maxTokens });
        await session.persist('chat');
        await session.prompt('And then?', { maxTokens: options.maxTokens });
        // Without an end: whenever the browser goes, it is writing.
        (async () => {
          for (;;) await session.persist('chat');
        })();
      },
      [MODEL, OPTIONS],
    );
    await new Promise((resolve) => setTimeout(resolve, 40 + 30 * round));
    execFileSync('pkill', ['-KILL', '-f', folder]);
    await closed;
  }
  const { context, opened } = await profile();
  const { count, said } = await opened.evaluate(
    async ([url, { maxTokens }]) => {
      const model = await fastweights.loadModel(url);
      const session = await model.resume('chat');
      const count = session.messageCount;
      const said = await session.prompt(count === 2 ? 'And then?' : 'How does it end?', {
        maxTokens,
      });
      return { count, said };
    },
    [MODEL, OPTIONS],
  );
  expect([2, 4]).toContain(count);
  expect(said).toBe(expected[count / 2]);
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});
