// SPDX-License-Identifier: MIT
// Policies that forbid what the package needs, and a worker of which nothing is heard.
import { MODEL, openApiPage, projectFolder } from '../support/browser.js';
import { openSite } from '../support/site.js';

const site = openSite(projectFolder, { policy: "default-src 'self'; script-src 'self'" });

async function failure(options) {
  const { page, context } = await openApiPage(site.browser, site.server);
  try {
    return await page.evaluate(
      async ([url, given]) => {
        const error = await fastweights.loadModel(url, given).catch((failed) => failed);
        return { code: error.code, message: error.message, cause: error.cause?.message };
      },
      [MODEL, options],
    );
  } finally {
    await context.close();
  }
}

test.each([true, false])(
  'without wasm-unsafe-eval the policy is named (worker: %s)',
  async (worker) => {
    const error = await failure({ worker });
    expect(error.code).toBe('wasm');
    expect(error.message).toMatch(/Content Security Policy|unsafe-eval/);
    expect(error.cause).toMatch(/Content Security Policy|unsafe-eval/);
  },
);

test('a worker that the policy forbids is named with it', async () => {
  const error = await failure({ worker: 'blob:null/worker' });
  expect(error.code).toBe('worker');
  expect(error.message).toMatch(/Content-Security-Policy|cannot be accessed|blob/);
});

test('a worker that never answers is an error within half a minute', async () => {
  const error = await failure({ worker: '/tests/browser/pages/silent-worker.js' });
  expect(error.code).toBe('worker');
  expect(error.message).toMatch(/has not answered for 20 s.*fastweights\/worker/);
});
