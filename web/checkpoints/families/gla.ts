// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapConvolutions, mapFla, mapNorm, readFla } from '../fla.js';
import type { Layer } from '../layer.js';
import type { Mapping } from '../mapping.js';

/** flash-linear-attention's GLA: a decay for each key channel. */
export function mapGla(config: Config, mapping: Mapping): void {
  config.require('use_gk', true);
  config.require('use_gv', false);
  const floor = config.has('clamp_min') ? config.number('clamp_min') : undefined;
  config.ignore('clamp_min');
  // No configuration says the divisor; the layer's default.
  mapping.set({ 'attention.decay_divisor': 16, 'attention.decay_floor': floor });
  mapRetention(config, mapping, { heads: 4, expandKey: 0.5, expandValue: 1 }, (layer) => {
    layer.matrix('ssm_f_a.weight', 'attn.gk_proj.0.weight');
    layer.matrix('ssm_f_b.weight', 'attn.gk_proj.1.weight');
    layer.vector('ssm_f_b.bias', 'attn.gk_proj.1.bias');
  });
}

/** flash-linear-attention's RetNet: a constant decay for each head, and positions. */
export function mapRetNet(config: Config, mapping: Mapping): void {
  mapping.set({ 'rope.freq_base': 10_000 });
  mapping.ignore(/\.rotary\.inv_freq$/);
  mapRetention(config, mapping, { heads: 8, expandKey: 1, expandValue: 2 }, () => {});
}

function mapRetention(
  config: Config,
  mapping: Mapping,
  usual: { heads: number; expandKey: number; expandValue: number },
  decay: (layer: Layer) => void,
): void {
  const model = readFla(config, mapping);
  const heads = config.whole('num_heads', usual.heads);
  const keyHeads = config.has('num_kv_heads') ? config.whole('num_kv_heads') : heads;
  config.ignore('num_kv_heads');
  const keyDim = Math.trunc(model.dim * config.number('expand_k', usual.expandKey)) / heads;
  const valueDim = Math.trunc(model.dim * config.number('expand_v', usual.expandValue)) / heads;
  const map = config.has('feature_map')
    ? config.choice('feature_map', ['relu', 'silu', 'swish'])
    : undefined;
  config.ignore('feature_map', 'elementwise_affine');
  // RetNet's model does not pass this on to its layers.
  const convolved =
    config.flag('use_short_conv', false) && mapping.has('model.layers.0.attn.q_conv1d.weight');
  const taps = convolved ? config.whole('conv_size', 4) : undefined;
  config.ignore('conv_size');
  const gated = config.flag('use_output_gate', true);
  mapping.set({
    'attention.head_count': heads,
    'attention.head_count_kv': keyHeads,
    'attention.key_length': keyDim,
    'attention.value_length': valueDim,
    'attention.feature_map': map === 'swish' ? 'silu' : map,
    'ssm.conv_kernel': taps,
  });
  mapFla(config, mapping, model, (layer) => {
    layer.attention('attn.');
    // Named by the kernel that computes norm and gate at once.
    const fused = 'attn.g_norm_swish_gate.weight';
    mapNorm(layer, layer.has(fused) ? fused : 'attn.g_norm.weight', valueDim, model);
    if (gated) layer.matrix('attn_gate.weight', 'attn.g_proj.weight');
    decay(layer);
    if (taps === undefined) return;
    mapConvolutions(layer, taps, [
      ['attn.q', heads * keyDim],
      ['attn.k', keyHeads * keyDim],
      ['attn.v', keyHeads * valueDim],
    ]);
  });
}
