#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { parseArgs } from 'node:util';
import { isMain, runCommand } from './gguf/command-line.mjs';
import { resolveShape, shapeNames } from './gguf/families.mjs';
import { quantise } from './gguf/quantise.mjs';
import { RandomStream } from './gguf/random.mjs';
import { randomBlocks } from './gguf/random-blocks.mjs';
import { initialValues, projectionDeviation } from './gguf/tensors.mjs';
import { parseRecipe, recipes, storedType } from './gguf/type-mix.mjs';
import { fileTypes } from './gguf/types.mjs';
import { fileSink, GgufWriter, memorySink } from './gguf/writer.mjs';
import { requantise } from './requantise.mjs';

/** @import { ModelTensor } from './gguf/tensors.mjs' */

const usage = `Write a model with random weights at a real or a small shape, as a GGUF file.

  node tools/make-model.mjs --output FILE [options]

  --shape NAME|FILE|JSON  ${shapeNames.join(' | ')},
                          or hyper-parameters as a JSON file or text; what they leave out comes from
                          their "base", e.g. {"base":"qwen3.5-0.8b","layers":8,"mtp":true}  [tiny]
  --type TYPE             ${recipes.join(' | ').toLowerCase()}  [q8_0]
  --pure                  every matrix in that type, the head too
  --dialect NAME          of qwen35: llama.cpp | ollama  [llama.cpp]
  --recurrent-layers      of qwen35: add the list of recurrent layers that newer files have
  --seed TEXT             the same seed gives the same bytes  [1]
  --help
`;

const chunkWeights = 1 << 20;

/**
 * @typedef {object} ModelOptions
 * @property {Parameters<typeof resolveShape>[0]} [shape]
 * @property {string} [type] as in `q8_0`, `q4_k_m`
 * @property {boolean} [pure] every matrix in that type, the head too
 * @property {string} [dialect] `llama.cpp` or `ollama`
 * @property {boolean} [recurrentLayers]
 * @property {number | string} [seed]
 * @property {string} [output] path; without it the file's bytes are returned
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
export function describeModel(options) {
  const { tensors, writer } = planModel(options);
  return { tensors, bytes: writer.dataLength };
}

/** @type {(writer: GgufWriter, tensor: ModelTensor & { type: string }, random: RandomStream) => void} */
function writeTensor(writer, tensor, random) {
  if (tensor.init !== 'projection' && tensor.init !== 'low rank') {
    writer.write(quantise(tensor.type, initialValues(tensor, random)));
    return;
  }
  const count = tensor.shape.reduce((product, dim) => product * dim, 1);
  for (let done = 0; done < count; done += chunkWeights) {
    const weights = Math.min(chunkWeights, count - done);
    writer.write(randomBlocks(tensor.type, random, weights, projectionDeviation(tensor)));
  }
}

/**
 * @param {ModelOptions} [options]
 * @returns {Uint8Array | undefined} the file, unless it went to `output`
 */
export function makeModel(options = {}) {
  const { family, shape, variant, recipe, tensors, writer } = planModel(options);
  const { seed = 1, output } = options;
  writer.addMetadata('general.architecture', 'string', family.architecture);
  writer.addMetadata('general.name', 'string', `random-${shape.layers}x${shape.modelDim}`);
  writer.addMetadata('general.file_type', 'uint32', fileTypes[recipe]);
  family.addMetadata(writer, shape, variant);
  const memory = memorySink();
  writer.begin(output === undefined ? memory : fileSink(output));
  for (const tensor of tensors) writeTensor(writer, tensor, new RandomStream(seed, tensor.name));
  writer.end();
  return output === undefined ? memory.bytes() : undefined;
}

/**
 * The float32 model that computes with exactly the weights another one stores.
 * @param {string | Uint8Array} input a path, or a file's bytes
 * @param {string} [output] path; without it the file's bytes are returned
 * @returns {Uint8Array | undefined}
 */
export function twin(input, output) {
  return requantise({ input, type: 'f32', output });
}

function main() {
  const { values } = parseArgs({
    options: {
      shape: { type: 'string' },
      type: { type: 'string' },
      pure: { type: 'boolean' },
      dialect: { type: 'string' },
      'recurrent-layers': { type: 'boolean' },
      seed: { type: 'string' },
      output: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  if (!values.output) throw new TypeError('--output is missing; --help tells more');
  const { 'recurrent-layers': recurrentLayers, ...options } = values;
  makeModel({ ...options, recurrentLayers });
  const { tensors, bytes } = describeModel(options);
  process.stdout.write(`${values.output}: ${tensors.length} tensors, ${bytes} bytes of weights\n`);
}

if (isMain(import.meta.url)) runCommand(main);
