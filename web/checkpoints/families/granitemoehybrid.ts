// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';
import {
  mamba2Keys,
  mapEmbedding,
  mapMamba2,
  readLayerTypes,
  readRope,
  readTimeSteps,
} from '../shared-parts.js';

/** Granite 4 H without experts: Mamba-2 and attention without positions, multipliers everywhere. */
export function mapGraniteHybrid(config: Config, mapping: Mapping): void {
  config.require('hidden_act', 'silu');
  config.require('num_local_experts', 0);
  config.require('normalization_function', 'rmsnorm');
  config.require('position_embedding_type', null, 'nope', 'rope');
  const rotated =
    config.has('position_embedding_type') && config.text('position_embedding_type') === 'rope';
  // Without experts and positions these say nothing.
  config.ignore('num_experts_per_tok', 'intermediate_size', 'router_aux_loss_coef');
  const rope = rotated ? readRope(config, { theta: 10_000 }) : undefined;
  config.ignore('rope_theta', 'rope_scaling', 'rope_parameters', 'partial_rotary_factor');
  config.ignore('vocab_size', 'init_method');
  config.ignore('mamba_chunk_size', 'logits_to_keep');

  const layers = config.layers(32);
  const names = {
    linear: ['mamba', 'linear_attention'],
    attention: ['attention', 'full_attention'],
  };
  const isMamba = readLayerTypes(config, layers, names) ?? Array(layers).fill(true);
  const dim = config.whole('hidden_size', 4096);
  const embedding = 'model.embed_tokens.weight';
  // An order of rows is as long as this says.
  if (mapping.shapeOf(embedding)[1] !== dim) {
    throw config.wrong('hidden_size', `is ${dim}, not that of ${embedding}`);
  }
  const queryHeads = config.whole('num_attention_heads', 32);
  const keyHeads = config.whole('num_key_value_heads', queryHeads);
  const inner = config.whole('mamba_expand', 2) * dim;
  const heads = config.whole('mamba_n_heads', 128);
  const headDim = inner / heads;
  config.require('mamba_d_head', 'auto', headDim);
  const biased = config.flag('attention_bias', false);
  const feedForward = config.whole('shared_intermediate_size', 1024);
  const sizes = {
    inner,
    heads,
    groups: config.whole('mamba_n_groups', 1),
    state: config.whole('mamba_d_state', 256),
    taps: config.whole('mamba_d_conv', 4),
    convBias: config.flag('mamba_conv_bias', true),
    biasedIn: config.flag('mamba_proj_bias', false),
    biasedOut: config.flag('mamba_proj_bias', false),
    // Whatever the groups of B and C: transformers normalises all channels together.
    normGroups: 1,
  };
  mapping.set({
    block_count: layers,
    context_length: config.whole('max_position_embeddings', 2048),
    embedding_length: dim,
    feed_forward_length: feedForward,
    'attention.head_count': queryHeads,
    'attention.head_count_kv': isMamba.map((mamba) => (mamba ? 0 : keyHeads)),
    'attention.layer_norm_rms_epsilon': config.number('rms_norm_eps', 1e-6),
    'attention.scale': config.number('attention_multiplier', 1),
    embedding_scale: config.number('embedding_multiplier', 1),
    residual_scale: config.number('residual_multiplier', 1),
    logit_scale: config.number('logits_scaling', 1),
    'rope.dimension_count': dim / queryHeads,
    'rope.freq_base': rope?.theta,
    'rope.scaling.finetuned': rotated,
    ...mamba2Keys(sizes),
    'ssm.time_step_limit': readTimeSteps(config),
  });
  const tied = config.flag('tie_word_embeddings', false);
  mapEmbedding(mapping, { embedding, head: 'lm_head.weight', tied });
  mapping.vector('output_norm.weight', 'model.norm.weight');
  isMamba.forEach((mamba, i) => {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.vector('attn_norm.weight', 'input_layernorm.weight');
    layer.vector('ffn_norm.weight', 'post_attention_layernorm.weight');
    layer.matrix('ffn_gate.weight', 'shared_mlp.input_linear.weight', [0, feedForward]);
    const rest = [feedForward, 2 * feedForward] as const;
    layer.matrix('ffn_up.weight', 'shared_mlp.input_linear.weight', rest);
    layer.matrix('ffn_down.weight', 'shared_mlp.output_linear.weight');
    if (mamba) mapMamba2(layer, 'mamba.', sizes);
    else mapAttention(layer, { biased, headDim: rotated ? dim / queryHeads : undefined });
  });
}

// GGUF's Granite turns neighbouring rows of a head together, a checkpoint rows half a head apart.
function mapAttention(
  layer: Layer,
  { biased, headDim }: { biased: boolean; headDim: number | undefined },
): void {
  if (headDim === undefined) {
    layer.attention('self_attn.', { biased });
    return;
  }
  const half = headDim / 2;
  const order = Array.from({ length: headDim }, (_, i) => (i % 2) * half + Math.floor(i / 2));
  for (const name of ['q', 'k']) {
    layer.reordered(`attn_${name}.weight`, `self_attn.${name}_proj.weight`, order);
    if (!biased) continue;
    const source = `self_attn.${name}_proj.bias`;
    const [, length] = layer.shapeOf(source);
    layer.compute(`attn_${name}.bias`, [length], [[source, length]], (bias) =>
      bias.map((_, i) => {
        const within = i % headDim;
        return bias[i - within + (order[within] as number)] as number;
      }),
    );
  }
  layer.linear('attn_v', 'self_attn.v_proj', biased);
  layer.linear('attn_output', 'self_attn.o_proj', biased);
}
