// SPDX-License-Identifier: MIT
// What a page is told when its worker, its WebAssembly or its source fails, and that the next load works.
import { MODEL, untilWorkers } from './support/browser.js';
import { openApiSite } from './support/site.js';

const site = openApiSite();
// The browser itself says what it could not fetch.
afterEach(() => site.wrong.splice(0));

/** What a load with these options, and a source made so, fails with; then one without fails with nothing. */
const failure = (options, source = 'text') =>
  site.page.evaluate(
    async ([url, given, make]) => {
      const facts = (error) =>
        error && {
          name: error.name,
          code: error.code,
          message: error.message,
          cause: facts(error.cause),
        };
      const load = async (how) => {
        const model = await fastweights.loadModel(await sources[make](url), how);
        await model.dispose();
      };
      const failed = await load(given).catch(facts);
      await load({});
      return failed;
    },
    [MODEL, options, source],
  );

test('a worker whose file is missing', async () => {
  const error = await failure({ worker: '/missing-worker.js' });
  expect(error).toMatchObject({ code: 'worker' });
  expect(error.message).toMatch(/worker failed/);
});

test('a worker whose file is no module', async () => {
  const error = await failure({ worker: '/package.json' });
  expect(error).toMatchObject({ code: 'worker' });
});

test.each([true, false])('a wrong address of the WebAssembly (worker: %s)', async (worker) => {
  const error = await failure({ worker, wasm: { url: '/nowhere.wasm' } });
  expect(error).toMatchObject({ code: 'wasm' });
  expect(error.message).toMatch(/nowhere\.wasm/);
  expect(error.cause.message).toMatch(/nowhere\.wasm.*(wasm|WebAssembly|HTTP|404)/i);
});

test.each([true, false])('an abort in the first progress (worker: %s)', async (worker) => {
  const outcomes = await site.page.evaluate(
    async ([url, inWorker]) => {
      const seen = [];
      for (let i = 0; i < 5; i++) {
        const aborter = new AbortController();
        const why = new Error('enough');
        let calls = 0;
        const onProgress = () => {
          calls++;
          aborter.abort(why);
        };
        const options = { worker: inWorker, onProgress, signal: aborter.signal };
        const outcome = await fastweights.loadModel(url, options).catch((error) => error);
        seen.push([outcome === why, calls]);
      }
      return seen;
    },
    [MODEL, worker],
  );
  expect(outcomes).toEqual(Array(5).fill([true, 1]));
  await untilWorkers(site.page, 0);
});

test('progress is over when the load is', async () => {
  const late = await site.page.evaluate(async (url) => {
    let over = false;
    let late = 0;
    const onProgress = () => {
      if (over) late++;
    };
    const model = await fastweights.loadModel(url, { onProgress });
    over = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
    await model.dispose();
    return late;
  }, MODEL);
  expect(late).toBe(0);
});

test('a stream is cancelled when its load fails, and unlocked bytes stay the caller’s', async () => {
  const seen = await site.page.evaluate(async () => {
    let cancelled = 0;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: () => {
        cancelled++;
      },
    });
    const bytes = new Uint8Array(5000);
    const codes = [];
    for (const source of [stream, bytes, bytes.buffer]) {
      await fastweights.loadModel(source).catch(({ code }) => codes.push(code));
    }
    return { cancelled, codes, length: bytes.length };
  });
  expect(seen).toEqual({ cancelled: 1, codes: Array(3).fill('invalid_header'), length: 5000 });
});

test('a stream that fails is the cause of the load’s failure', async () => {
  const error = await site.page.evaluate(async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.error(new RangeError('the tape is torn')),
    });
    const { name, message } = await fastweights.loadModel(stream).catch((failed) => failed);
    return { name, message };
  });
  expect(error.message).toContain('the tape is torn');
});
