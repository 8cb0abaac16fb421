// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapFlaEnds, readFla } from '../fla.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';

// Places of w, k, v, r, g, llama.cpp's order, in the checkpoint's r, w, k, v, g.
const ORDER = [1, 2, 3, 0, 4] as const;

/** RWKV-6 as flash-linear-attention names it, in the names and the order of llama.cpp's converter. */
export function mapRwkv6(config: Config, mapping: Mapping): void {
  const { dim, layers, epsilon } = readFla(config, mapping, 1e-5);
  config.require('hidden_act', 'sqrelu');
  config.require('attn', null);
  config.require('norm_first', true);
  config.ignore('norm_bias');
  const heads = config.whole('num_heads', 4);
  const keyDim = Math.trunc(dim * config.number('expand_k', 0.5)) / heads;
  const valueDim = Math.trunc(dim * config.number('expand_v', 1)) / heads;
  const mixRank = config.whole('proj_low_rank_dim', 32);
  const [feedForward] = mapping.shapeOf('model.layers.0.ffn.key.linear.weight');
  mapping.set({
    feed_forward_length: feedForward,
    'attention.head_count': heads,
    'attention.key_length': keyDim,
    'attention.value_length': valueDim,
    'attention.layer_norm_epsilon': epsilon,
    'attention.group_norm_epsilon': epsilon,
    'wkv.head_size': valueDim,
    token_shift_count: 2,
    time_mix_extra_dim: mixRank,
    time_decay_extra_dim: config.whole('gate_low_rank_dim', 64),
  });
  mapFlaEnds(config, mapping);
  const ends = new Layer(mapping, undefined, 'model.');
  ends.layerNorm('token_embd_norm', 'layers.0.pre_norm', dim);
  ends.layerNorm('output_norm', 'norm', dim);
  for (let i = 0; i < layers; i++) {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.layerNorm('attn_norm', 'attn_norm', dim);
    layer.layerNorm('attn_norm_2', 'ffn_norm', dim);
    layer.layerNorm('time_mix_ln', 'attn.g_norm', heads * valueDim);
    mapTimeMix(layer, dim, mixRank, [heads, keyDim]);
    for (const [name, letter] of [
      ['key', 'k'],
      ['receptance', 'r'],
    ]) {
      layer.vector(`channel_mix_lerp_${letter}.weight`, `ffn.${name}.mu`);
      layer.matrix(`channel_mix_${name}.weight`, `ffn.${name}.linear.weight`);
    }
    layer.matrix('channel_mix_value.weight', 'ffn.value.weight');
  }
}

function mapTimeMix(
  layer: Layer,
  dim: number,
  rank: number,
  [heads, keyDim]: [number, number],
): void {
  const names = { receptance: 'r', key: 'k', value: 'v', gate: 'g' };
  for (const [name, letter] of Object.entries(names)) {
    layer.matrix(`time_mix_${name}.weight`, `attn.${letter}_proj.linear.weight`);
  }
  layer.matrix('time_mix_output.weight', 'attn.o_proj.weight');
  layer.matrix('time_mix_decay_w1.weight', 'attn.w_proj.linear.lora.0.weight');
  layer.matrix('time_mix_decay_w2.weight', 'attn.w_proj.linear.lora.2.weight');
  layer.vector('time_mix_decay.weight', 'attn.w_proj.linear.lora.2.bias');
  layer.vector('time_mix_lerp_x.weight', 'attn.x_proj.0.mu');
  const bonus = [['attn.bonus', heads * keyDim]] as const;
  layer.compute('time_mix_first.weight', [heads, keyDim], bonus, (values) => values);
  const reordered = (each: number) => (values: Float32Array) => {
    const all = new Float32Array(values.length);
    ORDER.forEach((from, to) => {
      all.set(values.subarray(from * each, (from + 1) * each), to * each);
    });
    return all;
  };
  const bias = [['attn.x_bias', 5 * dim]] as const;
  layer.compute('time_mix_lerp_fused.weight', [5, dim], bias, reordered(dim));
  const down = [['attn.x_proj.0.linear.weight', 5 * rank * dim]] as const;
  layer.compute('time_mix_w1.weight', [5 * rank, dim], down, reordered(rank * dim));
  // From [dim, 5, rank] to [5, dim, rank].
  const up = [['attn.x_proj.2.weight', 5 * rank * dim]] as const;
  layer.compute('time_mix_w2.weight', [5 * dim, rank], up, (values) => {
    const all = new Float32Array(values.length);
    ORDER.forEach((from, to) => {
      for (let channel = 0; channel < dim; channel++) {
        const start = (channel * 5 + from) * rank;
        all.set(values.subarray(start, start + rank), (to * dim + channel) * rank);
      }
    });
    return all;
  });
}
