// SPDX-License-Identifier: MIT
// What a model would take, found out in a page: by a worker, which is ended then.
import { MODEL, untilWorkers } from './support/browser.js';
import { expectNothingWrong, openApiSite } from './support/site.js';

const site = openApiSite();
afterEach(async () => {
  await untilWorkers(site.page, 0);
  expectNothingWrong(site);
});

/** All that is said of a source; of the tokens and merges how many there are, and what they come to. */
const inspect = (kind, options) =>
  site.page.evaluate(
    async ([make, url, given]) => {
      const { metadata, ...found } = await fastweights.inspectModel(
        await sources[make](url),
        given,
      );
      const said = [...metadata].map(([key, value]) => [
        key,
        Array.isArray(value) ? `${value.length}: ${value.join(' ').slice(0, 5000)}` : String(value),
      ]);
      return { ...found, said, tokens: metadata.get('tokenizer.ggml.tokens').slice(250, 260) };
    },
    [kind, MODEL, options],
  );

test.each(['text', 'blob', 'view', 'stream'])(
  'a worker says of a %s what the page itself does',
  async (kind) => {
    const found = await inspect(kind, {});
    expect(found).toMatchObject({ architecture: 'qwen35', memory: { vocabSize: 4096 } });
    expect(found.tokens).toHaveLength(10);
    expect(await inspect(kind, { worker: false })).toEqual(found);
  },
);

test('the form of the weights is taken into account', async () => {
  const { memory } = await inspect('text', { weights: 'q4_0' });
  const { memory: stored } = await inspect('text', { weights: 'stored' });
  expect(memory.weightsBytes).toBeLessThan(0.6 * stored.weightsBytes);
});

test('it can be ended, and what is no model is an error', async () => {
  const ended = await site.page.evaluate(async (url) => {
    const aborter = new AbortController();
    const looking = fastweights.inspectModel(url, { signal: aborter.signal });
    aborter.abort(new Error('enough'));
    return outcome(looking);
  }, `${MODEL}?stall=100`);
  expect(ended).toMatchObject({ message: 'enough' });
  const wrong = await site.page.evaluate(() =>
    outcome(fastweights.inspectModel(new Blob(['no model at all, but long enough to look at']))),
  );
  expect(wrong).toMatchObject({ code: 'invalid_header', isModelError: true });
});
