// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mapEmbedding, negativeExp, plusOne, readLayerTypes, readRope } from '../shared-parts.js';

/**
 * Qwen3.5: the text part, from checkpoints with vision too. Value head j reads key head
 * j // (value heads / key heads) here and j % key heads in GGUF, which metadata say. All norms but
 * that of the delta rule's output are stored less 1. The block for predicting several tokens is left out.
 */
export function mapQwen35(whole: Config, mapping: Mapping): void {
  const composite = whole.has('text_config');
  const config = composite ? whole.part('text_config') : whole;
  if (composite) {
    whole.ignore('vision_config', 'image_token_id', 'video_token_id');
    whole.ignore('vision_start_token_id', 'vision_end_token_id');
  }
  const ownTie = config.flag('tie_word_embeddings', false);
  const tied = composite ? whole.flag('tie_word_embeddings', ownTie) : ownTie;
  config.require('hidden_act', 'silu');
  const biased = config.flag('attention_bias', false);
  config.require('attn_output_gate', true);
  config.require('mlp_only_layers', []);
  config.ignore('mamba_ssm_dtype', 'mtp_num_hidden_layers', 'mtp_use_dedicated_embeddings');
  config.ignore('vocab_size');

  const layers = config.layers();
  const interval = config.whole('full_attention_interval', 4);
  const kinds = { linear: ['linear_attention'], attention: ['full_attention'] };
  const linear =
    readLayerTypes(config, layers, kinds) ??
    Array.from({ length: layers }, (_, i) => (i + 1) % interval !== 0);
  const valueHeads = config.whole('linear_num_value_heads', 32);
  const headDim = config.whole('head_dim', 256);
  const rope = readRope(config, { theta: 10_000, partial: 0.25 });
  // Positions of text are the same in all sections.
  if (config.has('rope_parameters')) {
    config.part('rope_parameters').ignore('mrope_section', 'mrope_interleaved');
  }
  mapping.set({
    block_count: layers,
    context_length: config.whole('max_position_embeddings', 32_768),
    embedding_length: config.whole('hidden_size'),
    feed_forward_length: config.whole('intermediate_size'),
    'attention.head_count': config.whole('num_attention_heads'),
    'attention.head_count_kv': config.whole('num_key_value_heads'),
    'attention.key_length': headDim,
    'attention.value_length': headDim,
    'attention.layer_norm_rms_epsilon': config.number('rms_norm_eps', 1e-6),
    'rope.freq_base': rope.theta,
    'rope.dimension_count': Math.floor(headDim * rope.partial),
    'ssm.conv_kernel': config.whole('linear_conv_kernel_dim', 4),
    'ssm.state_size': config.whole('linear_key_head_dim', 128),
    'ssm.group_count': config.whole('linear_num_key_heads', 16),
    'ssm.time_step_rank': valueHeads,
    'ssm.inner_size': valueHeads * config.whole('linear_value_head_dim', 128),
    'ssm.v_head_reordered': false,
  });

  const prefixes = ['model.language_model.', 'language_model.model.', 'model.'];
  const prefix = prefixes.find((one) => mapping.has(`${one}embed_tokens.weight`)) ?? 'model.';
  mapping.ignore(/^mtp\./, /^(model\.)?visual\./);
  const head = mapping.has('language_model.lm_head.weight')
    ? 'language_model.lm_head.weight'
    : 'lm_head.weight';
  mapEmbedding(mapping, { embedding: `${prefix}embed_tokens.weight`, head, tied });
  mapping.vector('output_norm.weight', `${prefix}norm.weight`, plusOne);
  linear.forEach((isLinear, i) => {
    const layer = new Layer(mapping, i, `${prefix}layers.`);
    layer.vector('attn_norm.weight', 'input_layernorm.weight', plusOne);
    layer.vector('post_attention_norm.weight', 'post_attention_layernorm.weight', plusOne);
    layer.swiGlu('mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj');
    if (isLinear) mapGatedDelta(layer);
    else mapAttention(layer, biased);
  });
}

function mapGatedDelta(layer: Layer): void {
  layer.matrix('attn_qkv.weight', 'linear_attn.in_proj_qkv.weight');
  layer.matrix('attn_gate.weight', 'linear_attn.in_proj_z.weight');
  layer.matrix('ssm_beta.weight', 'linear_attn.in_proj_b.weight');
  layer.matrix('ssm_alpha.weight', 'linear_attn.in_proj_a.weight');
  layer.matrix('ssm_out.weight', 'linear_attn.out_proj.weight');
  layer.vector('ssm_conv1d.weight', 'linear_attn.conv1d.weight');
  layer.vector('ssm_a', 'linear_attn.A_log', negativeExp);
  layer.vector('ssm_dt.bias', 'linear_attn.dt_bias');
  layer.vector('ssm_norm.weight', 'linear_attn.norm.weight');
}

function mapAttention(layer: Layer, biased: boolean): void {
  // Rows of a head's query and of its gate take turns, as in GGUF.
  layer.attention('self_attn.', { biased });
  layer.vector('attn_q_norm.weight', 'self_attn.q_norm.weight', plusOne);
  layer.vector('attn_k_norm.weight', 'self_attn.k_norm.weight', plusOne);
}
