// SPDX-License-Identifier: MIT

import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder, ensureCachedFolder, exists } from '../setup/cache-folder.mjs';
import { runCommand } from '../setup/command.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { step } from '../setup/step.mjs';

/**
 * A model with random weights, written once a machine: hundreds of megabytes that never change.
 *
 * @param {string} shape as tools/make-model.mjs takes it
 * @param {string} type of its weights, `q8_0` for example
 * @param {Record<string, unknown>} [changes] of the shape's hyper-parameters
 * @returns {Promise<string>} its file in the cache folder
 */
export async function madeModel(shape, type, changes = {}) {
  const changed = Object.entries(changes).map(([name, value]) => `-${name}-${value}`);
  const file = join(cacheFolder(), `${shape}${changed.join('')}-${type}.gguf`);
  if (await exists(file)) return file;
  // Another process may be writing the same model.
  const partial = `${file}.${process.pid}.partial`;
  const tool = join(projectFolder, 'tools', 'make-model.mjs');
  const wanted = JSON.stringify({ base: shape, ...changes });
  const args = ['--shape', wanted, '--type', type, '--output', partial];
  try {
    await step(`random weights, ${shape}, ${type}`, () =>
      runCommand(process.execPath, [tool, ...args], { quiet: true }),
    );
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  return file;
}

/** What matrices of {@link madeOnnx} are stored as. */
export const kOnnxType = 'q4 (ONNX)';
// Of the graph: another one has another name, so that none is taken from before a change.
const kOnnxGraph = 1;

/**
 * A folder that transformers.js loads, with random weights.
 *
 * @param {string} shape as tools/make-model.mjs takes it
 * @returns {Promise<string>} a folder in the cache folder
 */
export async function madeOnnx(shape) {
  return ensureCachedFolder(`${shape}-q4-onnx`, `graph ${kOnnxGraph}`, (folder) =>
    step(`random weights, ${shape}, ${kOnnxType}`, async () => {
      const tool = (/** @type {string} */ name) => join(projectFolder, 'tools', `${name}.mjs`);
      const gguf = join(folder, 'weights.gguf');
      const made = ['--shape', shape, '--type', 'q4_0', '--pure', '--output', gguf];
      await runCommand(process.execPath, [tool('make-model'), ...made], { quiet: true });
      await runCommand(process.execPath, [tool('make-onnx'), gguf, '--output', folder]);
      await rm(gguf);
    }),
  );
}
