// SPDX-License-Identifier: MIT
// What Gated DeltaNet and Kimi Delta Attention have in common.

import type { Config } from './config.js';
import { mapConvolutions } from './fla.js';
import type { Layer } from './layer.js';
import type { Mapping } from './mapping.js';
import { negativeExp } from './shared-parts.js';

/** Sizes of a gated delta rule; without `taps` it has no convolutions. */
export interface GatedDelta {
  heads: number;
  valueHeads: number;
  keyDim: number;
  valueDim: number;
  taps: number | undefined;
}

/**
 * Reads a layer's sizes and sets the keys that say them.
 *
 * @param defaults of what a configuration may leave out
 */
export function readGatedDelta(
  config: Config,
  mapping: Mapping,
  defaults: { heads: number; keyDim: number; expandV: number },
): GatedDelta {
  const heads = config.whole('num_heads', defaults.heads);
  const valueHeads = config.has('num_v_heads') ? config.whole('num_v_heads') : heads;
  config.ignore('num_v_heads');
  const keyDim = config.whole('head_dim', defaults.keyDim);
  const valueDim = Math.trunc(keyDim * config.number('expand_v', defaults.expandV));
  const taps = config.flag('use_short_conv', true) ? config.whole('conv_size', 4) : undefined;
  config.ignore('conv_size');
  mapping.set({
    'attention.head_count': heads,
    'attention.value_head_count': valueHeads,
    'attention.key_length': keyDim,
    'attention.value_length': valueDim,
    'attention.beta_scale': config.flag('allow_neg_eigval', false) ? 2 : 1,
    'ssm.conv_kernel': taps,
  });
  return { heads, valueHeads, keyDim, valueDim, taps };
}

/** Maps a layer but for its gates of decay and output. */
export function mapGatedDelta(layer: Layer, sizes: GatedDelta): void {
  const { heads, valueHeads, keyDim, valueDim, taps } = sizes;
  layer.attention('attn.');
  layer.matrix('ssm_beta.weight', 'attn.b_proj.weight');
  layer.vector('ssm_a', 'attn.A_log', negativeExp);
  layer.vector('ssm_dt.bias', 'attn.dt_bias');
  layer.vector('ssm_norm.weight', 'attn.o_norm.weight');
  if (taps === undefined) return;
  mapConvolutions(layer, taps, [
    ['attn.q', heads * keyDim],
    ['attn.k', heads * keyDim],
    ['attn.v', valueHeads * valueDim],
  ]);
}
