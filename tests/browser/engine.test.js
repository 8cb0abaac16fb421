// SPDX-License-Identifier: MIT
// What the engine has is what support/engine.js says, and what it lacks is stood in for.
import { MODEL } from './support/browser.js';
import { BEST_BUILD, has } from './support/engine.js';
import { expectNothingWrong, openApiSite } from './support/site.js';

const site = openApiSite();
afterEach(() => expectNothingWrong(site));

test('the engine has what the table says, and no more', async () => {
  const found = await site.page.evaluate(async () => {
    // i8x16.relaxed_swizzle, in the smallest module that uses it.
    const swizzle = [
      ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0],
      ...[65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11],
    ];
    const worker = new Worker('/tests/browser/pages/features-worker.js');
    const inWorkers = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
    });
    worker.terminate();
    return {
      ...inWorkers,
      relaxedSimd: WebAssembly.validate(new Uint8Array(swizzle)),
      sharedMemory: crossOriginIsolated && typeof SharedArrayBuffer === 'function',
      iterableStreams: Symbol.asyncIterator in ReadableStream.prototype,
      symbolDispose: typeof Symbol.dispose === 'symbol',
    };
  });
  expect(found).toEqual(has);
});

test('what it lacks is stood in for', async () => {
  const seen = await site.page.evaluate(async (url) => {
    const model = await fastweights.loadModel(url, { cache: true, threads: 2 });
    const { build, facts } = model;
    let text = '';
    for await (const piece of model.generate('Once', { temperature: 0, maxTokens: 4 })) {
      text += piece;
    }
    await model.dispose();
    const inCacheApi = (await caches.keys()).includes('fastweights-models-2');
    return { build, threads: facts.threads, inCacheApi, text };
  }, MODEL);
  expect(seen).toEqual({
    build: BEST_BUILD,
    threads: has.sharedMemory ? 2 : 1,
    inCacheApi: !has.privateFiles,
    text: ' upon a time,',
  });
});
