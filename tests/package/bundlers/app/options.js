// SPDX-License-Identifier: MIT
// A page asks for a worker file of its own by `?worker=own`.

/** @param {URLSearchParams} asked */
export function options(asked) {
  if (asked.get('worker') !== 'own') return {};
  return { worker: new Worker(new URL('./own-worker.js', import.meta.url), { type: 'module' }) };
}
