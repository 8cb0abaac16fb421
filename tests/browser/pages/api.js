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

/** Files of the package's storage: in the origin private file system, else in the Cache API. */
const inPrivateFiles = {
  async names(place) {
    const root = await navigator.storage.getDirectory();
    return Array.fromAsync((await root.getDirectoryHandle(place)).keys());
  },
  async read(place, name) {
    const root = await navigator.storage.getDirectory();
    const handle = await (await root.getDirectoryHandle(place)).getFileHandle(name);
    return (await handle.getFile()).arrayBuffer();
  },
  async write(place, name, bytes) {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(place);
    const writer = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await writer.write(bytes);
    await writer.close();
  },
};
const CACHE_KEY = 'https://model-cache.invalid/';
const inCacheApi = {
  async names(place) {
    const requests = await (await caches.open(place)).keys();
    return requests.map(({ url }) => url.slice(CACHE_KEY.length));
  },
  read: async (place, name) =>
    (await (await caches.open(place)).match(CACHE_KEY + name)).arrayBuffer(),
  write: async (place, name, bytes) =>
    (await caches.open(place)).put(CACHE_KEY + name, new Response(bytes)),
};
globalThis.stored = navigator.storage?.getDirectory ? inPrivateFiles : inCacheApi;

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
