// SPDX-License-Identifier: MIT
import { addByteLevelTokenizer, addMamba2Sizes, hyperParameters } from '../metadata-writer.mjs';
import { attention, layersWithSwiGlu, mamba2Mixer, modelTensors } from '../tensors.mjs';

const published = {
  layers: 36,
  modelDim: 1024,
  feedForwardDim: 2048,
  vocab: 32784,
  queryHeads: 8,
  keyValueHeads: 2,
  headDim: 64,
  innerDim: 1536,
  stateDim: 128,
  heads: 24,
  groups: 1,
  convKernel: 4,
  tied: false,
};

/**
 * Falcon-H1, whose multipliers files have in their weights.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const falconH1 = {
  architecture: 'falcon-h1',
  shapes: {
    'falcon-h1-0.5b': published,
    'tiny-falcon-h1': {
      ...published,
      layers: 3,
      modelDim: 64,
      feedForwardDim: 96,
      vocab: 512,
      queryHeads: 4,
      headDim: 16,
      innerDim: 128,
      stateDim: 16,
      heads: 8,
    },
  },
  tensors: (shape) => [
    ...modelTensors(shape),
    ...layersWithSwiGlu(
      shape,
      (block) => [
        ...attention(block, shape),
        ...mamba2Mixer(block, shape, { isNormalised: false }),
      ],
      // Without `.weight` in files: llama.cpp's converter has it so.
      'ffn_norm',
    ),
  ],
  addMetadata(writer, shape) {
    const keys = hyperParameters(writer, 'falcon-h1');
    const { uint32, float32 } = keys;
    uint32('block_count', shape.layers);
    uint32('context_length', 16384);
    uint32('embedding_length', shape.modelDim);
    uint32('feed_forward_length', shape.feedForwardDim);
    uint32('attention.head_count', shape.queryHeads);
    uint32('attention.head_count_kv', shape.keyValueHeads);
    uint32('attention.key_length', shape.headDim);
    uint32('attention.value_length', shape.headDim);
    uint32('rope.dimension_count', shape.headDim);
    float32('rope.freq_base', 1e11);
    float32('attention.layer_norm_rms_epsilon', 1e-5);
    uint32('vocab_size', shape.vocab);
    addMamba2Sizes(keys, shape);
    addByteLevelTokenizer(writer, shape.vocab, 'falcon-h1');
  },
};
