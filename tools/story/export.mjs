#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMain, runCommand } from '../gguf/command-line.mjs';
import { fileSink } from '../gguf/file-sink.mjs';
import { hyperParameters } from '../gguf/metadata-writer.mjs';
import { quantise } from '../gguf/quantise.mjs';
import { fileTypes } from '../gguf/types.mjs';
import { GgufWriter } from '../gguf/writer.mjs';
import { readTensors } from './safetensors.mjs';
import { modelTensors, toGguf } from './tensor-names.mjs';

/** @import { Weights } from './safetensors.mjs' */

const usage = `Write the checkpoint that train.py left as GGUF; of several the mean, in which one that is named
three times counts three times.

  node tools/story/export.mjs FOLDER ... --output OUT.gguf [--type q4_0]

  --type TYPE    of matrices; all else is f32. q4_0 (the default) is what the layers' matrices are
                 trained to be, and what is not rounded in training is q8_0. q8_0, bf16, f16 or f32
  --template FILE  the chat template; by default the one beside this file
`;

/** @type {(folder: string) => Map<string, Weights>} */
function readCheckpoint(folder) {
  const parts = readdirSync(folder).filter((name) => /^model.*\.safetensors$/.test(name));
  return readTensors(parts.map((name) => join(folder, name)));
}

/**
 * The mean of checkpoints of which each was trained from the one before: it may predict better than any of them (Wortsman et
 * al., "Model soups", 2022).
 * @type {(folders: string[]) => Map<string, Weights>}
 */
function meanCheckpoint([first, ...others]) {
  const mean = readCheckpoint(first);
  for (const [i, folder] of others.entries()) {
    const more = readCheckpoint(folder);
    for (const [key, { values, shape }] of mean) {
      const other = more.get(key);
      if (!other || String(other.shape) !== String(shape)) {
        throw new RangeError(`${folder} has no such ${key}`);
      }
      for (let j = 0; j < values.length; j++) values[j] += (other.values[j] - values[j]) / (i + 2);
    }
  }
  return mean;
}

/** @type {(writer: GgufWriter, config: any, type: string, parameters: number) => void} */
function addMetadata(writer, config, type, parameters) {
  writer.addMetadata('general.architecture', 'string', 'qwen35');
  writer.addMetadata('general.name', 'string', `story ${Math.round(parameters / 1e6)}M`);
  writer.addMetadata('general.license', 'string', 'mit');
  writer.addMetadata('general.file_type', 'uint32', fileTypes[type]);
  const { uint32, float32, array } = hyperParameters(writer, 'qwen35');
  uint32('block_count', config.num_hidden_layers);
  uint32('context_length', config.max_position_embeddings);
  uint32('embedding_length', config.hidden_size);
  uint32('feed_forward_length', config.intermediate_size);
  uint32('attention.head_count', config.num_attention_heads);
  uint32('attention.head_count_kv', config.num_key_value_heads);
  uint32('attention.key_length', config.head_dim);
  uint32('attention.value_length', config.head_dim);
  float32('attention.layer_norm_rms_epsilon', config.rms_norm_eps);
  uint32('full_attention_interval', config.full_attention_interval);
  const rope = config.rope_parameters;
  float32('rope.freq_base', rope.rope_theta);
  uint32('rope.dimension_count', config.head_dim * rope.partial_rotary_factor);
  array('rope.dimension_sections', 'int32', [...rope.mrope_section, 0]);
  uint32('ssm.conv_kernel', config.linear_conv_kernel_dim);
  uint32('ssm.group_count', config.linear_num_key_heads);
  uint32('ssm.inner_size', config.linear_num_value_heads * config.linear_value_head_dim);
  uint32('ssm.state_size', config.linear_key_head_dim);
  uint32('ssm.time_step_rank', config.linear_num_value_heads);
}

/** @type {(writer: GgufWriter, tokenizer: any, rows: number, template: string) => void} */
function addTokenizer(writer, tokenizer, rows, template) {
  const { vocab, merges } = tokenizer.model;
  /** @type {string[]} */
  const tokens = Array.from({ length: rows }, (_, id) => `[PAD${id}]`);
  const types = tokens.map(() => 5);
  for (const [token, id] of Object.entries(vocab)) {
    tokens[Number(id)] = token;
    types[Number(id)] = 1;
  }
  /** @type {Record<string, number>} */
  const special = {};
  for (const { content, id } of tokenizer.added_tokens) {
    tokens[id] = content;
    types[id] = 3;
    special[content] = id;
  }
  /** @type {(key: string, type: string, value: unknown, elementType?: string) => void} */
  const add = (key, type, value, elementType) =>
    writer.addMetadata(`tokenizer.${key}`, type, value, elementType);
  add('ggml.model', 'string', 'gpt2');
  add('ggml.pre', 'string', 'qwen35');
  add('ggml.tokens', 'array', tokens, 'string');
  add('ggml.token_type', 'array', types, 'int32');
  const joined = merges.map((/** @type {string | string[]} */ one) => [one].flat().join(' '));
  add('ggml.merges', 'array', joined, 'string');
  add('ggml.eos_token_id', 'uint32', special['<|im_end|>']);
  add('ggml.eot_token_id', 'uint32', special['<|endoftext|>']);
  add('ggml.padding_token_id', 'uint32', special['<|endoftext|>']);
  add('ggml.add_bos_token', 'bool', false);
  add('chat_template', 'string', template);
}

/** What training rounds: model.py's Matrix. */
const rounded = /^blk\.\d+\.(attn_qkv|attn_gate|ssm_out|ffn_gate|ffn_up|ffn_down)\.weight$/;

/** @type {(name: string, shape: number[], type: string) => string} */
function storedType(name, shape, type) {
  if (shape.length === 1 || name.endsWith('ssm_conv1d.weight')) return 'F32';
  return type === 'Q4_0' && !rounded.test(name) ? 'Q8_0' : type;
}

/**
 * @param {{ folders: string[], output: string, type?: string, template?: string }} options
 * @returns {{ tensors: number, parameters: number }}
 */
export function exportStory({ folders, output, type = 'Q4_0', template }) {
  const [folder] = folders;
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  if (config.linear_num_key_heads !== config.linear_num_value_heads) {
    throw new RangeError('heads of keys and of values must be as many');
  }
  const tokenizer = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
  const checkpoint = meanCheckpoint(folders);
  let parameters = 0;
  const tensors = modelTensors(config.layer_types).map((tensor) => {
    const { name, shape, values } = toGguf(tensor, checkpoint);
    checkpoint.delete(tensor[1]);
    parameters += values.length;
    return { name, shape, values, stored: storedType(name, shape, type) };
  });
  if (checkpoint.size > 0) throw new RangeError(`not used: ${[...checkpoint.keys()].join(', ')}`);
  const writer = new GgufWriter();
  addMetadata(writer, config, type, parameters);
  const text = readFileSync(template ?? new URL('chat-template.jinja', import.meta.url), 'utf8');
  addTokenizer(writer, tokenizer, config.vocab_size, text);
  for (const { name, shape, stored } of tensors) writer.declareTensor(name, stored, shape);
  writer.begin(fileSink(output));
  for (const { values, stored } of tensors) writer.write(quantise(stored, values));
  writer.end();
  return { tensors: tensors.length, parameters };
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      output: { type: 'string' },
      type: { type: 'string' },
      template: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  if (positionals.length === 0 || !values.output) {
    throw new TypeError('FOLDER and --output are needed; --help tells more');
  }
  const { output, template } = values;
  const type = (values.type ?? 'q4_0').toUpperCase();
  const { tensors, parameters } = exportStory({ folders: positionals, output, type, template });
  const megabytes = (statSync(output).size / 1e6).toFixed(2);
  process.stdout.write(
    `${output}: ${tensors} tensors, ${parameters} parameters, ${megabytes} MB\n`,
  );
}

if (isMain(import.meta.url)) runCommand(main);
