// SPDX-License-Identifier: MIT
// What stands in for the world of a document's reader: a page, its storage, servers with models, and
// names such as `model` that a block takes for granted (given.d.ts).
import { readFileSync } from 'node:fs';
import { hubUrl, loadModel } from '../../dist/index.js';
import { splitModel } from '../api/edit-model.js';
import { enter, Origin } from '../support/fake-browser.js';
import { safetensors } from '../support/safetensors.js';
import { tinyConfig, tinyTensors } from '../support/tiny-checkpoint.js';

// The embedded model, as user.js has put it there.
const bytes = readFileSync('story-51m-q4_0.gguf');
const parts = splitModel(bytes, 2);
const config = JSON.stringify(tinyConfig);
const weights = safetensors(tinyTensors());

/** What servers have, by the last name of an address. */
const FILES = {
  'story-51m-q4_0.gguf': bytes,
  'model.gguf': bytes,
  'large.gguf': bytes,
  'small.gguf': bytes,
  'tiny-00001-of-00002.gguf': parts[0],
  'tiny-00002-of-00002.gguf': parts[1],
  'config.json': config,
  'model.safetensors': weights,
};

const file = (content, name) => {
  const made = new File([content], name);
  Object.defineProperty(made, 'webkitRelativePath', { value: `tiny/${name}` });
  return made;
};

/** Makes the global scope that of a page whose random numbers are the same each time. */
export function openPage() {
  enter(new Origin(), { sync: true });
  globalThis.fetch = async (address) => {
    const name = new URL(address).pathname.split('/').pop();
    if (!(name in FILES)) return new Response(null, { status: 404 });
    return new Response(FILES[name], { headers: { etag: `"${name}"` } });
  };
  globalThis.document = { body: { append() {} } };
  let state = 1;
  crypto.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      bytes[i] = state >>> 24;
    }
    return array;
  };
}

/** The names that do not depend on a block. */
export async function give() {
  Object.assign(globalThis, {
    ...{ loadModel, hubUrl, model: await loadModel(bytes) },
    url: 'https://example.org/models/story-51m-q4_0.gguf',
    host: 'https://hub.example.org',
    instructions: 'You tell stories for children. They are short and end well.',
    text: 'Once upon a time, there was a little fox who loved berries. '.repeat(20),
    input: { files: [new File([bytes], 'story-51m-q4_0.gguf')] },
    folderInput: { files: [file(config, 'config.json'), file(weights, 'model.safetensors')] },
    ...{ config: new Blob([config]), tokenizer: undefined, weights: [new Blob([weights])] },
  });
}
