#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMain, runCommand } from './gguf/command-line.mjs';
import { shapeNames } from './gguf/families.mjs';
import { fileSink } from './gguf/file-sink.mjs';
import { describeTensors, modelPieces } from './gguf/random-model.mjs';
import { recipes } from './gguf/type-mix.mjs';
import { memorySink } from './gguf/writer.mjs';
import { requantise } from './requantise.mjs';

/** @import { ModelOptions } from './gguf/random-model.mjs' */

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

/**
 * @param {ModelOptions & { output?: string }} [options] `shape` may be the path of a JSON file; with
 *   `output`, a path, the file goes there
 * @returns {Uint8Array | undefined} the file, unless it went to `output`
 */
export function makeModel({ output, ...options } = {}) {
  const memory = memorySink();
  const sink = output === undefined ? memory : fileSink(output);
  for (const piece of modelPieces(withShape(options))) sink.write(piece);
  sink.close();
  return output === undefined ? memory.bytes() : undefined;
}

/**
 * The tensors of a model and their bytes, without making them.
 * @param {ModelOptions} options as of {@link makeModel}
 */
export const describeModel = (options) => describeTensors(withShape(options));

/** @param {ModelOptions} options */
function withShape({ shape, ...others }) {
  const isPath = typeof shape === 'string' && shape.endsWith('.json');
  return { ...others, shape: isPath ? JSON.parse(readFileSync(shape, 'utf8')) : shape };
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
