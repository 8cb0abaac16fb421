// SPDX-License-Identifier: MIT
import { addByteLevelTokenizer, addKeyValueHeads, hyperParameters } from '../metadata-writer.mjs';
import { attention, mambaMixer, modelTensors, norm, swiGlu } from '../tensors.mjs';

const published = {
  layers: 28,
  modelDim: 2560,
  feedForwardDim: 8192,
  vocab: 65536,
  attentionLayers: [7, 21],
  queryHeads: 20,
  keyValueHeads: 1,
  headDim: 128,
  innerDim: 5120,
  stateDim: 16,
  stepRank: 160,
  convKernel: 4,
  tied: true,
};

/** @type {(block: string, shape: typeof published) => import('../tensors.mjs').ModelTensor[]} */
const normalisedMamba = (block, shape) => [
  ...mambaMixer(block, shape),
  norm(`${block}.ssm_dt_norm.weight`, shape.stepRank),
  norm(`${block}.ssm_b_norm.weight`, shape.stateDim),
  norm(`${block}.ssm_c_norm.weight`, shape.stateDim),
];

/**
 * Jamba without experts.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const jamba = {
  architecture: 'jamba',
  shapes: {
    'jamba-reasoning-3b': published,
    'tiny-jamba': {
      ...published,
      layers: 3,
      modelDim: 64,
      feedForwardDim: 96,
      vocab: 512,
      attentionLayers: [1],
      queryHeads: 4,
      headDim: 16,
      innerDim: 128,
      stateDim: 8,
      stepRank: 32,
    },
  },
  tensors(shape) {
    const { layers, modelDim, feedForwardDim, attentionLayers } = shape;
    return [
      ...modelTensors(shape),
      ...Array.from({ length: layers }, (_, i) => [
        norm(`blk.${i}.attn_norm.weight`, modelDim),
        ...(attentionLayers.includes(i) ? attention : normalisedMamba)(`blk.${i}`, shape),
        norm(`blk.${i}.ffn_norm.weight`, modelDim),
        ...swiGlu(`blk.${i}`, modelDim, feedForwardDim),
      ]).flat(),
    ];
  },
  addMetadata(writer, shape) {
    const keys = hyperParameters(writer, 'jamba');
    const { uint32, float32 } = keys;
    uint32('block_count', shape.layers);
    uint32('context_length', 262144);
    uint32('embedding_length', shape.modelDim);
    uint32('feed_forward_length', shape.feedForwardDim);
    uint32('attention.head_count', shape.queryHeads);
    addKeyValueHeads(keys, shape);
    float32('attention.layer_norm_rms_epsilon', 1e-6);
    uint32('ssm.conv_kernel', shape.convKernel);
    uint32('ssm.inner_size', shape.innerDim);
    uint32('ssm.state_size', shape.stateDim);
    uint32('ssm.time_step_rank', shape.stepRank);
    addByteLevelTokenizer(writer, shape.vocab, 'gpt-2');
  },
};
