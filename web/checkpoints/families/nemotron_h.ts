// SPDX-License-Identifier: MIT

import { shown } from '../../errors.js';
import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mamba2Keys, mapEmbedding, mapMamba2, readTimeSteps } from '../shared-parts.js';

type Kind = 'mamba' | 'attention' | 'mlp';

const KINDS: Readonly<Record<string, Kind>> = {
  mamba: 'mamba',
  linear_attention: 'mamba',
  M: 'mamba',
  attention: 'attention',
  full_attention: 'attention',
  '*': 'attention',
  mlp: 'mlp',
  '-': 'mlp',
};

/** Nemotron-H without experts: blocks of one part each, attention without positions, relu squared. */
export function mapNemotronH(config: Config, mapping: Mapping): void {
  config.require('mamba_hidden_act', 'silu');
  config.require('mlp_hidden_act', 'relu2');
  config.require('sliding_window', null);
  config.require('num_nextn_predict_layers', 0);
  // No part reads these, whatever they say.
  config.ignore(
    'attention_bias',
    'mamba_proj_bias',
    'rope_scaling',
    'rope_theta',
    'rope_parameters',
  );
  for (const name of ['moe_intermediate_size', 'moe_latent_size', 'n_group', 'topk_group']) {
    config.ignore(name);
  }
  config.ignore('moe_shared_expert_intermediate_size', 'moe_shared_expert_overlap');
  config.ignore('mtp_layers_block_type', 'n_routed_experts', 'n_shared_experts', 'norm_topk_prob');
  config.ignore('num_experts_per_tok', 'routed_scaling_factor', 'chunk_size', 'use_mamba_kernels');
  config.ignore('mamba_ssm_cache_dtype', 'rescale_prenorm_residual', 'residual_in_fp32');
  config.ignore('vocab_size', 'expand', 'mamba_d_conv', 'attention_head_dim');
  const kinds = readKinds(config);
  const dim = config.whole('hidden_size', 4096);
  const queryHeads = config.whole('num_attention_heads', 32);
  const keyHeads = config.whole('num_key_value_heads', 8);
  const headDim = config.whole('head_dim', 128);
  const feedForward = config.whole('intermediate_size', 21_504);
  const heads = config.whole('mamba_num_heads', 128);
  const groups = config.whole('n_groups', 8);
  const biased = config.flag('use_bias', false);
  const mlpBiased = config.flag('mlp_bias', false);
  const sizes = {
    inner: heads * config.whole('mamba_head_dim', 64),
    heads,
    groups,
    state: config.whole('ssm_state_size', 128),
    taps: config.whole('conv_kernel', 4),
    convBias: config.flag('use_conv_bias', true),
    biasedIn: biased,
    biasedOut: biased,
    normGroups: groups,
  };
  // Time steps have a floor under the name of how they are drawn, and no ceiling.
  const least = config.number('time_step_min', 0.001);
  readTimeSteps(config);
  mapping.set({
    block_count: kinds.length,
    context_length: config.whole('max_position_embeddings', 4096),
    embedding_length: dim,
    feed_forward_length: kinds.map((kind) => (kind === 'mlp' ? feedForward : 0)),
    'attention.head_count': queryHeads,
    'attention.head_count_kv': kinds.map((kind) => (kind === 'attention' ? keyHeads : 0)),
    'attention.key_length': headDim,
    'attention.value_length': headDim,
    // Of RMS norms, whatever the key says; llama.cpp writes this one.
    'attention.layer_norm_epsilon': config.number('layer_norm_epsilon', 1e-5),
    ...mamba2Keys(sizes),
    'rope.dimension_count': headDim,
    'rope.scaling.finetuned': false,
    'ssm.time_step_limit': [least, Number.POSITIVE_INFINITY],
  });
  const prefix = mapping.has('model.embeddings.weight') ? 'model.' : 'backbone.';
  // The implementation ties nothing: a head that is there counts, whatever the configuration says.
  const tied = config.flag('tie_word_embeddings', false) && !mapping.has('lm_head.weight');
  mapEmbedding(mapping, { embedding: `${prefix}embeddings.weight`, head: 'lm_head.weight', tied });
  mapping.vector('output_norm.weight', `${prefix}norm_f.weight`);
  kinds.forEach((kind, i) => {
    const layer = new Layer(mapping, i, `${prefix}layers.`);
    layer.vector('attn_norm.weight', 'norm.weight');
    if (kind === 'mamba') mapMamba2(layer, 'mixer.', sizes);
    if (kind === 'attention') layer.attention('mixer.');
    if (kind !== 'mlp') return;
    layer.linear('ffn_up', 'mixer.up_proj', mlpBiased);
    layer.linear('ffn_down', 'mixer.down_proj', mlpBiased);
  });
}

function readKinds(config: Config): Kind[] {
  const field = config.has('layers_block_type') ? 'layers_block_type' : 'hybrid_override_pattern';
  const names =
    field === 'layers_block_type' ? (config.list(field) ?? []) : [...config.text(field)];
  config.ignore('layers_block_type', 'hybrid_override_pattern');
  if (config.layers(names.length) !== names.length) {
    throw config.wrong('num_hidden_layers', `is not ${names.length}, as '${field}' has them`);
  }
  return names.map((name) => {
    const kind = Object.hasOwn(KINDS, String(name)) ? KINDS[String(name)] : undefined;
    if (kind) return kind;
    throw config.wrong(field, `has a layer ${shown(name)}, which is not supported`);
  });
}
