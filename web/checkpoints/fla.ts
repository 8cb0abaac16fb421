// SPDX-License-Identifier: MIT
// What the checkpoints of flash-linear-attention have in common.

import type { Config } from './config.js';
import { Layer } from './layer.js';
import type { Mapping } from './mapping.js';
import { mapEmbedding } from './shared-parts.js';

/** Sizes that every family reads. */
export interface FlaModel {
  dim: number;
  layers: number;
  epsilon: number;
}

/** Reads what all configurations have but the feed-forward's, and sets the keys that say it. */
export function readFla(config: Config, mapping: Mapping, epsilon = 1e-6): FlaModel {
  const dim = config.whole('hidden_size', 2048);
  const layers = config.layers();
  const normEpsilon = config.number('norm_eps', epsilon);
  config.require('attnres_block_size', null);
  // Which kernels run, and what only training does.
  config.ignore('attn_mode', 'fuse_norm', 'fuse_swiglu', 'fuse_cross_entropy');
  config.ignore('fuse_linear_cross_entropy', 'use_l2warp', 'vocab_size');
  // The feed-forward's width is that of its tensors.
  config.ignore('hidden_ratio', 'intermediate_size');
  mapping.set({
    block_count: layers,
    context_length: config.whole('max_position_embeddings', 2048),
    embedding_length: dim,
  });
  return { dim, layers, epsilon: normEpsilon };
}

/** Maps all but the mixers, which `mixer` does layer by layer: RMS norms and SwiGLU. */
export function mapFla(
  config: Config,
  mapping: Mapping,
  { layers, epsilon }: FlaModel,
  mixer: (layer: Layer, index: number) => void,
): void {
  config.require('hidden_act', 'swish', 'silu');
  const [, feedForward] = mapping.shapeOf('model.layers.0.mlp.down_proj.weight');
  mapping.set({
    feed_forward_length: feedForward,
    'attention.layer_norm_rms_epsilon': epsilon,
  });
  const attention = readAttention(config, mapping, layers);
  mapFlaEnds(config, mapping);
  mapping.vector('output_norm.weight', 'model.norm.weight');
  for (let i = 0; i < layers; i++) {
    const layer = new Layer(mapping, i, 'model.layers.');
    layer.vector('attn_norm.weight', 'attn_norm.weight');
    layer.vector('ffn_norm.weight', 'mlp_norm.weight');
    if (layer.has('mlp.up_proj.weight')) {
      layer.swiGlu('mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj');
    } else {
      // Older checkpoints have gate and up in one matrix.
      layer.matrix('ffn_gate.weight', 'mlp.gate_proj.weight', [0, feedForward]);
      layer.matrix('ffn_up.weight', 'mlp.gate_proj.weight', [feedForward, 2 * feedForward]);
      layer.matrix('ffn_down.weight', 'mlp.down_proj.weight');
    }
    if (attention.has(i)) mapAttention(layer);
    else mixer(layer, i);
  }
}

/** Which layers have softmax attention instead, all of one kind, and the keys that say which. */
function readAttention(config: Config, mapping: Mapping, layers: number): Set<number> {
  if (!config.has('attn')) {
    config.ignore('attn');
    return new Set();
  }
  const attention = config.part('attn');
  const places = attention.numbers('layers') ?? [];
  for (const place of places) {
    if (Number.isSafeInteger(place) && place >= 0 && place < layers) continue;
    throw attention.wrong('layers', `has ${place}, which is none of ${layers} layers`);
  }
  const heads = attention.whole('num_heads');
  const keyHeads = attention.has('num_kv_heads') ? attention.whole('num_kv_heads') : heads;
  const window = attention.has('window_size') ? attention.whole('window_size') : undefined;
  attention.ignore('num_kv_heads', 'window_size', 'qkv_bias');
  mapping.set({
    'full_attention.head_count': heads,
    'full_attention.head_count_kv': keyHeads,
    'full_attention.rope_freq_base': attention.number('rope_theta', 10_000),
    'full_attention.sliding_window': window,
  });
  mapping.ignore(/\.rotary\.inv_freq$/);
  return new Set(places);
}

function mapAttention(layer: Layer): void {
  layer.attention('attn.');
  for (const name of ['q', 'k', 'v']) {
    const bias = `attn.${name}_proj.bias`;
    if (layer.has(bias)) layer.vector(`attn_${name}.bias`, bias);
    const norm = `attn.${name}_norm.weight`;
    if (layer.has(norm)) layer.vector(`attn_${name}_norm.weight`, norm);
  }
}

/** A norm's weight, ones where the checkpoint has none. */
export function mapNorm(layer: Layer, source: string, length: number, model: FlaModel): void {
  if (layer.has(source)) {
    layer.vector('ssm_norm.weight', source);
    return;
  }
  const ones = () => new Float32Array(length).fill(1);
  layer.compute('ssm_norm.weight', [length], [['attn_norm.weight', model.dim]], ones);
}

/** The embedding and the head. */
export function mapFlaEnds(config: Config, mapping: Mapping): void {
  const tied = config.flag('tie_word_embeddings', false);
  mapEmbedding(mapping, { embedding: 'model.embeddings.weight', head: 'lm_head.weight', tied });
}

/**
 * Convolutions of several projections as one, their channels one after the other.
 *
 * @param names without `_conv1d.weight`, each with its channels
 */
export function mapConvolutions(
  layer: Layer,
  taps: number,
  names: readonly (readonly [name: string, channels: number])[],
): void {
  const channels = names.reduce((sum, [, count]) => sum + count, 0);
  const sources = names.map(([name, count]) => [`${name}_conv1d.weight`, count * taps] as const);
  layer.compute('ssm_conv1d.weight', [channels, taps], sources, joined);
}

/** Lists of values one after the other. */
export function joined(...lists: Float32Array[]): Float32Array {
  const all = new Float32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
