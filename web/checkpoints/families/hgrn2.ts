// SPDX-License-Identifier: MIT

import type { Config } from '../config.js';
import { mapConvolutions, mapFla, mapNorm, readFla } from '../fla.js';
import type { Mapping } from '../mapping.js';

/** flash-linear-attention's HGRN2: GLA whose keys are what the gates do not forget. */
export function mapHgrn2(config: Config, mapping: Mapping): void {
  const model = readFla(config, mapping);
  const { dim, layers } = model;
  // The layer derives its heads from expand_ratio where both are given.
  const given = config.has('num_heads') ? config.whole('num_heads') : undefined;
  config.ignore('num_heads');
  const keyDim = config.has('expand_ratio')
    ? config.whole('expand_ratio')
    : dim / (given ?? dim / 128);
  config.ignore('expand_ratio');
  const heads = Math.floor(dim / keyDim);
  config.ignore('elementwise_affine');
  const taps = config.flag('use_short_conv', false) ? config.whole('conv_size', 4) : undefined;
  config.ignore('conv_size');
  const bounded = config.flag('use_lower_bound', true);
  mapping.set({
    // The fused norm and projection have an epsilon of their own.
    'ssm.norm_rms_epsilon': 1e-5,
    'attention.head_count': heads,
    'attention.key_length': keyDim,
    'attention.value_length': dim / heads,
    'ssm.conv_kernel': taps,
  });
  if (!bounded) mapping.ignore(/^model\.lower_bounds$/);
  mapFla(config, mapping, model, (layer, index) => {
    layer.matrix('attn_q.weight', 'attn.q_proj.weight');
    layer.matrix('ssm_f.weight', 'attn.f_proj.weight');
    layer.matrix('attn_v.weight', 'attn.i_proj.weight');
    layer.matrix('attn_output.weight', 'attn.o_proj.weight');
    mapNorm(layer, 'attn.g_norm.weight', dim, model);
    if (bounded) {
      const bound = (all: Float32Array) => lowerBound(all, layers, index);
      const target = `blk.${index}.ssm_lower_bound`;
      mapping.compute(target, [dim], [['model.lower_bounds', layers * dim]], bound);
    }
    if (taps === undefined) return;
    mapConvolutions(layer, taps, [
      ['attn.q', heads * keyDim],
      ['attn.f', heads * keyDim],
      ['attn.i', dim],
    ]);
  });
}

/** What a layer never forgets more than: the shares of the layers before it but the first's. */
function lowerBound(bounds: Float32Array, layers: number, index: number): Float32Array {
  const dim = bounds.length / layers;
  return Float32Array.from({ length: dim }, (_, i) => {
    const column = Array.from({ length: layers }, (_, layer) => bounds[layer * dim + i] as number);
    const highest = Math.max(...column);
    const weights = column.map((value) => Math.exp(value - highest));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const upTo = weights.slice(1, index + 1).reduce((sum, weight) => sum + weight, 0);
    return upTo / total;
  });
}
