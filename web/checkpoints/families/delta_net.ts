// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapConvolutions, mapFla, readFla } from '../fla.js';
import type { Mapping } from '../mapping.js';

/** flash-linear-attention's DeltaNet: Gated DeltaNet without decay. */
export function mapDeltaNet(config: Config, mapping: Mapping): void {
  const model = readFla(config, mapping);
  const heads = config.whole('num_heads', 16);
  const keyDim = Math.trunc(model.dim * config.number('expand_k', 1)) / heads;
  const valueDim = Math.trunc(model.dim * config.number('expand_v', 1)) / heads;
  // No layer reads it.
  config.ignore('use_output_norm');
  const taps = config.flag('use_short_conv', true) ? config.whole('conv_size', 4) : undefined;
  config.ignore('conv_size');
  const gated = config.flag('use_gate', false);
  const weighted = config.flag('use_beta', true);
  mapping.set({
    'attention.head_count': heads,
    'attention.key_length': keyDim,
    'attention.value_length': valueDim,
    'attention.beta_scale': config.flag('allow_neg_eigval', false) ? 2 : 1,
    'attention.qk_activation': config.choice('qk_activation', ['silu', 'relu', 'elu', 'identity']),
    'attention.qk_norm': config.choice('qk_norm', ['l2', 'sum']),
    'ssm.conv_kernel': taps,
  });
  mapFla(config, mapping, model, (layer) => {
    layer.attention('attn.');
    if (weighted) layer.matrix('ssm_beta.weight', 'attn.b_proj.weight');
    layer.vector('ssm_norm.weight', 'attn.o_norm.weight');
    if (gated) layer.matrix('attn_gate.weight', 'attn.g_proj.weight');
    if (taps === undefined) return;
    mapConvolutions(layer, taps, [
      ['attn.q', heads * keyDim],
      ['attn.k', heads * keyDim],
      ['attn.v', heads * valueDim],
    ]);
  });
}
