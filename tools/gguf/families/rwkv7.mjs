// SPDX-License-Identifier: MIT
import { addRwkvTokenizer, hyperParameters } from '../metadata-writer.mjs';
import { layerNorm, norm, projection, rwkvModelTensors, tensor } from '../tensors.mjs';

const published = {
  layers: 24,
  modelDim: 1024,
  feedForwardDim: 4096,
  headDim: 64,
  vocab: 65536,
  decayRank: 64,
  learningRank: 64,
  valueRank: 32,
  gateRank: 128,
  tied: false,
};

const lowRank = tensor('low rank');
const zeros = tensor('zeros');

/** @type {(index: number, shape: typeof published) => import('../tensors.mjs').ModelTensor[]} */
function layer(index, shape) {
  const block = `blk.${index}`;
  const mix = `${block}.time_mix`;
  const { modelDim, feedForwardDim, decayRank, learningRank, gateRank } = shape;
  // The first layer's are there and not read, in the shape of its learning rates'.
  const valueRank = index === 0 ? learningRank : shape.valueRank;
  return [
    ...layerNorm(`${block}.attn_norm`, modelDim),
    ...layerNorm(`${block}.attn_norm_2`, modelDim),
    tensor('rates')(`${mix}_w0.weight`, modelDim),
    lowRank(`${mix}_w1.weight`, modelDim, decayRank),
    lowRank(`${mix}_w2.weight`, decayRank, modelDim),
    zeros(`${mix}_a0.weight`, modelDim),
    lowRank(`${mix}_a1.weight`, modelDim, learningRank),
    lowRank(`${mix}_a2.weight`, learningRank, modelDim),
    zeros(`${mix}_v0.weight`, modelDim),
    lowRank(`${mix}_v1.weight`, modelDim, valueRank),
    lowRank(`${mix}_v2.weight`, valueRank, modelDim),
    lowRank(`${mix}_g1.weight`, modelDim, gateRank),
    lowRank(`${mix}_g2.weight`, gateRank, modelDim),
    tensor('mix')(`${mix}_lerp_fused.weight`, modelDim, 1, 1, 6),
    norm(`${mix}_k_k.weight`, modelDim),
    norm(`${mix}_k_a.weight`, modelDim),
    zeros(`${mix}_r_k.weight`, modelDim),
    projection(`${mix}_key.weight`, modelDim, modelDim),
    projection(`${mix}_value.weight`, modelDim, modelDim),
    projection(`${mix}_receptance.weight`, modelDim, modelDim),
    ...layerNorm(`${mix}_ln`, modelDim),
    projection(`${mix}_output.weight`, modelDim, modelDim),
    tensor('mix')(`${block}.channel_mix_lerp_k.weight`, modelDim, 1, 1),
    projection(`${block}.channel_mix_key.weight`, modelDim, feedForwardDim),
    projection(`${block}.channel_mix_value.weight`, feedForwardDim, modelDim),
  ];
}

/**
 * RWKV-7 World and G1.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const rwkv7 = {
  architecture: 'rwkv7',
  shapes: {
    'rwkv7-0.1b': { ...published, layers: 12, modelDim: 768, feedForwardDim: 3072 },
    'rwkv7-0.4b': published,
    'rwkv7-1.5b': {
      ...published,
      modelDim: 2048,
      feedForwardDim: 8192,
      decayRank: 96,
      learningRank: 96,
      valueRank: 64,
      gateRank: 256,
    },
    'rwkv7-2.9b': {
      ...published,
      layers: 32,
      modelDim: 2560,
      feedForwardDim: 10240,
      decayRank: 96,
      learningRank: 96,
      valueRank: 64,
      gateRank: 320,
    },
    'tiny-rwkv7': {
      ...published,
      layers: 3,
      // llama.cpp's kernel computes something else with heads that are narrower than 64.
      modelDim: 128,
      feedForwardDim: 256,
      vocab: 512,
      decayRank: 8,
      learningRank: 8,
      valueRank: 8,
      gateRank: 16,
    },
  },
  tensors: (shape) => [
    ...rwkvModelTensors(shape),
    ...Array.from({ length: shape.layers }, (_, i) => layer(i, shape)).flat(),
  ],
  addMetadata(writer, shape) {
    const { uint32, float32 } = hyperParameters(writer, 'rwkv7');
    uint32('context_length', 1 << 20);
    uint32('embedding_length', shape.modelDim);
    uint32('block_count', shape.layers);
    float32('attention.layer_norm_epsilon', 1e-5);
    uint32('wkv.head_size', shape.headDim);
    uint32('attention.decay_lora_rank', shape.decayRank);
    uint32('attention.iclr_lora_rank', shape.learningRank);
    uint32('attention.value_residual_mix_lora_rank', shape.valueRank);
    uint32('attention.gate_lora_rank', shape.gateRank);
    uint32('feed_forward_length', shape.feedForwardDim);
    uint32('attention.head_count', 0);
    addRwkvTokenizer(writer, shape.vocab);
  },
};
