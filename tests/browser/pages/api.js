// SPDX-License-Identifier: MIT
// Puts the package where the tests' functions find it, with what several of them need.
import * as fastweights from '../../../dist/index.js';

globalThis.fastweights = fastweights;

const bytesOf = async (url) => (await fetch(url)).arrayBuffer();

/** Every kind of thing that a model can be loaded from, made of a URL. */
globalThis.sources = {
  text: (url) => url,
  url: (url) => new URL(url, location.href),
  blob: async (url) => (await fetch(url)).blob(),
  file: async (url) => new File([await bytesOf(url)], 'model.gguf'),
  buffer: bytesOf,
  // Begins in the middle of its buffer.
  view: async (url) => {
    const bytes = new Uint8Array(await bytesOf(url));
    const padded = new Uint8Array(bytes.length + 11);
    padded.set(bytes, 7);
    return padded.subarray(7, 7 + bytes.length);
  },
  stream: async (url) => (await fetch(url)).body,
};

/** What a test can see of an error: errors do not survive the way out of the page whole. */
globalThis.outcome = async (promise) => {
  try {
    return { value: await promise };
  } catch (error) {
    const { name, message, code } = error ?? {};
    return { name, message, code, isModelError: error instanceof fastweights.ModelError };
  }
};

document.body.dataset.ready = 'yes';
