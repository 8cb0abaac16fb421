// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { joined, mapFlaEnds, readFla } from '../fla.js';
import { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';

const LERPS = ['r', 'w', 'k', 'v', 'a', 'g'] as const;

/** RWKV-7 as flash-linear-attention names it, in the names and the order of llama.cpp's converter. */
export function mapRwkv7(config: Config, mapping: Mapping): void {
  const { dim, layers, epsilon } = readFla(config, mapping, 1e-5);
  config.require('hidden_act', 'sqrelu');
  config.require('attn', null);
  config.require('norm_first', true);
  config.ignore('norm_bias');
  const given = config.has('num_heads') ? config.whole('num_heads') : undefined;
  const headDim = config.has('head_dim') ? config.whole('head_dim') : dim / (given ?? dim / 64);
  config.ignore('num_heads', 'head_dim');
  if (given !== undefined && given * headDim !== dim) {
    throw config.wrong('num_heads', `is ${given}, but heads of ${headDim} are ${dim / headDim}`);
  }
  if (config.perLayer('value_dim', layers)?.some((values) => values !== dim)) {
    throw config.wrong('value_dim', `differs from hidden_size (${dim})`);
  }
  config.ignore('decay_low_rank_dim', 'gate_low_rank_dim', 'a_low_rank_dim', 'v_low_rank_dim');
  const [feedForward] = mapping.shapeOf('model.layers.0.ffn.key.weight');
  const rank = (name: string, index = 0) =>
    mapping.shapeOf(`model.layers.${index}.attn.${name}_lora.lora.0.weight`)[0];
  mapping.set({
    feed_forward_length: feedForward,
    'attention.head_count': 0,
    'attention.layer_norm_epsilon': epsilon,
    'attention.group_norm_epsilon': headDim * epsilon,
    'wkv.head_size': headDim,
    token_shift_count: 2,
    'attention.decay_lora_rank': rank('w'),
    'attention.iclr_lora_rank': rank('a'),
    'attention.gate_lora_rank': rank('g'),
    'attention.value_residual_mix_lora_rank': layers > 1 ? rank('v', 1) : rank('a'),
  });
  mapFlaEnds(config, mapping);
  const ends = new Layer(mapping, undefined, 'model.');
  ends.layerNorm('token_embd_norm', 'layers.0.pre_norm', dim);
  ends.layerNorm('output_norm', 'norm', dim);
  // The first layer makes the values that the others mix with.
  mapping.ignore(/^model\.layers\.0\.attn\.v_lora\./);
  for (let i = 0; i < layers; i++) {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.layerNorm('attn_norm', 'attn_norm', dim);
    layer.layerNorm('attn_norm_2', 'ffn_norm', dim);
    layer.layerNorm('time_mix_ln', 'attn.g_norm', dim);
    mapTimeMix(layer, dim, i);
    layer.vector('channel_mix_lerp_k.weight', 'ffn.x_k');
    layer.matrix('channel_mix_key.weight', 'ffn.key.weight');
    layer.matrix('channel_mix_value.weight', 'ffn.value.weight');
  }
}

function mapTimeMix(layer: Layer, dim: number, index: number): void {
  const names = { receptance: 'r', key: 'k', value: 'v', output: 'o' };
  for (const [name, letter] of Object.entries(names)) {
    layer.matrix(`time_mix_${name}.weight`, `attn.${letter}_proj.weight`);
  }
  if (layer.has('attn.x_x')) {
    const count = LERPS.length * dim;
    layer.compute('time_mix_lerp_fused.weight', [6, dim], [['attn.x_x', count]], (all) => all);
  } else {
    const sources = LERPS.map((letter) => [`attn.x_${letter}`, dim] as const);
    layer.compute('time_mix_lerp_fused.weight', [6, dim], sources, joined);
  }
  for (const letter of ['w', 'a', 'g', 'v']) {
    if (letter === 'v' && index === 0) continue;
    layer.matrix(`time_mix_${letter}1.weight`, `attn.${letter}_lora.lora.0.weight`);
    layer.matrix(`time_mix_${letter}2.weight`, `attn.${letter}_lora.lora.2.weight`);
    if (letter === 'g') continue;
    layer.vector(`time_mix_${letter}0.weight`, `attn.${letter}_lora.lora.2.bias`);
  }
  for (const name of ['k_k', 'k_a']) layer.vector(`time_mix_${name}.weight`, `attn.${name}`);
  layer.compute('time_mix_r_k.weight', [dim], [['attn.r_k', dim]], (values) => values);
}
