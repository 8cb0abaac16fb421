// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import { Threads } from '../../../build/web/worker/page-threads.js';
import { workersByPage } from '../../../build/web/worker/threads-by-page.js';
import { FakeWorker } from './fake-worker.js';

const URL_OF_THREAD = 'http://localhost/thread-relaxed.js';
const own = globalThis.Worker;
afterEach(() => {
  globalThis.Worker = own;
});

/** A page and an engine's worker that hear each other; `made` has the threads' workers in the page. */
function joined(worker = () => new FakeWorker()) {
  const made = [];
  globalThis.Worker = function start(url, options) {
    const one = Object.assign(worker(), { url, options });
    one.addEventListener('message', (event) => one.onmessage?.(event));
    one.addEventListener('error', (event) => one.onerror?.(event));
    made.push(one);
    return one;
  };
  const scope = new EventTarget();
  const deliver = (data) =>
    scope.dispatchEvent(new MessageEvent('message', { data: { fastweights: 1, ...data } }));
  const threads = new Threads(deliver);
  scope.postMessage = (message) => threads.hear(message);
  return { made, threads, scope, Started: workersByPage(scope) };
}

test('the page starts a worker and passes on what either side says', () => {
  const { made, Started } = joined();
  // Some bundlers write scripts instead of modules.
  const one = new Started(new URL(URL_OF_THREAD), { type: 'module' });
  const two = new Started(URL_OF_THREAD);
  expect(made.map(({ url, options }) => [url, options])).toEqual([
    [URL_OF_THREAD, { type: 'module' }],
    [URL_OF_THREAD, {}],
  ]);
  one.onmessage = jest.fn();
  two.onmessage = jest.fn();
  two.postMessage({ cmd: 'load' });
  expect(made.map(({ sent }) => sent)).toEqual([[], [{ cmd: 'load' }]]);
  made[0].say({ cmd: 'loaded' });
  expect(one.onmessage.mock.calls.map(([{ data }]) => data)).toEqual([{ cmd: 'loaded' }]);
  expect(two.onmessage).not.toHaveBeenCalled();
});

test("messages of a page's own are not a thread's", () => {
  const { made, scope, Started } = joined();
  const one = new Started(URL_OF_THREAD);
  one.onmessage = jest.fn();
  one.onerror = jest.fn();
  for (const data of [null, 'hello', { kind: 'from thread', thread: 1, message: 'forged' }]) {
    scope.dispatchEvent(new MessageEvent('message', { data }));
  }
  expect(one.onmessage).not.toHaveBeenCalled();
  expect(one.onerror).not.toHaveBeenCalled();
  expect(made[0].sent).toEqual([]);
});

test('a worker that fails is told to the engine, with a reason, and ended', () => {
  const { made, Started } = joined();
  const one = new Started(URL_OF_THREAD);
  one.onerror = jest.fn();
  made[0].fail({ message: 'SyntaxError: no' });
  expect(one.onerror.mock.calls[0][0].message).toMatch('SyntaxError: no');
  expect(made[0].terminated).toBe(true);
});

test('a worker that the page may not start is told to the engine', () => {
  const said = [];
  globalThis.Worker = function refuse() {
    throw new Error('forbidden');
  };
  const threads = new Threads((message) => said.push(message));
  threads.hear({ kind: 'start thread', thread: 7, url: URL_OF_THREAD });
  expect(said).toMatchObject([{ kind: 'thread failed', thread: 7 }]);
  expect(said[0].why).toMatch('forbidden');
});

test('either side ends workers; the page ends all that are left', () => {
  const { made, threads, Started } = joined();
  const [one] = [1, 2, 3].map(() => new Started(URL_OF_THREAD));
  one.terminate();
  expect(made.map(({ terminated }) => terminated)).toEqual([true, false, false]);
  one.postMessage({ cmd: 'run' });
  expect(made[0].sent).toEqual([]);
  threads.endAll();
  expect(made.map(({ terminated }) => terminated)).toEqual([true, true, true]);
});
