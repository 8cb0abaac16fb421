// SPDX-License-Identifier: MIT
// A page that nobody sees, with the model in a worker of its own. Each port is one question: how far the
// load is, the answer, piece by piece, and an end; whoever closes the port earlier wants no more.
import { loadModel } from 'fastweights';

/** @type {Set<chrome.Port>} that wait for the model */
const waiting = new Set();
/** @type {Promise<import('fastweights').Model> | undefined} */
let loading;

function model() {
  loading ??= loadModel(new URL('models/story-51m-q4_0.gguf', import.meta.url), {
    onProgress({ loaded, total }) {
      for (const port of waiting) port.postMessage({ loaded, total });
    },
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== 'model') return;
  const closed = new AbortController();
  waiting.add(port);
  port.onDisconnect.addListener(() => {
    waiting.delete(port);
    closed.abort();
  });
  port.onMessage.addListener(async ({ prompt }) => {
    try {
      const session = await (await model()).createSession({ temperature: 0.8 });
      waiting.delete(port);
      try {
        const stream = session.promptStreaming(prompt, { maxTokens: 400, signal: closed.signal });
        for await (const piece of stream) port.postMessage({ piece });
      } finally {
        session.destroy();
      }
      const { build, threads } = (await model()).facts;
      port.postMessage({ end: `Written here, by the ${build} build in ${threads} thread(s).` });
    } catch (error) {
      if (!closed.signal.aborted) port.postMessage({ failure: tell(error) });
    }
  });
});

/**
 * An error with what is under it, which often says more.
 *
 * @param {any} error
 * @returns {string}
 */
function tell({ name, code, message, cause }) {
  return `${name}${code ? ` (${code})` : ''}: ${message}${cause ? `\n${tell(cause)}` : ''}`;
}
