// SPDX-License-Identifier: MIT
import {
  addByteLevelTokenizer,
  addKeyValueHeads,
  addMamba2Sizes,
  hyperParameters,
} from '../metadata-writer.mjs';
import { attention, layersWithSwiGlu, mamba2Mixer, modelTensors } from '../tensors.mjs';

const published = {
  layers: 32,
  modelDim: 768,
  feedForwardDim: 2048,
  vocab: 100352,
  attentionLayers: [10, 13, 17, 27],
  queryHeads: 12,
  keyValueHeads: 4,
  headDim: 64,
  innerDim: 1536,
  stateDim: 128,
  heads: 48,
  groups: 1,
  convKernel: 4,
  embeddingScale: 12,
  attentionScale: 0.015625,
  residualScale: 0.246,
  logitScale: 3,
  tied: true,
};

/**
 * Granite 4.0 H, dense.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const granitehybrid = {
  architecture: 'granitehybrid',
  shapes: {
    'granite-4.0-h-350m': published,
    'granite-4.0-h-1b': {
      ...published,
      layers: 40,
      modelDim: 1536,
      feedForwardDim: 4096,
      attentionLayers: [5, 15, 25, 35],
      headDim: 128,
      innerDim: 3072,
      attentionScale: 0.0078125,
      residualScale: 0.22,
      logitScale: 6,
    },
    'tiny-granite-h': {
      ...published,
      layers: 3,
      modelDim: 64,
      feedForwardDim: 96,
      vocab: 512,
      attentionLayers: [1],
      queryHeads: 4,
      keyValueHeads: 2,
      headDim: 16,
      innerDim: 128,
      stateDim: 16,
      heads: 8,
      attentionScale: 0.2,
    },
  },
  tensors: (shape) => [
    ...modelTensors(shape),
    ...layersWithSwiGlu(shape, (block, layer) =>
      (shape.attentionLayers.includes(layer) ? attention : mamba2Mixer)(block, shape),
    ),
  ],
  addMetadata(writer, shape) {
    const keys = hyperParameters(writer, 'granitehybrid');
    const { uint32, float32, flag } = keys;
    uint32('block_count', shape.layers);
    uint32('context_length', 32768);
    uint32('embedding_length', shape.modelDim);
    uint32('feed_forward_length', shape.feedForwardDim);
    uint32('attention.head_count', shape.queryHeads);
    addKeyValueHeads(keys, shape);
    uint32('attention.key_length', shape.headDim);
    uint32('attention.value_length', shape.headDim);
    float32('attention.layer_norm_rms_epsilon', 1e-5);
    float32('attention.scale', shape.attentionScale);
    float32('embedding_scale', shape.embeddingScale);
    float32('residual_scale', shape.residualScale);
    float32('logit_scale', shape.logitScale);
    uint32('rope.dimension_count', shape.headDim);
    float32('rope.freq_base', 10000);
    flag('rope.scaling.finetuned', false);
    uint32('vocab_size', shape.vocab);
    addMamba2Sizes(keys, shape);
    addByteLevelTokenizer(writer, shape.vocab, 'dbrx');
  },
};
