#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMain, runCommand } from '../gguf/command-line.mjs';
import { fileSink } from '../gguf/file-sink.mjs';
import { quantise } from '../gguf/quantise.mjs';
import { openGguf } from '../gguf/reader.mjs';
import { GgufWriter } from '../gguf/writer.mjs';
import { readTensors } from './safetensors.mjs';
import { guessTensors, toGguf } from './tensor-names.mjs';

/**
 * @import { GgufFile } from '../gguf/reader.mjs'
 *
 * @typedef {ReturnType<typeof toGguf>} Written
 */

const usage = `Write a model's GGUF file with the block for guesses that mtp.py trained for it; all else is
kept as it is.

  node tools/story/add-guesses.mjs MODEL.gguf DIR/mtp.safetensors --output OUT.gguf [--type q8_0]

  --type TYPE    of the block's matrices; its norms are f32
`;

/** @type {(tensors: Written[], suffix: string) => number[]} */
function shapeOf(tensors, suffix) {
  return tensors.find(({ name }) => name.endsWith(suffix))?.shape ?? [];
}

/**
 * What the metadata say with the block, where that is something else.
 * @type {(source: GgufFile, added: Written[]) => Map<string, number>}
 */
function changed({ metadata, tensors }, added) {
  const value = (/** @type {string} */ key) => metadata.get(`qwen35.${key}`)?.value;
  const width = value('embedding_length');
  const [columns, rows] = shapeOf(added, 'nextn.eh_proj.weight');
  if (columns !== 2 * width || rows !== width) {
    throw new RangeError(
      `a block from ${columns} to ${rows} is of another model: its width is ${width}`,
    );
  }
  // A query has its gate behind it. A model without attention can say any number of heads.
  const heads = shapeOf(added, 'attn_q.weight')[1] / (2 * value('attention.key_length'));
  const attends = tensors.some(({ name }) => name.endsWith('attn_q.weight'));
  if (attends && heads !== value('attention.head_count')) {
    throw new RangeError(
      `the block has ${heads} heads, the model ${value('attention.head_count')}`,
    );
  }
  return new Map([
    ['qwen35.block_count', value('block_count') + 1],
    ['qwen35.attention.head_count', heads],
  ]);
}

/**
 * @param {{ model: string, block: string, output: string, type?: string }} options paths; of the block's matrices
 * @returns {{ parameters: number }} of the block
 */
export function addGuesses({ model, block, output, type = 'Q8_0' }) {
  const source = openGguf(model);
  try {
    const { metadata, tensors } = source;
    const layers = metadata.get('qwen35.block_count')?.value;
    if (!layers) throw new RangeError(`${model} is no qwen35 model`);
    if (metadata.has('qwen35.nextn_predict_layers')) {
      throw new RangeError(`${model} has a block for guesses`);
    }
    const trained = readTensors([block]);
    const added = guessTensors(layers).map((tensor) => {
      const written = toGguf(tensor, trained);
      return { ...written, stored: written.shape.length === 1 ? 'F32' : type };
    });
    const changes = changed(source, added);
    const writer = new GgufWriter({ alignment: source.alignment });
    for (const [key, entry] of metadata) {
      const value = changes.get(key);
      if (value === undefined) writer.addEncodedMetadata(entry.encoded());
      else writer.addMetadata(key, entry.type, value);
    }
    writer.addMetadata('qwen35.nextn_predict_layers', 'uint32', 1);
    for (const tensor of tensors) writer.declareTensor(tensor.name, tensor.type, tensor.shape);
    for (const { name, shape, stored } of added) writer.declareTensor(name, stored, shape);
    writer.begin(fileSink(output));
    for (const tensor of tensors) writer.write(source.read(tensor));
    for (const { values, stored } of added) writer.write(quantise(stored, values));
    writer.end();
    return { parameters: added.reduce((sum, { values }) => sum + values.length, 0) };
  } finally {
    source.close();
  }
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      output: { type: 'string' },
      type: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const [model, block] = positionals;
  if (positionals.length !== 2 || !values.output) {
    throw new TypeError('MODEL.gguf, mtp.safetensors and --output are needed; --help tells more');
  }
  const { output } = values;
  const { parameters } = addGuesses({ model, block, output, type: values.type?.toUpperCase() });
  const megabytes = (statSync(output).size / 1e6).toFixed(2);
  process.stdout.write(`${output}: a block of ${parameters} parameters, ${megabytes} MB in all\n`);
}

if (isMain(import.meta.url)) runCommand(main);
