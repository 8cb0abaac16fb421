// SPDX-License-Identifier: MIT
import {
  addByteLevelTokenizer,
  addKeyValueHeads,
  addMamba2Sizes,
  hyperParameters,
} from '../metadata-writer.mjs';
import { attention, mamba2Mixer, modelTensors, norm, projection } from '../tensors.mjs';

const published = {
  // A letter each block: Mamba-2, feed-forward or attention, as configurations have it.
  pattern: 'M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-',
  layers: 52,
  modelDim: 3072,
  feedForwardDim: 12288,
  vocab: 131072,
  queryHeads: 32,
  keyValueHeads: 8,
  headDim: 128,
  innerDim: 7168,
  stateDim: 128,
  heads: 112,
  groups: 8,
  convKernel: 4,
  tied: false,
};

/** @type {(kind: string, block: string, shape: typeof published) => import('../tensors.mjs').ModelTensor[]} */
function part(kind, block, shape) {
  const { modelDim, feedForwardDim } = shape;
  if (kind === 'M') return mamba2Mixer(block, shape);
  if (kind === '*') return attention(block, shape);
  return [
    projection(`${block}.ffn_up.weight`, modelDim, feedForwardDim),
    projection(`${block}.ffn_down.weight`, feedForwardDim, modelDim),
  ];
}

/**
 * Nemotron-H without experts.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const nemotronH = {
  architecture: 'nemotron_h',
  shapes: {
    'nemotron-h-4b': published,
    'tiny-nemotron-h': {
      ...published,
      pattern: 'M-*-M',
      layers: 5,
      modelDim: 64,
      feedForwardDim: 96,
      vocab: 512,
      queryHeads: 4,
      keyValueHeads: 2,
      headDim: 16,
      innerDim: 128,
      stateDim: 16,
      heads: 8,
      groups: 2,
    },
  },
  check({ pattern, layers }) {
    if (pattern.length !== layers || /[^-M*]/.test(pattern)) {
      throw new RangeError(`pattern must have one of M, - and * for each layer, not ${pattern}`);
    }
  },
  tensors(shape) {
    return [
      ...modelTensors(shape),
      ...Array.from(shape.pattern, (kind, i) => [
        norm(`blk.${i}.attn_norm.weight`, shape.modelDim),
        ...part(kind, `blk.${i}`, shape),
      ]).flat(),
    ];
  },
  addMetadata(writer, shape) {
    const keys = hyperParameters(writer, 'nemotron_h');
    const { uint32, float32, array } = keys;
    const kinds = Array.from(shape.pattern);
    uint32('block_count', shape.layers);
    uint32('context_length', 8192);
    uint32('embedding_length', shape.modelDim);
    array(
      'feed_forward_length',
      'int32',
      kinds.map((kind) => (kind === '-' ? shape.feedForwardDim : 0)),
    );
    uint32('attention.head_count', shape.queryHeads);
    const attentionLayers = kinds.flatMap((kind, i) => (kind === '*' ? [i] : []));
    addKeyValueHeads(keys, { ...shape, attentionLayers });
    uint32('attention.key_length', shape.headDim);
    uint32('attention.value_length', shape.headDim);
    float32('attention.layer_norm_rms_epsilon', 1e-5);
    float32('attention.layer_norm_epsilon', 1e-5);
    uint32('rope.dimension_count', shape.headDim);
    uint32('vocab_size', shape.vocab);
    addMamba2Sizes(keys, shape);
    addByteLevelTokenizer(writer, shape.vocab, 'gpt-2');
  },
};
