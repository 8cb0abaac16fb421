// SPDX-License-Identifier: MIT
import { addByteLevelTokenizer, addKeyValueHeads, hyperParameters } from '../metadata-writer.mjs';
import {
  attention,
  layersWithSwiGlu,
  modelTensors,
  norm,
  projection,
  tensor,
} from '../tensors.mjs';

const published = {
  layers: 16,
  modelDim: 1024,
  feedForwardDim: 4608,
  vocab: 65536,
  attentionLayers: [2, 5, 8, 10, 12, 14],
  queryHeads: 16,
  keyValueHeads: 8,
  headDim: 64,
  convKernel: 3,
  tied: true,
};

/** @type {(block: string, shape: typeof published) => import('../tensors.mjs').ModelTensor[]} */
const shortConvolution = (block, { modelDim, convKernel }) => [
  tensor('conv')(`${block}.shortconv.conv.weight`, convKernel, modelDim),
  projection(`${block}.shortconv.in_proj.weight`, modelDim, 3 * modelDim),
  projection(`${block}.shortconv.out_proj.weight`, modelDim, modelDim),
];

/** @type {(block: string, shape: typeof published) => import('../tensors.mjs').ModelTensor[]} */
const normalisedAttention = (block, shape) => [
  ...attention(block, shape),
  norm(`${block}.attn_q_norm.weight`, shape.headDim),
  norm(`${block}.attn_k_norm.weight`, shape.headDim),
];

/**
 * LFM2 and LFM2.5.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const lfm2 = {
  architecture: 'lfm2',
  shapes: {
    'lfm2.5-350m': published,
    'lfm2-700m': { ...published, modelDim: 1536, feedForwardDim: 6912, queryHeads: 24 },
    'lfm2.5-1.2b': { ...published, modelDim: 2048, feedForwardDim: 8192, queryHeads: 32 },
    'tiny-lfm2': {
      ...published,
      layers: 3,
      modelDim: 64,
      feedForwardDim: 96,
      vocab: 512,
      attentionLayers: [1],
      queryHeads: 4,
      keyValueHeads: 2,
      headDim: 16,
    },
  },
  tensors: (shape) => [
    ...modelTensors(shape, 'token_embd_norm'),
    ...layersWithSwiGlu(shape, (block, layer) =>
      (shape.attentionLayers.includes(layer) ? normalisedAttention : shortConvolution)(
        block,
        shape,
      ),
    ),
  ],
  addMetadata(writer, shape) {
    const keys = hyperParameters(writer, 'lfm2');
    const { uint32, float32 } = keys;
    uint32('block_count', shape.layers);
    uint32('context_length', 128000);
    uint32('embedding_length', shape.modelDim);
    uint32('feed_forward_length', shape.feedForwardDim);
    uint32('attention.head_count', shape.queryHeads);
    addKeyValueHeads(keys, shape);
    float32('rope.freq_base', 1e6);
    float32('attention.layer_norm_rms_epsilon', 1e-5);
    uint32('vocab_size', shape.vocab);
    uint32('shortconv.l_cache', shape.convKernel);
    addByteLevelTokenizer(writer, shape.vocab, 'lfm2');
  },
};
