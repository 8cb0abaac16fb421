// SPDX-License-Identifier: MIT
// A worker of the app's own: the model runs here, beside whatever else the app does off the page's
// thread, and the page gets no more than the pieces of text.
import { loadModel } from 'fastweights';

/** @type {Promise<import('fastweights').Model> | undefined} */
let loading;
let stopping = new AbortController();

function model() {
  loading ??= loadModel(new URL('model.gguf', self.location.href), {
    // This is a worker already.
    worker: false,
    cache: true,
    onProgress: ({ loaded, total }) => postMessage({ loaded, total }),
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

addEventListener('message', async ({ data: beginnings }) => {
  // What the page sends to stop is no list of beginnings.
  if (!beginnings) return stopping.abort();
  stopping = new AbortController();
  const { signal } = stopping;
  try {
    const options = { signal, maxTokens: 200 };
    // Every token of all of them takes one pass over the weights.
    const streams = (await model()).generateBatch(beginnings, options);
    await Promise.all(
      streams.map(async (stream, place) => {
        for await (const piece of stream) postMessage({ place, piece });
      }),
    );
    postMessage({ end: 'Ready.' });
  } catch (error) {
    postMessage({ end: signal.aborted ? 'Stopped.' : tell(error) });
  }
});

/**
 * An error with what is under it, which often says more.
 *
 * @param {any} error
 * @returns {string}
 */
function tell({ name, code, message, cause }) {
  const own = `${name}${code ? ` (${code})` : ''}: ${message}`;
  return cause ? `${own}\n${tell(cause)}` : own;
}
