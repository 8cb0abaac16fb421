// SPDX-License-Identifier: MIT
// A model whose work several threads share: it says the same, it ends with its threads, and where
// there can be none it runs without.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  BUILD,
  DEMO,
  demoReference,
  ids,
  linearModel,
  loadModel,
  rejection,
  relativeError,
} from './models.js';

const GREEDY = { temperature: 0, ignoreEos: true, maxTokens: 24 };
const PROMPT = demoReference.prompts[0].ids;

// The threads' workers that live, seen by the class that the package's runtime finds in Node.
const workerThreads = createRequire(import.meta.url)('node:worker_threads');
const { Worker } = workerThreads;
const living = new Set();
class CountedWorker extends Worker {
  constructor(...args) {
    super(...args);
    living.add(this);
    this.once('exit', () => living.delete(this));
  }
}
beforeAll(() => {
  workerThreads.Worker = CountedWorker;
});
afterAll(() => {
  workerThreads.Worker = Worker;
});
async function workersEnded() {
  for (let i = 0; i < 100 && living.size > 0; i++) await pause(50);
  return living.size === 0;
}

/** What a model says with some threads: its facts, logits after each of the tokens and a text. */
async function sayings(options) {
  const model = await loadModel(DEMO, options);
  try {
    expect(living.size).toBe(model.facts.threads - 1);
    const { text, threads, build } = await model.complete(PROMPT, GREEDY);
    expect({ threads, build }).toEqual({ threads: model.facts.threads, build: model.build });
    return {
      threads,
      text,
      all: await model.logits(PROMPT, { all: true }),
      last: await model.logits(ids(700, model.vocabSize)),
    };
  } finally {
    await model.dispose();
  }
}

test('one thread says what many say, and 2, 3 and 4 say the same to the bit', async () => {
  const one = await sayings({ threads: 1 });
  expect(one.threads).toBe(1);
  const two = await sayings({ threads: 2 });
  expect(two.threads).toBe(2);
  for (const what of ['all', 'last']) {
    expect(relativeError(two[what], one[what])).toBeLessThan(1e-3);
  }
  for (const threads of [3, 4]) expect(await sayings({ threads })).toEqual({ ...two, threads });
  expect(await workersEnded()).toBe(true);
});

test('by default half the logical cores share the work, at most 8', async () => {
  const model = await loadModel(linearModel());
  const half = Math.floor(os.availableParallelism() / 2);
  expect(model.facts.threads).toBe(Math.max(1, Math.min(8, half)));
  await model.dispose();
});

test('idle threads sleep', async () => {
  const model = await loadModel(DEMO, { threads: 4 });
  await model.complete(PROMPT, GREEDY);
  await pause(100);
  // Spinning, three threads would take up to 3 s of each; what V8 still compiles or collects, of one.
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least >= 150_000; i++) {
    const before = process.cpuUsage();
    await pause(1000);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  expect(least).toBeLessThan(150_000);
  await model.dispose();
});

test('an abort while threads work leaves a model that goes on', async () => {
  const model = await loadModel(DEMO, { threads: 3 });
  const expected = await model.complete(PROMPT, GREEDY);
  for (let i = 0; i < 5; i++) {
    const aborter = new AbortController();
    const long = ids(20_000, model.vocabSize);
    const reading = rejection(model.complete(long, { signal: aborter.signal }));
    await pause(20 * i);
    const reason = new Error(`abort ${i}`);
    aborter.abort(reason);
    expect(await reading).toBe(reason);
  }
  expect((await model.complete(PROMPT, GREEDY)).tokens).toEqual(expected.tokens);
  await model.dispose();
});

test('two models at once have threads of their own', async () => {
  const models = await Promise.all([2, 3].map((threads) => loadModel(DEMO, { threads })));
  expect(living.size).toBe(3);
  const [first, second] = await Promise.all(models.map((model) => model.complete(PROMPT, GREEDY)));
  expect(first.tokens).toEqual(second.tokens);
  await models[0].dispose();
  const again = await models[1].complete(PROMPT, GREEDY);
  expect(again.tokens).toEqual(first.tokens);
  await models[1].dispose();
  expect(await workersEnded()).toBe(true);
});

test('threads end with their model, and with a load that fails', async () => {
  const bytes = linearModel();
  for (let i = 0; i < 20; i++) {
    const model = await loadModel(bytes, { threads: 3 });
    expect(living.size).toBeLessThanOrEqual(4);
    await model.dispose();
    await workersEnded();
  }
  expect(living.size).toBe(0);
  const cut = bytes.subarray(0, bytes.length - 1000);
  expect(await rejection(loadModel(cut, { threads: 3 }))).toMatchObject({ code: 'truncated' });
  expect(await workersEnded()).toBe(true);
});

test('a process may end without having disposed of its model', async () => {
  const script = `
    import { loadModel } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url))};
    const options = ${JSON.stringify({ threads: 2, wasm: { build: BUILD } })};
    const model = await loadModel(${JSON.stringify(DEMO)}, options);
    const { tokens } = await model.complete('Once', { maxTokens: 3, ignoreEos: true });
    console.log(model.facts.threads, tokens.length, typeof Worker);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { timeout: 30_000 },
  );
  // Nothing that says browser is left behind in Node.
  expect(stdout).toBe('2 3 undefined\n');
});

test('a thread that traps ends the call with an error', async () => {
  // Its entry point is an entry of the table.
  const script = `
    WebAssembly.Table.prototype.get = () => () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    await import(process.env.GLUE);`;
  workerThreads.Worker = class extends CountedWorker {
    constructor(url, options) {
      const trapping = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
      super(trapping, { ...options, env: { GLUE: url.href } });
    }
  };
  const failure = await rejection(loadModel(DEMO, { threads: 2 })).finally(() => {
    workerThreads.Worker = CountedWorker;
  });
  expect(failure).toMatchObject({ code: 'wasm', message: expect.stringContaining('thread') });
  expect(await workersEnded()).toBe(true);
});

describe('one thread runs, without an error,', () => {
  const runsAlone = async () => {
    const model = await loadModel(DEMO, { threads: 4 });
    expect(model.facts.threads).toBe(1);
    expect((await model.complete(PROMPT, GREEDY)).threads).toBe(1);
    expect(await workersEnded()).toBe(true);
    await model.dispose();
  };

  test('where memory cannot be shared', async () => {
    const shared = globalThis.SharedArrayBuffer;
    globalThis.SharedArrayBuffer = undefined;
    await runsAlone().finally(() => {
      globalThis.SharedArrayBuffer = shared;
    });
  });

  test('where the addresses for a shared memory are refused', async () => {
    const { Memory } = WebAssembly;
    let refused = 0;
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor) {
        if (descriptor.shared) {
          refused++;
          throw new RangeError('WebAssembly.Memory(): could not allocate memory');
        }
        super(descriptor);
      }
    };
    await runsAlone().finally(() => {
      WebAssembly.Memory = Memory;
    });
    expect(refused).toBe(1);
  });

  test.each([
    [
      'are forbidden',
      class {
        constructor() {
          throw new Error('forbidden');
        }
      },
    ],
    [
      'do not start',
      class extends CountedWorker {
        constructor(url, options) {
          super(new URL('nothing.mjs', url), options);
        }
      },
    ],
  ])('where workers %s', async (_, Refusing) => {
    workerThreads.Worker = Refusing;
    await runsAlone().finally(() => {
      workerThreads.Worker = CountedWorker;
    });
  });
});
