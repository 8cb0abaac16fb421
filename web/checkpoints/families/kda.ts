// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapConvolutions, mapFla, readFla } from '../fla.js';
import type { Mapping } from '../mapping.js';
import { negativeExp } from '../shared-parts.js';

/** flash-linear-attention's Kimi Delta Attention: Gated DeltaNet with a decay for each key channel. */
export function mapKda(config: Config, mapping: Mapping): void {
  const model = readFla(config, mapping);
  const heads = config.whole('num_heads', 16);
  const valueHeads = config.has('num_v_heads') ? config.whole('num_v_heads') : heads;
  config.ignore('num_v_heads');
  const keyDim = config.whole('head_dim', 128);
  const valueDim = Math.trunc(keyDim * config.number('expand_v', 1));
  const bound = config.has('lower_bound') ? config.number('lower_bound') : undefined;
  config.ignore('lower_bound');
  // A promise about gates to a kernel.
  config.ignore('safe_gate');
  const taps = config.flag('use_short_conv', true) ? config.whole('conv_size', 4) : undefined;
  config.ignore('conv_size');
  mapping.set({
    'attention.head_count': heads,
    'attention.value_head_count': valueHeads,
    'attention.key_length': keyDim,
    'attention.value_length': valueDim,
    'attention.beta_scale': config.flag('allow_neg_eigval', false) ? 2 : 1,
    'attention.decay_lower_bound': bound,
    'ssm.conv_kernel': taps,
  });
  mapFla(config, mapping, model, (layer) => {
    layer.attention('attn.');
    layer.matrix('ssm_beta.weight', 'attn.b_proj.weight');
    layer.matrix('ssm_f_a.weight', 'attn.f_proj.0.weight');
    layer.matrix('ssm_f_b.weight', 'attn.f_proj.1.weight');
    layer.matrix('ssm_g_a.weight', 'attn.g_proj.0.weight');
    layer.matrix('ssm_g_b.weight', 'attn.g_proj.1.weight');
    layer.vector('ssm_g_b.bias', 'attn.g_proj.1.bias');
    layer.vector('ssm_a', 'attn.A_log', negativeExp);
    layer.vector('ssm_dt.bias', 'attn.dt_bias');
    layer.vector('ssm_norm.weight', 'attn.o_norm.weight');
    if (taps === undefined) return;
    mapConvolutions(layer, taps, [
      ['attn.q', heads * keyDim],
      ['attn.k', heads * keyDim],
      ['attn.v', valueHeads * valueDim],
    ]);
  });
}
