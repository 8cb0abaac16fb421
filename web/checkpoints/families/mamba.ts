// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mapEmbedding, negativeExp, readRank, readTimeSteps } from '../shared-parts.js';

/** Mamba, with transformers' names; Falcon-Mamba's norms of B, C and the time step have no weights. */
export function mapMamba(config: Config, mapping: Mapping): void {
  const dim = config.whole('hidden_size', 768);
  const inner = config.whole('intermediate_size', config.whole('expand', 2) * dim);
  const taps = config.whole('conv_kernel', 4);
  const normed = config.text('model_type') === 'falcon_mamba';
  const epsilon = config.number('layer_norm_epsilon', 1e-5);
  const normEpsilon = normed ? config.number('mixer_rms_eps', 1e-6) : undefined;
  config.require('hidden_act', 'silu', 'swish');
  const biased = config.flag('use_bias', false);
  // Mamba holds time steps within nothing.
  readTimeSteps(config);
  config.ignore('use_mambapy', 'use_associative_scan', 'use_falcon_mambapy', 'vocab_size');
  config.ignore('residual_in_fp32', 'rescale_prenorm_residual', 'max_position_embeddings');
  // What older files also say, of the same sizes.
  config.ignore('d_model', 'd_inner', 'n_layer', 'ssm_cfg', 'rms_norm', 'fused_add_norm');
  config.ignore('pad_vocab_size_multiple');
  const layers = config.layers(32);
  mapping.set({
    block_count: layers,
    // Nothing in the model ends; llama.cpp's converter writes this figure.
    context_length: 2 ** 20,
    embedding_length: dim,
    feed_forward_length: 0,
    'attention.head_count': 0,
    'attention.layer_norm_rms_epsilon': epsilon,
    'ssm.conv_kernel': taps,
    'ssm.inner_size': inner,
    'ssm.state_size': config.whole('state_size', 16),
    'ssm.time_step_rank': readRank(config, 'time_step_rank', dim),
    'ssm.dt_b_c_rms': normed,
    'ssm.dt_b_c_rms_epsilon': normEpsilon,
  });
  const single = 'backbone.embedding.weight';
  const embedding = mapping.has(single) ? single : 'backbone.embeddings.weight';
  const tied = config.flag('tie_word_embeddings', true);
  mapEmbedding(mapping, { embedding, head: 'lm_head.weight', tied });
  mapping.vector('output_norm.weight', 'backbone.norm_f.weight');
  const convBias = config.flag('use_conv_bias', true);
  for (let i = 0; i < layers; i++) {
    const layer = new Layer(mapping, i, 'backbone.layers.');
    layer.vector('attn_norm.weight', 'norm.weight');
    layer.linear('ssm_in', 'mixer.in_proj', biased);
    layer.matrix('ssm_x.weight', 'mixer.x_proj.weight');
    layer.matrix('ssm_dt.weight', 'mixer.dt_proj.weight');
    layer.linear('ssm_out', 'mixer.out_proj', biased);
    layer.vector('ssm_dt.bias', 'mixer.dt_proj.bias');
    layer.vector('ssm_conv1d.weight', 'mixer.conv1d.weight');
    layer.vector('ssm_a', 'mixer.A_log', negativeExp);
    layer.vector('ssm_d', 'mixer.D');
    if (convBias) layer.vector('ssm_conv1d.bias', 'mixer.conv1d.bias');
  }
}
