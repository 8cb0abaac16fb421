#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMain, runCommand } from '../gguf/command-line.mjs';
import { openGguf } from '../gguf/reader.mjs';
import { byteLength } from '../gguf/types.mjs';
import { safetensors } from './safetensors.mjs';
import { modelTensors } from './tensor-names.mjs';

/**
 * @import { GgufFile, Tensor } from '../gguf/reader.mjs'
 * @import { Stored } from './safetensors.mjs'
 */

const usage = `Write a GGUF file that export.mjs wrote as the checkpoint that it was made of, for \`train.py --init\`
to go on from; all of its layers must be gated delta nets. Matrices are what the file has, to the
last bit.

  node tools/story/restore.mjs FILE.gguf --output FOLDER
`;

const columns = 32; // that share a scale, in both types of blocks

/** Code i of a block, by its type. @type {Record<string, (block: Uint8Array, i: number) => number>} */
const codeOf = {
  Q8_0: (block, i) => block[2 + i],
  // Columns 0 to 15 lie in the lower four bits, the others in the upper ones.
  Q4_0: (block, i) => ((block[2 + (i & 15)] >> (i < 16 ? 0 : 4)) & 15) - 8,
};

/** Codes and scales of a matrix, as model.py's eight_bits has them. @type {(tensor: Tensor, bytes: Uint8Array, shape: number[]) => [Stored, Stored]} */
function codesAndScales({ type, count }, bytes, shape) {
  const code = codeOf[type];
  if (!code) throw new RangeError(`matrices of ${type} cannot be gone on from`);
  const size = byteLength(type, columns);
  const codes = new Uint8Array(count);
  const scales = new Uint8Array((2 * count) / columns);
  for (let b = 0; b < count / columns; b++) {
    const block = bytes.subarray(size * b, size * (b + 1));
    scales.set(block.subarray(0, 2), 2 * b);
    for (let i = 0; i < columns; i++) codes[columns * b + i] = code(block, i);
  }
  return [
    { dtype: 'I8', shape, bytes: codes },
    {
      dtype: 'F16',
      shape: [...shape.slice(0, -1), shape[shape.length - 1] / columns],
      bytes: scales,
    },
  ];
}

/** @type {(file: GgufFile, layers: number) => Map<string, Stored>} */
function checkpointOf(file, layers) {
  const found = new Map(file.tensors.map((tensor) => [tensor.name, tensor]));
  /** @type {Map<string, Stored>} */
  const stored = new Map();
  for (const [name, to, change] of modelTensors(new Array(layers).fill('linear_attention'))) {
    const tensor = found.get(name);
    if (!tensor) throw new RangeError(`the file has no ${name}`);
    const shape = [...tensor.shape].reverse();
    const bytes = file.read(tensor);
    if (tensor.type === 'F32') {
      const given = new Float32Array(bytes.slice().buffer);
      const values = change ? given.map(change.back) : given;
      // A convolution's weights are of one channel each in PyTorch.
      if (name.endsWith('ssm_conv1d.weight')) shape.splice(1, 0, 1);
      stored.set(to, { dtype: 'F32', shape, bytes: new Uint8Array(values.buffer) });
    } else {
      const [codes, scales] = codesAndScales(tensor, bytes, shape);
      stored.set(to, codes);
      stored.set(`${to}.scales`, scales);
    }
  }
  return stored;
}

/** config.json, as far as export.mjs and mtp.py read it. @type {(file: GgufFile) => Record<string, any>} */
function configOf({ metadata, tensors }) {
  /** @type {(key: string) => any} */
  const value = (key) => {
    const entry = metadata.get(`qwen35.${key}`);
    if (!entry) throw new RangeError(`the file has no qwen35.${key}`);
    return entry.value;
  };
  // A block for guesses is left out.
  const layers = value('block_count') - (metadata.get('qwen35.nextn_predict_layers')?.value ?? 0);
  const headDim = value('attention.key_length');
  return {
    vocab_size: tensors.find(({ name }) => name === 'token_embd.weight')?.shape[1],
    num_hidden_layers: layers,
    layer_types: new Array(layers).fill('linear_attention'),
    full_attention_interval: value('full_attention_interval'),
    max_position_embeddings: value('context_length'),
    hidden_size: value('embedding_length'),
    intermediate_size: value('feed_forward_length'),
    num_attention_heads: value('attention.head_count'),
    num_key_value_heads: value('attention.head_count_kv'),
    head_dim: headDim,
    rms_norm_eps: value('attention.layer_norm_rms_epsilon'),
    rope_parameters: {
      rope_theta: value('rope.freq_base'),
      partial_rotary_factor: value('rope.dimension_count') / headDim,
      mrope_section: value('rope.dimension_sections').slice(0, 3),
    },
    linear_conv_kernel_dim: value('ssm.conv_kernel'),
    linear_num_key_heads: value('ssm.group_count'),
    linear_num_value_heads: value('ssm.time_step_rank'),
    linear_key_head_dim: value('ssm.state_size'),
    linear_value_head_dim: value('ssm.inner_size') / value('ssm.time_step_rank'),
  };
}

/** tokenizer.json, as far as bpe.py and export.mjs read it. @type {(file: GgufFile) => object} */
function tokenizerOf({ metadata }) {
  /** @type {(key: string) => any} */
  const value = (key) => metadata.get(`tokenizer.ggml.${key}`)?.value;
  /** @type {Record<string, number>} */
  const vocab = {};
  /** @type {{ id: number, content: string }[]} */
  const special = [];
  for (const [id, token] of value('tokens').entries()) {
    const type = value('token_type')[id];
    if (type === 1) vocab[token] = id;
    if (type === 3) special.push({ id, content: token });
  }
  return { added_tokens: special, model: { vocab, merges: value('merges') } };
}

/**
 * @param {{ input: string, output: string }} options a GGUF file; a folder, which is made
 * @returns {{ tensors: number }}
 */
export function restoreStory({ input, output }) {
  const file = openGguf(input);
  try {
    const config = configOf(file);
    const stored = checkpointOf(file, config.num_hidden_layers);
    mkdirSync(output, { recursive: true });
    writeFileSync(join(output, 'model-00001-of-00001.safetensors'), safetensors(stored));
    writeFileSync(join(output, 'config.json'), JSON.stringify(config));
    writeFileSync(join(output, 'tokenizer.json'), JSON.stringify(tokenizerOf(file)));
    return { tensors: stored.size };
  } finally {
    file.close();
  }
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { output: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(usage);
  if (positionals.length !== 1 || !values.output) {
    throw new TypeError('FILE and --output are needed; --help tells more');
  }
  const { tensors } = restoreStory({ input: positionals[0], output: values.output });
  process.stdout.write(`${values.output}: ${tensors} tensors\n`);
}

if (isMain(import.meta.url)) runCommand(main);
