// SPDX-License-Identifier: MIT

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
