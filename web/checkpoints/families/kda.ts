// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapFla, readFla } from '../fla.js';
import { mapGatedDelta, readGatedDelta } from '../gated-delta.js';
import type { Mapping } from '../mapping.js';

/** flash-linear-attention's Kimi Delta Attention: Gated DeltaNet with a decay for each key channel. */
export function mapKda(config: Config, mapping: Mapping): void {
  const model = readFla(config, mapping);
  const sizes = readGatedDelta(config, mapping, { heads: 16, keyDim: 128, expandV: 1 });
  const bound = config.has('lower_bound') ? config.number('lower_bound') : undefined;
  config.ignore('lower_bound');
  // A promise about gates to a kernel.
  config.ignore('safe_gate');
  mapping.set({ 'attention.decay_lower_bound': bound });
  mapFla(config, mapping, model, (layer) => {
    mapGatedDelta(layer, sizes);
    layer.matrix('ssm_f_a.weight', 'attn.f_proj.0.weight');
    layer.matrix('ssm_f_b.weight', 'attn.f_proj.1.weight');
    layer.matrix('ssm_g_a.weight', 'attn.g_proj.0.weight');
    layer.matrix('ssm_g_b.weight', 'attn.g_proj.1.weight');
    layer.vector('ssm_g_b.bias', 'attn.g_proj.1.bias');
  });
}
