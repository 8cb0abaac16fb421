// SPDX-License-Identifier: MIT
// What several families write in the same words.

import { shown } from '../errors.js';
import type { Config } from './config.js';
import type { Layer } from './layer.js';
import type { Mapping } from './mapping.js';

/** -exp of A_log: the decay's factor as GGUF stores it. */
export const negativeExp = (value: number): number => -Math.exp(value);

/** A norm's weight that is stored as its distance from 1. */
export const plusOne = (value: number): number => value + 1;

/** The embedding, and the head unless it is tied. */
export function mapEmbedding(
  mapping: Mapping,
  { embedding, head, tied }: { embedding: string; head: string; tied: boolean },
): void {
  mapping.matrix('token_embd.weight', embedding);
  // A tied head may be written out all the same.
  if (tied) mapping.ignore(new RegExp(`^${head.replaceAll('.', '\\.')}$`));
  else mapping.matrix('output.weight', head);
}

/**
 * Which layers are of the kind `linear`, by `layer_types` with transformers' names.
 *
 * @param names the linear kind's and the other's, each with what older files call it
 */
export function readLayerTypes(
  config: Config,
  layers: number,
  names: { linear: readonly string[]; attention: readonly string[] },
): boolean[] | undefined {
  return config.list('layer_types', layers)?.map((type) => {
    if (names.linear.includes(type as string)) return true;
    if (names.attention.includes(type as string)) return false;
    throw config.wrong('layer_types', `has the unknown layer ${shown(type)}`);
  });
}

/** Rotary embedding without scaling, in the form of transformers 5 or before. */
export function readRope(
  config: Config,
  otherwise: { theta: number; partial?: number },
): { theta: number; partial: number } {
  const theta = config.number('rope_theta', otherwise.theta);
  const partial = config.number('partial_rotary_factor', otherwise.partial ?? 1);
  config.require('rope_scaling', null);
  if (!config.has('rope_parameters')) return { theta, partial };
  const rope = config.part('rope_parameters');
  rope.require('rope_type', 'default');
  rope.ignore('type');
  return {
    theta: rope.number('rope_theta', theta),
    partial: rope.number('partial_rotary_factor', partial),
  };
}

/** Sizes of a Mamba-2 mixer, and whether its convolution has a bias. */
export interface Mamba2Sizes {
  inner: number;
  heads: number;
  groups: number;
  state: number;
  taps: number;
  convBias: boolean;
  /** Whether the projections have biases, and what that of the input's is multiplied by. */
  biasedIn: boolean;
  biasedOut: boolean;
  inBiasScale?: number;
  /** How many parts of the output are normalised by themselves; 0 where there is no norm. */
  normGroups: number;
}

/** The keys of a Mamba-2 mixer. */
export function mamba2Keys(sizes: Mamba2Sizes): Record<string, number> {
  return {
    'ssm.conv_kernel': sizes.taps,
    'ssm.inner_size': sizes.inner,
    'ssm.state_size': sizes.state,
    'ssm.time_step_rank': sizes.heads,
    'ssm.group_count': sizes.groups,
  };
}

/** A Mamba-2 mixer's tensors, whose names begin with `prefix`. */
export function mapMamba2(layer: Layer, prefix: string, sizes: Mamba2Sizes): void {
  const { heads, convBias, biasedIn, biasedOut, normGroups } = sizes;
  layer.linear('ssm_in', `${prefix}in_proj`, biasedIn, sizes.inBiasScale);
  layer.linear('ssm_out', `${prefix}out_proj`, biasedOut);
  layer.vector('ssm_conv1d.weight', `${prefix}conv1d.weight`);
  if (convBias) layer.vector('ssm_conv1d.bias', `${prefix}conv1d.bias`);
  layer.compute('ssm_a', [heads, 1], [[`${prefix}A_log`, heads]], (a) => a.map(negativeExp));
  layer.compute('ssm_d', [heads, 1], [[`${prefix}D`, heads]], (d) => d);
  layer.vector('ssm_dt.bias', `${prefix}dt_bias`);
  if (normGroups === 0) return;
  const shape = [normGroups, sizes.inner / normGroups] as const;
  layer.compute('ssm_norm.weight', shape, [[`${prefix}norm.weight`, sizes.inner]], (norm) => norm);
}

/** What time steps are held within; undefined where they are free. */
export function readTimeSteps(config: Config): number[] | undefined {
  const limit = config.numbers('time_step_limit', 2);
  // How they were drawn before training.
  config.ignore('time_step_min', 'time_step_max', 'time_step_floor', 'time_step_scale');
  config.ignore('time_step_init_scheme', 'time_step_init');
  return limit?.[0] === 0 && limit[1] === Number.POSITIVE_INFINITY ? undefined : limit;
}

/** The rank of Mamba's time steps, which may be left to the model's width. */
export function readRank(config: Config, name: string, dim: number): number {
  const usual = Math.ceil(dim / 16);
  if (!config.isText(name)) return config.whole(name, usual);
  config.require(name, 'auto');
  return usual;
}
