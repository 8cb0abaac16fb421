// SPDX-License-Identifier: MIT
import { addByteLevelTokenizer, addMambaSizes, hyperParameters } from '../metadata-writer.mjs';
import { mambaMixer, modelTensors, norm } from '../tensors.mjs';

const published = {
  layers: 48,
  modelDim: 1024,
  innerDim: 2048,
  stateDim: 16,
  stepRank: 64,
  convKernel: 4,
  vocab: 50280,
  tied: true,
};

/**
 * state-spaces/mamba-*.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const mamba = {
  architecture: 'mamba',
  shapes: {
    'mamba-130m': { ...published, layers: 24, modelDim: 768, innerDim: 1536, stepRank: 48 },
    'mamba-370m': published,
    'mamba-2.8b': { ...published, layers: 64, modelDim: 2560, innerDim: 5120, stepRank: 160 },
    'tiny-mamba': {
      ...published,
      layers: 3,
      modelDim: 64,
      innerDim: 128,
      stateDim: 8,
      stepRank: 32,
      vocab: 512,
    },
  },
  tensors(shape) {
    const { layers, modelDim } = shape;
    return [
      ...modelTensors(shape),
      ...Array.from({ length: layers }, (_, i) => [
        norm(`blk.${i}.attn_norm.weight`, modelDim),
        ...mambaMixer(`blk.${i}`, shape),
      ]).flat(),
    ];
  },
  addMetadata(writer, shape) {
    const keys = hyperParameters(writer, 'mamba');
    const { uint32, float32 } = keys;
    uint32('context_length', 1 << 20);
    uint32('embedding_length', shape.modelDim);
    uint32('feed_forward_length', 0);
    uint32('attention.head_count', 0);
    uint32('block_count', shape.layers);
    addMambaSizes(keys, shape);
    float32('attention.layer_norm_rms_epsilon', 1e-5);
    addByteLevelTokenizer(writer, shape.vocab, 'olmo');
  },
};
