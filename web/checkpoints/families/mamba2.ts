// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mamba2Keys, mapEmbedding, mapMamba2, readTimeSteps } from '../shared-parts.js';

/** Mamba-2, with transformers' names: one mixer a layer and no feed-forward. */
export function mapMamba2Model(config: Config, mapping: Mapping): void {
  const dim = config.whole('hidden_size', 4096);
  const heads = config.whole('num_heads', 128);
  const inner = heads * config.whole('head_dim', 64);
  if (inner !== Math.floor(config.number('expand', 2) * dim)) {
    throw config.wrong('expand', `gives other channels than ${heads} heads, which have ${inner}`);
  }
  const sizes = {
    inner,
    heads,
    groups: config.whole('n_groups', 8),
    state: config.whole('state_size', 128),
    taps: config.whole('conv_kernel', 4),
    convBias: config.flag('use_conv_bias', true),
    biasedIn: config.flag('use_bias', false),
    biasedOut: config.flag('use_bias', false),
    // Whatever the groups of B and C: transformers normalises all channels together.
    normGroups: 1,
  };
  config.require('hidden_act', 'silu', 'swish');
  config.require('rms_norm', true);
  // Transformers computes the first two from the others, and does not read time_step_rank.
  config.ignore('intermediate_size', 'time_step_rank', 'chunk_size', 'vocab_size');
  config.ignore('residual_in_fp32', 'rescale_prenorm_residual', 'max_position_embeddings');
  const layers = config.layers(64);
  mapping.set({
    block_count: layers,
    // Nothing in the model ends; llama.cpp's converter writes this figure.
    context_length: 2 ** 20,
    embedding_length: dim,
    feed_forward_length: 0,
    'attention.head_count': 0,
    'attention.layer_norm_rms_epsilon': config.number('layer_norm_epsilon', 1e-5),
    ...mamba2Keys(sizes),
    'ssm.time_step_limit': readTimeSteps(config),
  });
  // Codestral's names begin with `model.`.
  const prefix = mapping.has('model.backbone.norm_f.weight') ? 'model.' : '';
  const single = `${prefix}backbone.embedding.weight`;
  const embedding = mapping.has(single) ? single : `${prefix}backbone.embeddings.weight`;
  const tied = config.flag('tie_word_embeddings', false);
  mapEmbedding(mapping, { embedding, head: `${prefix}lm_head.weight`, tied });
  mapping.vector('output_norm.weight', `${prefix}backbone.norm_f.weight`);
  for (let i = 0; i < layers; i++) {
    const layer = new Layer(mapping, i, `${prefix}backbone.layers.`);
    layer.vector('attn_norm.weight', 'norm.weight');
    mapMamba2(layer, 'mixer.', sizes);
  }
}
