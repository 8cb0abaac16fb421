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

/** Resolves after `delayMs`; rejects with `signal.reason` when the signal fires before that. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delayMs);
  });
  return abortable(wait, signal).finally(() => clearTimeout(timer));
}
