// SPDX-License-Identifier: MIT
import {
  addByteLevelTokenizer,
  addKeyValueHeads,
  addMambaSizes,
  hyperParameters,
} from '../metadata-writer.mjs';
import { attention, layersWithSwiGlu, mambaMixer, modelTensors, norm } from '../tensors.mjs';

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
  tensors: (shape) => [
    ...modelTensors(shape),
    ...layersWithSwiGlu(shape, (block, layer) =>
      (shape.attentionLayers.includes(layer) ? attention : normalisedMamba)(block, shape),
    ),
  ],
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
    addMambaSizes(keys, shape);
    addByteLevelTokenizer(writer, shape.vocab, 'gpt-2');
  },
};
