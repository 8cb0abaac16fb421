// SPDX-License-Identifier: MIT
// Models with random weights, made where there are no files too: in a page.
import { resolveShape } from './families.mjs';
import { quantise } from './quantise.mjs';
import { RandomStream } from './random.mjs';
import { randomBlocks } from './random-blocks.mjs';
import { initialValues, projectionDeviation } from './tensors.mjs';
import { parseRecipe, storedType } from './type-mix.mjs';
import { fileTypes } from './types.mjs';
import { GgufWriter } from './writer.mjs';

/** @import { ModelTensor } from './tensors.mjs' */

const chunkWeights = 1 << 20;

/**
 * @typedef {object} ModelOptions
 * @property {Parameters<typeof resolveShape>[0]} [shape]
 * @property {string} [type] as in `q8_0`, `q4_k_m`
 * @property {boolean} [pure] every matrix in that type, the head too
 * @property {string} [dialect] `llama.cpp` or `ollama`
 * @property {boolean} [recurrentLayers]
 * @property {number | string} [seed]
 */

/** @param {ModelOptions} options */
function planModel(options) {
  const { shape: shapeOption = 'tiny', type = 'q8_0', pure, dialect, recurrentLayers } = options;
  const { family, shape } = resolveShape(shapeOption);
  const recipe = parseRecipe(type);
  const variant = { dialect, recurrentLayers };
  const tensors = family.tensors(shape, variant).map((tensor) => ({
    ...tensor,
    type: storedType(recipe, tensor, shape, pure),
  }));
  const writer = new GgufWriter();
  for (const tensor of tensors) writer.declareTensor(tensor.name, tensor.type, tensor.shape);
  return { family, shape, variant, recipe, tensors, writer };
}

/**
 * The tensors of a model and their bytes, without making them.
 * @param {ModelOptions} options
 * @returns {{ tensors: { name: string, type: string, shape: number[] }[], bytes: number }}
 */
export function describeTensors(options) {
  const { tensors, writer } = planModel(options);
  return { tensors, bytes: writer.dataLength };
}

/** @type {(tensor: ModelTensor & { type: string }, random: RandomStream) => Generator<Uint8Array>} */
function* tensorPieces(tensor, random) {
  if (tensor.init !== 'projection' && tensor.init !== 'low rank') {
    yield quantise(tensor.type, initialValues(tensor, random));
    return;
  }
  const count = tensor.shape.reduce((product, dim) => product * dim, 1);
  for (let done = 0; done < count; done += chunkWeights) {
    const weights = Math.min(chunkWeights, count - done);
    yield randomBlocks(tensor.type, random, weights, projectionDeviation(tensor));
  }
}

/**
 * The bytes of the file, in order; no more of it is held than one piece.
 *
 * @param {ModelOptions} [options]
 * @returns {Generator<Uint8Array>}
 */
export function* modelPieces(options = {}) {
  const { family, shape, variant, recipe, tensors, writer } = planModel(options);
  const { seed = 1 } = options;
  writer.addMetadata('general.architecture', 'string', family.architecture);
  writer.addMetadata('general.name', 'string', `random-${shape.layers}x${shape.modelDim}`);
  writer.addMetadata('general.file_type', 'uint32', fileTypes[recipe]);
  family.addMetadata(writer, shape, variant);
  /** @type {Uint8Array[]} */
  const written = [];
  writer.begin({ write: (bytes) => void written.push(bytes), close() {} });
  yield* written.splice(0);
  for (const tensor of tensors) {
    for (const bytes of tensorPieces(tensor, new RandomStream(seed, tensor.name))) {
      writer.write(bytes);
      yield* written.splice(0);
    }
  }
  writer.end();
}
