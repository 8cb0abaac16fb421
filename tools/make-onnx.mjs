#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMain, runCommand } from './gguf/command-line.mjs';
import { fileSink } from './gguf/file-sink.mjs';
import { decodeFloat16 } from './gguf/float-formats.mjs';
import { isFullAttention } from './gguf/qwen35-shapes.mjs';
import { openGguf } from './gguf/reader.mjs';
import { byteLength, tensorType } from './gguf/types.mjs';
import { decoderGraph } from './onnx/decoder-graph.mjs';
import { embeddingGraph } from './onnx/embedding-graph.mjs';
import { GraphBuilder } from './onnx/graph-builder.mjs';
import { tokenizerFiles } from './onnx/tokenizer-files.mjs';
import { kBlock } from './onnx/weights.mjs';

/**
 * @import { Qwen35Shape } from './gguf/qwen35-shapes.mjs'
 * @import { GgufFile, Tensor } from './gguf/reader.mjs'
 */

const usage = `Write a model of architecture qwen35 as a folder that transformers.js loads: ONNX graphs with
exactly the weights of a GGUF file whose matrices are all Q4_0 (tools/make-model.mjs --type q4_0 --pure).

  node tools/make-onnx.mjs IN.gguf --output FOLDER
`;

// A multiple of every block size.
const kChunkWeights = 1 << 20;
const kSuffix = '_q4';

/**
 * @param {GgufFile} source
 * @returns {Qwen35Shape}
 */
function shapeOf({ metadata, tensors }) {
  /** @type {(key: string) => any} */
  const value = (key) => metadata.get(`qwen35.${key}`)?.value;
  /** @param {string} name */
  const rows = (name) => tensors.find((tensor) => tensor.name === name)?.shape[1];
  const shape = {
    layers: value('block_count'),
    fullAttentionInterval: value('full_attention_interval'),
    modelDim: value('embedding_length'),
    feedForwardDim: value('feed_forward_length'),
    vocab: rows('token_embd.weight') ?? 0,
    queryHeads: value('attention.head_count'),
    keyValueHeads: value('attention.head_count_kv'),
    headDim: value('attention.key_length'),
    rotaryDim: value('rope.dimension_count'),
    linearKeyHeads: value('ssm.group_count'),
    linearValueHeads: value('ssm.time_step_rank'),
    linearHeadDim: value('ssm.state_size'),
    convKernel: value('ssm.conv_kernel'),
    contextLength: value('context_length'),
    ropeBase: value('rope.freq_base'),
    rmsEpsilon: value('attention.layer_norm_rms_epsilon'),
    tied: rows('output.weight') === undefined,
    mtp: false,
  };
  // GGUF files have value heads in another order than the operator where there are more of them.
  if (shape.linearKeyHeads !== shape.linearValueHeads)
    throw new RangeError('there must be as many value heads as key heads in linear layers');
  return shape;
}

/**
 * @param {GgufFile} source
 * @param {GraphBuilder} graph
 * @returns {import('./onnx/weights.mjs').Weights}
 */
function weightsOf(source, graph) {
  /** @type {(name: string, type: string) => Tensor} */
  const find = (name, type) => {
    const tensor = source.tensors.find((one) => one.name === name);
    if (tensor?.type === type) return tensor;
    throw new RangeError(`${name} is ${tensor?.type ?? 'missing'}, not ${type}`);
  };
  return {
    matrix(name, shape) {
      const tensor = find(name, 'Q4_0');
      const rows = tensor.shape[1];
      const scales = new Float32Array(tensor.count / kBlock);
      const codes = graph.weights(name, 'uint8', shape, codesOf(source, tensor, scales));
      const bytes = new Uint8Array(scales.buffer);
      const perRow = [rows, scales.length / rows];
      return [codes, graph.weights(`${name}/scales`, 'float32', perRow, [bytes])];
    },
    vector(name, shape) {
      return graph.weights(name, 'float32', shape, [source.read(find(name, 'F32'))]);
    },
    computed(name, shape, values) {
      return graph.weights(name, 'float32', shape, [new Uint8Array(values.buffer)]);
    },
  };
}

/**
 * Neighbours share a byte here, and weights 16 apart in GGUF; both mean scale * (code - 8).
 * @param {GgufFile} source
 * @param {Tensor} tensor
 * @param {Float32Array} scales where the scales go
 */
function* codesOf(source, tensor, scales) {
  const { type, count } = tensor;
  const blockBytes = tensorType(type).bytes;
  for (let done = 0; done < count; done += kChunkWeights) {
    const weights = Math.min(kChunkWeights, count - done);
    const given = source.read(tensor, byteLength(type, done), byteLength(type, weights));
    const codes = new Uint8Array(weights / 2);
    for (let block = 0; block < weights / kBlock; block++) {
      const from = block * blockBytes;
      scales[done / kBlock + block] = decodeFloat16(given[from] | (given[from + 1] << 8));
      for (let j = 0; j < 8; j++) {
        const [a, b] = [given[from + 2 + 2 * j], given[from + 3 + 2 * j]];
        codes[16 * block + j] = (a & 15) | ((b & 15) << 4);
        codes[16 * block + 8 + j] = (a >> 4) | (b & 0xf0);
      }
    }
    yield codes;
  }
}

/** @param {Qwen35Shape} shape */
function configOf(shape) {
  const layerTypes = Array.from({ length: shape.layers }, (_, layer) =>
    isFullAttention(shape, layer) ? 'full_attention' : 'linear_attention',
  );
  return {
    architectures: ['Qwen3_5ForConditionalGeneration'],
    model_type: 'qwen3_5',
    text_config: {
      model_type: 'qwen3_5_text',
      layer_types: layerTypes,
      num_hidden_layers: shape.layers,
      hidden_size: shape.modelDim,
      intermediate_size: shape.feedForwardDim,
      num_attention_heads: shape.queryHeads,
      num_key_value_heads: shape.keyValueHeads,
      head_dim: shape.headDim,
      vocab_size: shape.vocab,
    },
    vision_config: {},
    'transformers.js_config': { use_external_data_format: true },
  };
}

/**
 * @param {object} options
 * @param {string | Uint8Array} options.input a path, or a file's bytes
 * @param {string} options.output path of the folder
 */
export function makeOnnx({ input, output }) {
  const source = openGguf(input);
  try {
    const shape = shapeOf(source);
    mkdirSync(join(output, 'onnx'), { recursive: true });
    const graphs = { embed_tokens: embeddingGraph, decoder_model_merged: decoderGraph };
    for (const [name, build] of Object.entries(graphs)) {
      const file = `${name}${kSuffix}.onnx`;
      const sink = fileSink(join(output, 'onnx', `${file}_data`));
      try {
        const graph = new GraphBuilder(`${file}_data`, sink);
        const model = build(graph, weightsOf(source, graph), shape);
        writeFileSync(join(output, 'onnx', file), model);
      } finally {
        sink.close();
      }
    }
    const { tokenizer, config } = tokenizerFiles(source.metadata);
    /** @type {(name: string, value: object) => void} */
    const write = (name, value) => writeFileSync(join(output, name), JSON.stringify(value));
    write('config.json', configOf(shape));
    write('tokenizer.json', tokenizer);
    write('tokenizer_config.json', config);
    write('generation_config.json', {
      eos_token_id: source.metadata.get('tokenizer.ggml.eos_token_id')?.value,
    });
  } finally {
    source.close();
  }
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { output: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(usage);
  if (positionals.length !== 1 || !values.output)
    throw new TypeError('a file and --output are needed; --help tells more');
  makeOnnx({ input: positionals[0], output: values.output });
}

if (isMain(import.meta.url)) runCommand(main);
