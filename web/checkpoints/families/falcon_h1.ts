// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mamba2Keys, mapEmbedding, mapMamba2, readRope, readTimeSteps } from '../shared-parts.js';

/**
 * Falcon-H1: attention and Mamba-2 side by side. Its multipliers are passed on as numbers, where
 * llama.cpp's converter multiplies the weights.
 */
export function mapFalconH1(config: Config, mapping: Mapping): void {
  config.require('hidden_act', 'silu');
  config.ignore('mamba_chunk_size', 'vocab_size', 'layers_block_type', 'layer_types');
  config.ignore('mamba_use_mlp');

  const layers = config.layers(32);
  const dim = config.whole('hidden_size', 4096);
  const queryHeads = config.whole('num_attention_heads', 32);
  const headDim = config.whole('head_dim', Math.floor(dim / queryHeads));
  const rope = readRope(config, { theta: 10_000 });
  const expanded = config.whole('mamba_expand', 2) * dim;
  const inner = config.isNull('mamba_d_ssm') ? expanded : config.whole('mamba_d_ssm', 1024);
  const heads = config.whole('mamba_n_heads', 128);
  config.require('mamba_d_head', 'auto', inner / heads);
  const ssmIn = config.number('ssm_in_multiplier', 1);
  const normed = config.flag('mamba_rms_norm', false);
  const normFirst = config.flag('mamba_norm_before_gate', true);
  const groups = config.whole('mamba_n_groups', 1);
  const sizes = {
    inner,
    heads,
    groups,
    state: config.whole('mamba_d_state', 256),
    taps: config.whole('mamba_d_conv', 4),
    convBias: config.flag('mamba_conv_bias', true),
    biasedIn: config.flag('mamba_proj_bias', false),
    biasedOut: config.flag('projectors_bias', false),
    // Its input is multiplied, its bias is not.
    inBiasScale: 1 / ssmIn,
    normGroups: normed ? groups : 0,
  };
  const attentionIn = config.number('attention_in_multiplier', 1);
  const keyScale = config.number('key_multiplier', 1);
  const [gate, down] = config.numbers('mlp_multipliers', 2) ?? [1, 1];
  const ssmScales = config.numbers('ssm_multipliers', 5) ?? [1, 1, 1, 1, 1];
  mapping.set({
    block_count: layers,
    context_length: config.whole('max_position_embeddings', 8192),
    embedding_length: dim,
    feed_forward_length: config.whole('intermediate_size', 14_336),
    'attention.head_count': queryHeads,
    'attention.head_count_kv': config.whole('num_key_value_heads', 8),
    'attention.key_length': headDim,
    'attention.value_length': headDim,
    'attention.layer_norm_rms_epsilon': config.number('rms_norm_eps', 1e-5),
    'rope.freq_base': rope.theta,
    ...mamba2Keys(sizes),
    'ssm.time_step_limit': readTimeSteps(config),
    'ssm.norm_before_gate': normed ? normFirst : undefined,
    embedding_scale: config.number('embedding_multiplier', 1),
    logit_scale: config.number('lm_head_multiplier', 1),
    // Rotation is linear, so that what scales q and k may scale their products.
    'attention.scale': (attentionIn * attentionIn * keyScale) / Math.sqrt(headDim),
    'attention.output_scale': attentionIn * config.number('attention_out_multiplier', 1),
    'ssm.input_scales': ssmScales.map((scale) => scale * ssmIn),
    'ssm.output_scale': config.number('ssm_out_multiplier', 1),
    'feed_forward.gate_scale': gate,
    'feed_forward.output_scale': down,
  });
  const biased = config.flag('attention_bias', false);
  const mlpBiased = config.flag('mlp_bias', false);
  const tied = config.flag('tie_word_embeddings', false);
  mapEmbedding(mapping, { embedding: 'model.embed_tokens.weight', head: 'lm_head.weight', tied });
  mapping.vector('output_norm.weight', 'model.final_layernorm.weight');
  for (let i = 0; i < layers; i++) {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.vector('attn_norm.weight', 'input_layernorm.weight');
    // Without `.weight` in llama.cpp's files.
    layer.vector('ffn_norm', 'pre_ff_layernorm.weight');
    const [gate, up, down] = ['gate', 'up', 'down'].map((name) => `feed_forward.${name}_proj`);
    layer.swiGlu(gate as string, up as string, down as string, mlpBiased);
    // Its input is multiplied, biases are not.
    layer.attention('self_attn.', { biased, biasScale: 1 / attentionIn });
    mapMamba2(layer, 'mamba.', sizes);
  }
}
