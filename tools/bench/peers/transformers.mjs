// SPDX-License-Identifier: MIT

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeModel, twin } from '../../make-model.mjs';
import { makeOnnx } from '../../make-onnx.mjs';
import { ensureNpmPackages } from '../../setup/npm-packages.mjs';
import { kOnnxType, madeOnnx } from '../made-model.mjs';
import { evaluateInPage, measureInPage } from './page.mjs';

const kVersion = '4.3.1';
// In ONNX, heads are in another order where there are more of values than of keys.
const kSmallShape = { base: 'tiny', linearValueHeads: 2 };
/** @type {Record<string, string>} */
let mounts;
/** @type {Promise<void> | undefined} */
let checked;

/**
 * transformers.js, which reads ONNX: here a graph of the operators that published ones have, with
 * random weights. Of the builds of ONNX Runtime it runs the one that it takes by default.
 *
 * @type {import('../peers.mjs').Peer}
 */
export const transformers = {
  name: 'transformers.js',
  version: kVersion,
  async setup() {
    const packages = [`@huggingface/transformers@${kVersion}`];
    mounts = { modules: await ensureNpmPackages('peers/transformers', packages) };
  },
  async retry({ shape, ...talk }, signal) {
    checked ??= check(signal);
    await checked;
    const work = { ...talk, model: await madeOnnx(shape) };
    const found = await measureInPage('transformers-retry', work, signal, mounts);
    return { ...found, weights: kOnnxType };
  },
};

/**
 * @throws unless a small graph computes what this package does, from the same tokens
 * @param {AbortSignal} signal
 */
async function check(signal) {
  const folder = await mkdtemp(join(tmpdir(), 'fastweights-onnx-'));
  try {
    const small = join(folder, 'q4_0.gguf');
    makeModel({ shape: kSmallShape, type: 'q4_0', pure: true, output: small });
    makeOnnx({ input: small, output: join(folder, 'onnx') });
    twin(small, join(folder, 'f32.gguf'));
    const work = { folder: 'onnx', gguf: 'f32.gguf' };
    await evaluateInPage('transformers-check', work, signal, { ...mounts, models: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}
