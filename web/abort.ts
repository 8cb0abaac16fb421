// SPDX-License-Identifier: MIT

/**
 * Settles as `work` does, or rejects with `signal.reason` as soon as the signal fires, whichever
 * comes first. `work` itself goes on: the caller closes what it holds.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Settles as `work` does, or rejects when it has not after `ms`. `work` itself goes on. */
export function within<T>(work: Promise<T>, ms: number, late: (ms: number) => Error): Promise<T> {
  // More than timers can wait.
  if (ms > 2 ** 31 - 1) return work;
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late(ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Resolves after `delayMs`; rejects with `signal.reason` when the signal fires before that. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delayMs);
  });
  return abortable(wait, signal).finally(() => clearTimeout(timer));
}

const nextTask: () => Promise<void> = (() => {
  if (typeof setImmediate === 'function') {
    return () => new Promise<void>((resolve) => setImmediate(resolve));
  }
  // A message is the cheapest task a browser offers; timers are held back to 4 ms.
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
})();

/**
 * Lets other tasks run - a click on stop, a message, a frame - and then goes on. Called between
 * tokens, so that whoever wants to end a generation is heard within one.
 */
export function otherTasks(): Promise<void> {
  return nextTask();
}
