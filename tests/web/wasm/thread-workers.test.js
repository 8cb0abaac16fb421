// SPDX-License-Identifier: MIT
import { startEach } from '../../../build/web/wasm/thread-workers.js';

const TIMES = { again: [20, 60], most: 200 };

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
  await startEach(workers, 3, start, TIMES);
  expect(workers.unusedWorkers).toEqual(made);
  expect(made.map(({ terminated }) => terminated)).toEqual([false, false, false]);
});

test('one that never comes is replaced by another', async () => {
  const { made, workers, start } = runtime((number) => (number === 1 ? undefined : 0));
  await startEach(workers, 2, start, TIMES);
  expect(workers.unusedWorkers.map(({ number }) => number).sort()).toEqual([0, 2]);
  expect(made[1].terminated).toBe(true);
});

test('one that is slow is waited for, and those begun beside it are ended', async () => {
  const { made, workers, start } = runtime((number) => (number === 0 ? 100 : undefined));
  await startEach(workers, 1, start, TIMES);
  expect(workers.unusedWorkers).toEqual([made[0]]);
  expect(made.slice(1).map(({ terminated }) => terminated)).toEqual([true, true]);
});

test('none that comes is an error within the bound, and nothing stays', async () => {
  const { made, workers, start } = runtime(() => undefined);
  await expect(startEach(workers, 2, start, TIMES)).rejects.toThrow(
    'a thread did not start within',
  );
  expect(workers.unusedWorkers).toEqual([]);
  expect(made.every(({ terminated }) => terminated)).toBe(true);
});

test('one that fails is an error at once', async () => {
  const { made, workers, start } = runtime(() => undefined);
  const starting = startEach(workers, 2, start, { again: [], most: 60_000 });
  made[1].onerror({ message: 'blocked' });
  await expect(starting).rejects.toThrow('a thread did not start: blocked');
  expect(made.every(({ terminated }) => terminated)).toBe(true);
});
