// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapConvolutions, mapFla, readFla } from '../fla.js';
import type { Mapping } from '../mapping.js';
import { negativeExp } from '../shared-parts.js';

/** flash-linear-attention's Gated DeltaNet; value head j reads key head j // (value heads / heads). */
export function mapGatedDeltaNet(config: Config, mapping: Mapping): void {
  const model = readFla(config, mapping);
  const heads = config.whole('num_heads', 6);
  const valueHeads = config.has('num_v_heads') ? config.whole('num_v_heads') : heads;
  config.ignore('num_v_heads');
  const keyDim = config.whole('head_dim', 256);
  const valueDim = Math.trunc(keyDim * config.number('expand_v', 2));
  const taps = config.flag('use_short_conv', true) ? config.whole('conv_size', 4) : undefined;
  config.ignore('conv_size');
  const gated = config.flag('use_gate', true);
  mapping.set({
    'attention.head_count': heads,
    'attention.value_head_count': valueHeads,
    'attention.key_length': keyDim,
    'attention.value_length': valueDim,
    'attention.beta_scale': config.flag('allow_neg_eigval', false) ? 2 : 1,
    'ssm.conv_kernel': taps,
  });
  // Some have a skip connection that nothing reads.
  mapping.ignore(/\.attn\.D$/);
  mapFla(config, mapping, model, (layer) => {
    layer.attention('attn.');
    layer.matrix('ssm_alpha.weight', 'attn.a_proj.weight');
    layer.matrix('ssm_beta.weight', 'attn.b_proj.weight');
    layer.vector('ssm_a', 'attn.A_log', negativeExp);
    layer.vector('ssm_dt.bias', 'attn.dt_bias');
    layer.vector('ssm_norm.weight', 'attn.o_norm.weight');
    if (gated) layer.matrix('attn_gate.weight', 'attn.g_proj.weight');
    if (taps === undefined) return;
    const channels = heads * keyDim;
    mapConvolutions(layer, taps, [
      ['attn.q', channels],
      ['attn.k', channels],
      ['attn.v', valueHeads * valueDim],
    ]);
  });
}
