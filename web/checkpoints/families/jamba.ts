// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mapEmbedding, negativeExp, readRank } from '../shared-parts.js';

/** Jamba without experts: Mamba with norms of dt, B and C, and attention without positions. */
export function mapJamba(config: Config, mapping: Mapping): void {
  config.require('hidden_act', 'silu');
  config.require('num_experts', 1);
  config.require('sliding_window', null);
  config.ignore('num_experts_per_tok', 'expert_layer_offset', 'expert_layer_period');
  config.ignore('use_mamba_kernels', 'use_mambapy', 'use_associative_scan', 'vocab_size');
  config.ignore('calc_logits_for_entire_prompt');
  const layers = config.layers(32);
  const dim = config.whole('hidden_size', 4096);
  const heads = config.whole('num_attention_heads', 32);
  const keyHeads = config.whole('num_key_value_heads', 8);
  const period = config.whole('attn_layer_period', 8);
  const offset = config.whole('attn_layer_offset', 4, 0);
  const isMamba = Array.from({ length: layers }, (_, i) => i % period !== offset % period);
  const rank = readRank(config, 'mamba_dt_rank', dim);
  const biased = config.flag('mamba_proj_bias', false);
  const convBias = config.flag('mamba_conv_bias', true);
  mapping.set({
    block_count: layers,
    context_length: config.whole('max_position_embeddings', 262_144),
    embedding_length: dim,
    feed_forward_length: config.whole('intermediate_size', 14_336),
    'attention.head_count': heads,
    'attention.head_count_kv': isMamba.map((mamba) => (mamba ? 0 : keyHeads)),
    'attention.layer_norm_rms_epsilon': config.number('rms_norm_eps', 1e-6),
    'ssm.conv_kernel': config.whole('mamba_d_conv', 4),
    'ssm.inner_size': config.whole('mamba_expand', 2) * dim,
    'ssm.state_size': config.whole('mamba_d_state', 16),
    'ssm.time_step_rank': rank,
  });
  const tied = config.flag('tie_word_embeddings', false);
  mapEmbedding(mapping, { embedding: 'model.embed_tokens.weight', head: 'lm_head.weight', tied });
  mapping.vector('output_norm.weight', 'model.final_layernorm.weight');
  isMamba.forEach((mamba, i) => {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.vector('attn_norm.weight', 'input_layernorm.weight');
    layer.vector('ffn_norm.weight', 'pre_ff_layernorm.weight');
    const part = 'feed_forward.';
    layer.swiGlu(`${part}gate_proj`, `${part}up_proj`, `${part}down_proj`);
    if (!mamba) {
      layer.attention('self_attn.');
      return;
    }
    layer.linear('ssm_in', 'mamba.in_proj', biased);
    layer.matrix('ssm_x.weight', 'mamba.x_proj.weight');
    layer.linear('ssm_dt', 'mamba.dt_proj', true);
    layer.linear('ssm_out', 'mamba.out_proj', biased);
    layer.vector('ssm_conv1d.weight', 'mamba.conv1d.weight');
    if (convBias) layer.vector('ssm_conv1d.bias', 'mamba.conv1d.bias');
    layer.vector('ssm_a', 'mamba.A_log', negativeExp);
    layer.vector('ssm_d', 'mamba.D');
    for (const name of ['dt', 'b', 'c']) {
      layer.vector(`ssm_${name}_norm.weight`, `mamba.${name}_layernorm.weight`);
    }
  });
}
