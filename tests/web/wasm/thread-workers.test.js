// SPDX-License-Identifier: MIT
import { startEach } from '../../../build/web/wasm/thread-workers.js';

const MOST_MS = 200;

/** What Emscripten keeps; `comes` says whether the worker of a number comes, and after how long. */
function runtime(comes) {
  const made = [];
  const workers = {
    unusedWorkers: [],
    loadWasmModuleToWorker: ({ number }) =>
      new Promise((resolve) => {
        const ms = comes(number);
        if (ms !== undefined) setTimeout(resolve, ms);
      }),
  };
  const start = () => {
    const worker = { number: made.length, terminated: false, terminate: () => {} };
    worker.terminate = () => {
      worker.terminated = true;
    };
    made.push(worker);
    return worker;
  };
  return { made, workers, start };
}

test('each thread has a worker that has come', async () => {
  const { made, workers, start } = runtime(() => 0);
  await startEach(workers, 3, start, MOST_MS);
  expect(workers.unusedWorkers).toEqual(made);
  expect(made.map(({ terminated }) => terminated)).toEqual([false, false, false]);
});

test('one that is slow is waited for', async () => {
  const { made, workers, start } = runtime((number) => (number === 0 ? 100 : 0));
  await startEach(workers, 2, start, MOST_MS);
  expect(workers.unusedWorkers).toEqual(made);
});

test('one that never comes is an error within the bound, and nothing stays', async () => {
  const { made, workers, start } = runtime((number) => (number === 1 ? undefined : 0));
  await expect(startEach(workers, 2, start, MOST_MS)).rejects.toThrow(
    'the threads did not start within',
  );
  expect(workers.unusedWorkers).toEqual([]);
  expect(made.every(({ terminated }) => terminated)).toBe(true);
});

test('one that fails is an error at once', async () => {
  const { made, workers, start } = runtime(() => undefined);
  const starting = startEach(workers, 2, start, 60_000);
  made[1].onerror({ message: 'blocked' });
  await expect(starting).rejects.toThrow('a thread did not start: blocked');
  expect(made.every(({ terminated }) => terminated)).toBe(true);
});
