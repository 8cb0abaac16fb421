// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import { mapEmbedding, readLayerTypes, readRope } from '../shared-parts.js';

/** LFM2 and LFM2.5: gated short convolutions and attention with norms of queries and keys. */
export function mapLfm2(config: Config, mapping: Mapping): void {
  const biased = config.flag('conv_bias', false);
  config.require('block_use_swiglu', true);
  config.require('use_pos_enc', true);
  const layers = config.layers(32);
  const dim = config.whole('hidden_size', 2560);
  for (const name of ['block_dim', 'conv_dim', 'conv_dim_out']) config.require(name, dim);
  const heads = config.whole('num_attention_heads', 32);
  config.require('num_heads', heads);
  const keyHeads = config.whole('num_key_value_heads', 8);
  const names = { linear: ['conv'], attention: ['full_attention'] };
  const attention = config.numbers('full_attn_idxs');
  const isConv =
    readLayerTypes(config, layers, names) ??
    Array.from({ length: layers }, (_, i) => attention !== undefined && !attention.includes(i));
  const rope = readRope(config, { theta: config.number('theta', 1_000_000) });
  config.require('partial_rotary_factor', 1);
  // The feed-forward's width is that of its tensors, whatever it was made from.
  config.ignore('intermediate_size', 'block_ff_dim', 'block_auto_adjust_ff_dim');
  config.ignore('block_ffn_dim_multiplier', 'block_multiple_of', 'vocab_size');
  config.ignore('block_mlp_init_scale', 'block_out_init_scale', 'block_use_xavier_init');
  config.ignore('conv_use_xavier_init');
  const epsilon = config.number('norm_eps', 1e-5);
  config.require('block_norm_eps', epsilon);
  const [feedForward] = mapping.shapeOf('model.layers.0.feed_forward.w1.weight');
  mapping.set({
    block_count: layers,
    context_length: config.whole('max_position_embeddings', 128_000),
    embedding_length: dim,
    feed_forward_length: feedForward,
    'attention.head_count': heads,
    'attention.head_count_kv': isConv.map((conv) => (conv ? 0 : keyHeads)),
    'attention.layer_norm_rms_epsilon': epsilon,
    'rope.freq_base': rope.theta,
    'shortconv.l_cache': config.whole('conv_L_cache', 3),
  });
  const tied = config.flag('tie_word_embeddings', config.flag('tie_embedding', true));
  mapEmbedding(mapping, { embedding: 'model.embed_tokens.weight', head: 'lm_head.weight', tied });
  // The norm behind the last block, under the name that llama.cpp gives it.
  mapping.vector('token_embd_norm.weight', 'model.embedding_norm.weight');
  isConv.forEach((conv, i) => {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.vector('attn_norm.weight', 'operator_norm.weight');
    layer.vector('ffn_norm.weight', 'ffn_norm.weight');
    layer.swiGlu('feed_forward.w1', 'feed_forward.w3', 'feed_forward.w2');
    if (conv) {
      layer.linear('shortconv.in_proj', 'conv.in_proj', biased);
      layer.vector('shortconv.conv.weight', 'conv.conv.weight');
      if (biased) layer.vector('shortconv.conv.bias', 'conv.conv.bias');
      layer.linear('shortconv.out_proj', 'conv.out_proj', biased);
      return;
    }
    layer.attention('self_attn.', { output: 'out_proj' });
    layer.vector('attn_q_norm.weight', 'self_attn.q_layernorm.weight');
    layer.vector('attn_k_norm.weight', 'self_attn.k_layernorm.weight');
  });
}
