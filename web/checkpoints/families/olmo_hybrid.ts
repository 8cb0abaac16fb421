// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { joined } from '../fla.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mapEmbedding, negativeExp, readLayerTypes, readRope } from '../shared-parts.js';

/**
 * OLMo Hybrid: gated delta layers behind their norms, attention layers in front of theirs. Value head
 * j reads key head j // (value heads / key heads).
 */
export function mapOlmoHybrid(config: Config, mapping: Mapping): void {
  config.require('hidden_act', 'silu');
  const biased = config.flag('attention_bias', false);
  config.ignore('vocab_size', 'linear_a_log_min', 'linear_a_log_max');
  config.ignore('linear_dt_min', 'linear_dt_max', 'linear_dt_init_floor');
  config.require('linear_use_gate', true);
  const layers = config.layers(32);
  const names = { linear: ['linear_attention'], attention: ['full_attention'] };
  const isLinear =
    readLayerTypes(config, layers, names) ?? Array.from({ length: layers }, (_, i) => i % 4 !== 3);
  const dim = config.whole('hidden_size', 3840);
  const heads = config.whole('num_attention_heads', 30);
  const sizes = readSizes(config, dim, heads);
  const keyValueHeads = config.has('num_key_value_heads')
    ? config.whole('num_key_value_heads')
    : heads;
  config.ignore('num_key_value_heads');
  // Without parameters there are no positions.
  const rotated = config.has('rope_parameters') || config.has('rope_theta');
  const rope = rotated ? readRope(config, { theta: 10_000 }) : undefined;
  config.ignore('rope_parameters', 'rope_theta');
  config.require('rope_scaling', null);
  mapping.set({
    block_count: layers,
    context_length: config.whole('max_position_embeddings', 65_536),
    embedding_length: dim,
    feed_forward_length: config.whole('intermediate_size', 11_008),
    'attention.head_count': heads,
    'attention.head_count_kv': isLinear.map((linear) => (linear ? 0 : keyValueHeads)),
    'attention.key_length': dim / heads,
    'attention.value_length': dim / heads,
    'attention.layer_norm_rms_epsilon': config.number('rms_norm_eps', 1e-6),
    'attention.beta_scale': config.flag('linear_allow_neg_eigval', true) ? 2 : 1,
    'rope.freq_base': rope?.theta,
    'ssm.group_count': sizes.keyHeads,
    'ssm.time_step_rank': sizes.valueHeads,
    'ssm.state_size': sizes.keyDim,
    'ssm.inner_size': sizes.valueHeads * sizes.valueDim,
    'ssm.conv_kernel': sizes.taps,
    // The implementation's own, whatever the model's is.
    'ssm.norm_rms_epsilon': 1e-5,
  });
  const tied = config.flag('tie_word_embeddings', false);
  mapEmbedding(mapping, { embedding: 'model.embed_tokens.weight', head: 'lm_head.weight', tied });
  mapping.vector('output_norm.weight', 'model.norm.weight');
  isLinear.forEach((linear, i) => {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.swiGlu('mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj');
    if (linear) {
      mapLinear(layer, sizes);
      return;
    }
    layer.attention('self_attn.', { biased });
    layer.vector('attn_q_norm.weight', 'self_attn.q_norm.weight');
    layer.vector('attn_k_norm.weight', 'self_attn.k_norm.weight');
    const [mixing, channels] = normsOf(layer, 'attention');
    layer.vector('post_attention_norm.weight', mixing);
    layer.vector('post_ffw_norm.weight', channels);
  });
}

interface Sizes {
  keyHeads: number;
  valueHeads: number;
  keyDim: number;
  valueDim: number;
  taps: number;
}

function readSizes(config: Config, dim: number, heads: number): Sizes {
  const whole = (name: string, otherwise: number) => {
    const value = config.has(name) ? config.whole(name) : otherwise;
    config.ignore(name);
    return value;
  };
  const keyHeads = whole('linear_num_key_heads', heads);
  const keyDim = whole('linear_key_head_dim', Math.floor((0.75 * dim) / keyHeads));
  return {
    keyHeads,
    valueHeads: whole('linear_num_value_heads', heads),
    keyDim,
    valueDim: whole('linear_value_head_dim', 2 * keyDim),
    taps: config.whole('linear_conv_kernel_dim', 4),
  };
}

function mapLinear(layer: Layer, sizes: Sizes): void {
  const part = 'linear_attn.';
  const [mixing, channels] = normsOf(layer, 'linear');
  layer.vector('attn_norm.weight', mixing);
  layer.vector('ffn_norm.weight', channels);
  layer.attention(`${part}`);
  layer.matrix('attn_gate.weight', `${part}g_proj.weight`);
  layer.matrix('ssm_alpha.weight', `${part}a_proj.weight`);
  layer.matrix('ssm_beta.weight', `${part}b_proj.weight`);
  layer.vector('ssm_a', `${part}A_log`, negativeExp);
  layer.vector('ssm_dt.bias', `${part}dt_bias`);
  layer.vector('ssm_norm.weight', `${part}o_norm.weight`);
  const { keyHeads, keyDim, valueHeads, valueDim, taps } = sizes;
  const all = 2 * keyHeads * keyDim + valueHeads * valueDim;
  // Channels of q, k and v in this order; where files cut them in three does not matter.
  const kept = ['q_conv1d', 'k_conv1d', 'v_conv1d'].filter((name) =>
    layer.has(`${part}${name}.weight`),
  );
  const sources = (kept.length > 0 ? kept : ['conv1d']).map((name) => {
    const name_ = `${part}${name}.weight`;
    const [rows] = layer.shapeOf(name_);
    return [name_, (kept.length > 0 ? rows : all) * taps] as const;
  });
  layer.compute('ssm_conv1d.weight', [all, taps], sources, joined);
}

/** Norms of the mixer and of the feed-forward; what a release called them. */
function normsOf(layer: Layer, kind: 'linear' | 'attention'): [string, string] {
  const names =
    kind === 'linear'
      ? [
          ['attention_layer_norm', 'input_layernorm'],
          ['feedforward_layer_norm', 'post_attention_layernorm'],
        ]
      : [['post_attention_layernorm', 'feedforward_layer_norm'], ['post_feedforward_layernorm']];
  return names.map((several) => {
    const found = several.find((name) => layer.has(`${name}.weight`)) ?? several.at(-1);
    return `${found}.weight`;
  }) as [string, string];
}
