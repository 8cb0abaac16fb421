// SPDX-License-Identifier: MIT
import { addByteLevelTokenizer, addMamba2Sizes, hyperParameters } from '../metadata-writer.mjs';
import { mamba2Mixer, modelTensors, norm } from '../tensors.mjs';

const published = {
  layers: 48,
  modelDim: 1024,
  innerDim: 2048,
  stateDim: 128,
  heads: 32,
  groups: 1,
  convKernel: 4,
  vocab: 50288,
  tied: true,
};

/**
 * state-spaces/mamba2-*.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const mamba2 = {
  architecture: 'mamba2',
  shapes: {
    'mamba2-130m': { ...published, layers: 24, modelDim: 768, innerDim: 1536, heads: 24 },
    'mamba2-370m': published,
    'mamba2-780m': { ...published, modelDim: 1536, innerDim: 3072, heads: 48 },
    'mamba2-1.3b': { ...published, modelDim: 2048, innerDim: 4096, heads: 64 },
    'mamba2-2.7b': { ...published, layers: 64, modelDim: 2560, innerDim: 5120, heads: 80 },
    'tiny-mamba2': {
      ...published,
      layers: 3,
      modelDim: 64,
      innerDim: 128,
      stateDim: 16,
      heads: 8,
      groups: 2,
      vocab: 512,
    },
  },
  tensors(shape) {
    const { layers, modelDim } = shape;
    return [
      ...modelTensors(shape),
      ...Array.from({ length: layers }, (_, i) => [
        norm(`blk.${i}.attn_norm.weight`, modelDim),
        ...mamba2Mixer(`blk.${i}`, shape),
      ]).flat(),
    ];
  },
  addMetadata(writer, shape) {
    const keys = hyperParameters(writer, 'mamba2');
    const { uint32, float32 } = keys;
    uint32('context_length', 1 << 20);
    uint32('embedding_length', shape.modelDim);
    uint32('feed_forward_length', 0);
    uint32('attention.head_count', 0);
    uint32('block_count', shape.layers);
    addMamba2Sizes(keys, shape);
    float32('attention.layer_norm_rms_epsilon', 1e-5);
    addByteLevelTokenizer(writer, shape.vocab, 'olmo');
  },
};
