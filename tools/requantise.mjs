#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { parseArgs } from 'node:util';
import { isMain, runCommand } from './gguf/command-line.mjs';
import { dequantise } from './gguf/dequantise.mjs';
import { fileSink } from './gguf/file-sink.mjs';
import { quantise } from './gguf/quantise.mjs';
import { openGguf } from './gguf/reader.mjs';
import { parseRecipe, recipes, storedType } from './gguf/type-mix.mjs';
import { byteLength, fileTypes } from './gguf/types.mjs';
import { GgufWriter, memorySink } from './gguf/writer.mjs';

/** @import { GgufFile, Tensor } from './gguf/reader.mjs' */

const usage = `Store the weights of a GGUF file in another type.

  node tools/requantise.mjs IN.gguf --type TYPE --output OUT.gguf

  --type TYPE    ${recipes.join(' | ').toLowerCase()}
                 Norms, decays, time steps and short convolutions become f32 in every case.
  --pure         Every matrix in that type, the head too.
  --output FILE
  --help
`;

// A multiple of every block size.
const chunkWeights = 1 << 20;

/** @type {(source: GgufFile, writer: GgufWriter, recipe: string) => void} */
function copyMetadata(source, writer, recipe) {
  for (const [key, entry] of source.metadata) {
    if (key === 'general.file_type') writer.addMetadata(key, 'uint32', fileTypes[recipe]);
    else writer.addEncodedMetadata(entry.encoded());
  }
}

/** @param {GgufFile} source */
function modelOf({ metadata, tensors }) {
  const architecture = metadata.get('general.architecture')?.value;
  /** @param {string} key */
  const number = (key) => Number(metadata.get(`${architecture}.${key}`)?.value ?? 0);
  return {
    layers: number('block_count') - number('nextn_predict_layers'),
    tied: !tensors.some((tensor) => tensor.name === 'output.weight'),
  };
}

/** @type {(source: GgufFile, tensor: Tensor, type: string, writer: GgufWriter) => void} */
function convertTensor(source, tensor, type, writer) {
  for (let done = 0; done < tensor.count; done += chunkWeights) {
    const count = Math.min(chunkWeights, tensor.count - done);
    const bytes = source.read(
      tensor,
      byteLength(tensor.type, done),
      byteLength(tensor.type, count),
    );
    // Weights that keep their type keep their bytes: quantising twice would only lose precision.
    writer.write(
      type === tensor.type ? bytes : quantise(type, dequantise(tensor.type, bytes, count)),
    );
  }
}

/**
 * @param {{ input: string | Uint8Array, type: string, pure?: boolean, output?: string }} options input and output are
 *   paths; the input may be a file's bytes, and without an output the new file's bytes are returned; pure: every
 *   matrix in that type, the head too
 * @returns {Uint8Array | undefined}
 */
export function requantise({ input, type, pure, output }) {
  const recipe = parseRecipe(type);
  const source = openGguf(input);
  try {
    const writer = new GgufWriter({ alignment: source.alignment });
    copyMetadata(source, writer, recipe);
    const model = modelOf(source);
    const types = source.tensors.map((tensor) => storedType(recipe, tensor, model, pure));
    for (const [i, { name, shape }] of source.tensors.entries()) {
      writer.declareTensor(name, types[i], shape);
    }
    const memory = memorySink();
    writer.begin(output === undefined ? memory : fileSink(output));
    for (const [i, tensor] of source.tensors.entries()) {
      convertTensor(source, tensor, types[i], writer);
    }
    writer.end();
    return output === undefined ? memory.bytes() : undefined;
  } finally {
    source.close();
  }
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      type: { type: 'string' },
      pure: { type: 'boolean' },
      output: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  if (positionals.length !== 1 || !values.type || !values.output) {
    throw new TypeError('IN.gguf, --type and --output are needed; --help tells more');
  }
  const { type, pure, output } = values;
  requantise({ input: positionals[0], type, pure, output });
  const written = openGguf(values.output);
  const bytes = written.tensors.reduce((sum, tensor) => sum + tensor.size, 0);
  process.stdout.write(
    `${values.output}: ${written.tensors.length} tensors, ${bytes} bytes of weights\n`,
  );
  written.close();
}

if (isMain(import.meta.url)) runCommand(main);
