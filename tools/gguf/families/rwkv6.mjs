// SPDX-License-Identifier: MIT
import { addRwkvTokenizer, hyperParameters } from '../metadata-writer.mjs';
import { layerNorm, projection, rwkvModelTensors, tensor } from '../tensors.mjs';

const published = {
  layers: 24,
  modelDim: 2048,
  feedForwardDim: 7168,
  headDim: 64,
  vocab: 65536,
  mixRank: 32,
  decayRank: 64,
  tied: false,
};

const lowRank = tensor('low rank');
const mixing = tensor('mix');

/** @type {(index: number, shape: typeof published) => import('../tensors.mjs').ModelTensor[]} */
function layer(index, { modelDim, feedForwardDim, headDim, mixRank, decayRank }) {
  const block = `blk.${index}`;
  const mix = `${block}.time_mix`;
  return [
    ...layerNorm(`${block}.attn_norm`, modelDim),
    ...layerNorm(`${block}.attn_norm_2`, modelDim),
    lowRank(`${mix}_w1.weight`, modelDim, 5 * mixRank),
    lowRank(`${mix}_w2.weight`, mixRank, modelDim, 5),
    mixing(`${mix}_lerp_x.weight`, modelDim, 1, 1),
    mixing(`${mix}_lerp_fused.weight`, modelDim, 1, 1, 5),
    tensor('zeros')(`${mix}_first.weight`, headDim, modelDim / headDim),
    tensor('rates')(`${mix}_decay.weight`, modelDim),
    lowRank(`${mix}_decay_w1.weight`, modelDim, decayRank),
    lowRank(`${mix}_decay_w2.weight`, decayRank, modelDim),
    projection(`${mix}_key.weight`, modelDim, modelDim),
    projection(`${mix}_value.weight`, modelDim, modelDim),
    projection(`${mix}_receptance.weight`, modelDim, modelDim),
    projection(`${mix}_gate.weight`, modelDim, modelDim),
    ...layerNorm(`${mix}_ln`, modelDim),
    projection(`${mix}_output.weight`, modelDim, modelDim),
    mixing(`${block}.channel_mix_lerp_k.weight`, modelDim, 1, 1),
    mixing(`${block}.channel_mix_lerp_r.weight`, modelDim, 1, 1),
    projection(`${block}.channel_mix_key.weight`, modelDim, feedForwardDim),
    projection(`${block}.channel_mix_value.weight`, feedForwardDim, modelDim),
    projection(`${block}.channel_mix_receptance.weight`, modelDim, modelDim),
  ];
}

/**
 * RWKV-6 World (Finch).
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const rwkv6 = {
  architecture: 'rwkv6',
  shapes: {
    'rwkv6-1.6b': published,
    'tiny-rwkv6': {
      ...published,
      layers: 3,
      modelDim: 64,
      feedForwardDim: 128,
      headDim: 16,
      vocab: 512,
      mixRank: 8,
      decayRank: 8,
    },
  },
  tensors: (shape) => [
    ...rwkvModelTensors(shape),
    ...Array.from({ length: shape.layers }, (_, i) => layer(i, shape)).flat(),
  ],
  addMetadata(writer, shape) {
    const { uint32, float32 } = hyperParameters(writer, 'rwkv6');
    uint32('context_length', 1 << 20);
    uint32('embedding_length', shape.modelDim);
    uint32('block_count', shape.layers);
    float32('attention.layer_norm_epsilon', 1e-5);
    uint32('rescale_every_n_layers', 6);
    uint32('wkv.head_size', shape.headDim);
    uint32('time_mix_extra_dim', shape.mixRank);
    uint32('time_decay_extra_dim', shape.decayRank);
    uint32('feed_forward_length', shape.feedForwardDim);
    uint32('attention.head_count', 0);
    addRwkvTokenizer(writer, shape.vocab);
  },
};
