// SPDX-License-Identifier: MIT
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { ModelError } from '../../../build/web/errors.js';
import { Calls } from '../../../build/web/worker/calls.js';
import { WorkerHost } from '../../../build/web/worker/hosts.js';
import { toPlain } from '../../../build/web/worker/protocol.js';
import { FakeWorker } from './fake-worker.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const rejection = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

afterEach(() => jest.useRealTimers());

/** An engine that gives each method's name back, and what it was given. */
function echo({ kind, call, method, args }, reply) {
  if (kind === 'ping') reply({ kind: 'ready' });
  if (kind === 'call') queueMicrotask(() => reply({ kind: 'value', call, value: [method, args] }));
}

const hostOf = (answers) => {
  const worker = new FakeWorker(answers);
  return { worker, host: new WorkerHost(worker) };
};

test('a call is answered with its own value, whatever order they come in', async () => {
  const { worker, host } = hostOf(({ kind }, reply) => kind === 'ping' && reply({ kind: 'ready' }));
  const calls = new Calls(host);
  const first = calls.run('encode', ['a', true]);
  const second = calls.run('encode', ['b', true]);
  const [one, two] = worker.sent.filter(({ kind }) => kind === 'call');
  worker.say({ fastweights: 1, kind: 'value', call: two.call, value: [2] });
  worker.say({ fastweights: 1, kind: 'value', call: one.call, value: [1] });
  expect(await first).toEqual([1]);
  expect(await second).toEqual([2]);
  await calls.dispose();
});

test("messages that are not the engine's are left alone", async () => {
  const { worker, host } = hostOf(echo);
  worker.say('hello');
  worker.say(null);
  worker.say({ kind: 'value', call: 1, value: 'forged' });
  expect(await host.call('encode', ['a', true], {})).toEqual(['encode', ['a', true]]);
  host.terminate(new ModelError('disposed', 'done'));
});

test('an error arrives with its class, code, subject and causes', async () => {
  const cause = new RangeError('deep', { cause: new TypeError('deeper') });
  const sent = new ModelError('network', 'lost', { subject: 'file.gguf', cause });
  const { host } = hostOf(({ kind, call }, reply) => {
    if (kind === 'call') reply({ kind: 'error', call, error: toPlain(sent) });
  });
  const error = await rejection(host.call('memory', [], {}));
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({ code: 'network', message: 'lost', subject: 'file.gguf' });
  expect(error.cause).toBeInstanceOf(RangeError);
  expect(error.cause.cause).toBeInstanceOf(TypeError);
  expect(error.cause.cause.message).toBe('deeper');
  host.terminate(new ModelError('disposed', 'done'));
});

test('a circle of causes ends', () => {
  const error = new Error('a');
  error.cause = error;
  let depth = 0;
  for (let plain = toPlain(error); plain; plain = plain.cause) depth++;
  expect(depth).toBe(5);
});

test('what cannot be posted rejects its call and no other', async () => {
  const { host } = hostOf(echo);
  expect((await rejection(host.call('decode', [() => {}, true], {}))).name).toBe('DataCloneError');
  expect(await host.call('decode', [[1], true], {})).toEqual(['decode', [[1], true]]);
  host.terminate(new ModelError('disposed', 'done'));
});

describe('a worker that is lost', () => {
  test('ends the calls that are under way, and later ones, with the reason', async () => {
    const { worker, host } = hostOf(
      ({ kind }, reply) => kind === 'ping' && reply({ kind: 'ready' }),
    );
    const calls = new Calls(host);
    const waiting = [rejection(calls.run('memory', [])), rejection(calls.run('use', [1]))];
    worker.fail({ message: 'SyntaxError: unexpected token', filename: '/worker.js', lineno: 3 });
    for (const error of await Promise.all(waiting)) {
      expect(error).toMatchObject({ code: 'worker' });
      expect(error.message).toContain('SyntaxError: unexpected token (/worker.js:3)');
    }
    expect((await rejection(calls.run('memory', []))).code).toBe('worker');
    expect(worker.terminated).toBe(true);
    await calls.dispose();
  });

  test('and says nothing of why names the option that may help', async () => {
    const { worker, host } = hostOf();
    const waiting = rejection(host.call('memory', [], {}));
    worker.fail({});
    expect((await waiting).message).toMatch(/could not be fetched.*option `worker`/);
  });

  test('or never says a word ends its calls after 20 s, and says why that may be', async () => {
    jest.useFakeTimers();
    const { worker, host } = hostOf();
    const calls = new Calls(host);
    const waiting = rejection(calls.run('memory', []));
    await jest.advanceTimersByTimeAsync(19_900);
    expect(worker.terminated).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    const error = await waiting;
    expect(error).toMatchObject({ code: 'worker' });
    expect(error.message).toMatch(/has not answered for 20 s.*fastweights\/worker/);
    expect(worker.terminated).toBe(true);
  });

  test('is not one that answered once and then takes its time', async () => {
    jest.useFakeTimers();
    const { worker, host } = hostOf(
      ({ kind }, reply) => kind === 'ping' && reply({ kind: 'ready' }),
    );
    const waiting = host.call('memory', [], {});
    await jest.advanceTimersByTimeAsync(100_000);
    const { call } = worker.sent.at(-1);
    worker.say({ fastweights: 1, kind: 'value', call, value: 7 });
    expect(await waiting).toBe(7);
    host.terminate(new ModelError('disposed', 'done'));
  });
});

describe('dispose', () => {
  test('frees the engine, ends the worker and every later call', async () => {
    const { worker, host } = hostOf(echo);
    const calls = new Calls(host);
    await Promise.all([calls.dispose(), calls.dispose()]);
    expect(worker.sent.filter(({ method }) => method === 'dispose')).toHaveLength(1);
    expect(worker.terminated).toBe(true);
    expect((await rejection(calls.run('memory', []))).code).toBe('disposed');
  });

  test('of an engine that is stuck ends it and its calls all the same', async () => {
    jest.useFakeTimers();
    const { worker, host } = hostOf(
      ({ kind }, reply) => kind === 'ping' && reply({ kind: 'ready' }),
    );
    const calls = new Calls(host);
    const waiting = rejection(calls.run('memory', []));
    const disposed = calls.dispose();
    await jest.advanceTimersByTimeAsync(2100);
    await disposed;
    expect(worker.terminated).toBe(true);
    expect((await waiting).code).toBe('disposed');
  });
});

describe('an abort', () => {
  const why = new Error('enough');

  test('is posted once, and its call ends with the reason', async () => {
    const { worker, host } = hostOf(({ kind, call }, reply) => {
      if (kind === 'abort') reply({ kind: 'error', call, error: toPlain(new Error('aborted')) });
    });
    const aborter = new AbortController();
    const waiting = rejection(new Calls(host).run('memory', [], { signal: aborter.signal }));
    aborter.abort(why);
    aborter.abort(why);
    expect(await waiting).toBe(why);
    expect(worker.sent.filter(({ kind }) => kind === 'abort')).toHaveLength(1);
    host.terminate(new ModelError('disposed', 'done'));
  });

  test('that comes with the value takes the value back', async () => {
    const aborter = new AbortController();
    const { host } = hostOf(({ kind, call }, reply) => {
      if (kind !== 'call') return;
      aborter.abort(why);
      reply({ kind: 'value', call, value: { session: 5 } });
    });
    const late = jest.fn();
    const options = { signal: aborter.signal, late };
    expect(await rejection(new Calls(host).run('memory', [], options))).toBe(why);
    expect(late).toHaveBeenCalledWith({ session: 5 });
    host.terminate(new ModelError('disposed', 'done'));
  });

  test('leaves no listener on the signal', async () => {
    const { host } = hostOf(echo);
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    await host.call('encode', ['a', true], { signal });
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    host.terminate(new ModelError('disposed', 'done'));
  });

  test('silences progress', async () => {
    const aborter = new AbortController();
    const { worker, host } = hostOf();
    const heard = [];
    const onProgress = (progress) => {
      heard.push(progress);
      aborter.abort(why);
    };
    const waiting = rejection(host.call('load', [], { signal: aborter.signal, onProgress }));
    const { call } = worker.sent.at(-1);
    for (const progress of [1, 2, 3]) {
      worker.say({ fastweights: 1, kind: 'progress', call, progress });
    }
    expect(heard).toEqual([1]);
    host.terminate(new ModelError('disposed', 'done'));
    await waiting;
  });
});

test('what a listener throws ends its call', async () => {
  const { worker, host } = hostOf();
  const thrown = new Error('mine');
  const onProgress = () => {
    throw thrown;
  };
  const waiting = rejection(host.call('load', [], { onProgress }));
  const { call } = worker.sent.at(-1);
  worker.say({ fastweights: 1, kind: 'progress', call, progress: 1 });
  expect(await waiting).toBe(thrown);
  expect(worker.sent.at(-1)).toMatchObject({ kind: 'abort', call });
  host.terminate(new ModelError('disposed', 'done'));
});

test("an engine that ends takes its threads' workers with it", () => {
  const { worker, host } = hostOf();
  const made = [];
  const own = globalThis.Worker;
  globalThis.Worker = function start() {
    made.push(new FakeWorker());
    return made.at(-1);
  };
  try {
    for (const thread of [1, 2]) {
      worker.say({ fastweights: 1, kind: 'start thread', thread, url: 'http://localhost/t.js' });
    }
    expect(made.map(({ terminated }) => terminated)).toEqual([false, false]);
    host.terminate(new ModelError('disposed', 'done'));
    expect(made.map(({ terminated }) => terminated)).toEqual([true, true]);
    expect(worker.terminated).toBe(true);
  } finally {
    globalThis.Worker = own;
  }
});

test('nothing of a call outlives it', async () => {
  const held = [];
  const { host } = hostOf(({ kind, call }, reply) => {
    if (kind === 'ping') reply({ kind: 'ready' });
    if (kind === 'call') reply({ kind: 'value', call, value: new Float32Array(250_000) });
  });
  const calls = new Calls(host);
  for (let i = 0; i < 50; i++) held.push(new WeakRef(await calls.run('logits', [[1], false])));
  // Collected a few tasks after nothing refers to them.
  for (let i = 0; i < 20 && held.some((one) => one.deref()); i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
  }
  expect(held.filter((one) => one.deref()).length).toBeLessThan(3);
  await calls.dispose();
});
