// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapFla, readFla } from '../fla.js';
import { mapGatedDelta, readGatedDelta } from '../gated-delta.js';
import type { Mapping } from '../mapping.js';

/** flash-linear-attention's Gated DeltaNet; value head j reads key head j // (value heads / heads). */
export function mapGatedDeltaNet(config: Config, mapping: Mapping): void {
  const model = readFla(config, mapping);
  const sizes = readGatedDelta(config, mapping, { heads: 6, keyDim: 256, expandV: 2 });
  const gated = config.flag('use_gate', true);
  // Some have a skip connection that nothing reads.
  mapping.ignore(/\.attn\.D$/);
  mapFla(config, mapping, model, (layer) => {
    mapGatedDelta(layer, sizes);
    layer.matrix('ssm_alpha.weight', 'attn.a_proj.weight');
    if (gated) layer.matrix('attn_gate.weight', 'attn.g_proj.weight');
  });
}
