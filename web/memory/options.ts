// SPDX-License-Identifier: MIT

// How a memory is made: its rule, its size and what the rule lets one choose, as types.
import type { WasmOptions } from '../wasm/builds.js';
import type { MemoryInputs, MemoryRule, Numbers } from './rules.js';

/** What queries are multiplied by. */
export interface ScaleSetting {
  /** Multiplies queries (after their feature map). Default 1. */
  scale?: number;
}

/** What queries and keys go through first. */
export interface FeatureMapSettings extends ScaleSetting {
  /**
   * φ: `identity`, `elu_plus_one`, `relu`, `silu`; `hedgehog` (softmax of ±2(Wx + b)), `dijiang`
   * (softmax of x W, W a weighted cosine transform), `taylor` (Based: to second order), `dpfp`.
   */
  featureMap?:
    | 'identity'
    | 'elu_plus_one'
    | 'relu'
    | 'silu'
    | 'hedgehog'
    | 'dijiang'
    | 'taylor'
    | 'dpfp';
  /** Of `dpfp`: how many products of neighbours, 1 to 16. Default 1. */
  nu?: number;
  /** `[keyHeads, keyDim, keyDim]` of `hedgehog` (a row for each output) and `dijiang`. */
  queryWeight?: Numbers;
  /** `[keyHeads, keyDim]` of `hedgehog`. */
  queryBias?: Numbers;
  /** As `queryWeight`, for keys. */
  keyWeight?: Numbers;
  /** As `queryBias`, for keys. */
  keyBias?: Numbers;
}

/** A decay that stays. */
export interface DecaySetting {
  /** `[heads]`, log decay, 0 or less. */
  decay?: Numbers;
}

/** What keeps a division from being by zero. */
export interface EpsilonSetting {
  /** Added to what is divided by, 0 to 1. Default 1e-6. */
  epsilon?: number;
}

/** What may be chosen of each rule when a memory is made. */
export interface MemorySettings {
  linear: FeatureMapSettings;
  linear_transformer: FeatureMapSettings &
    EpsilonSetting & {
      /** Whether a query reads no more than the tokens up to its own. Default true. */
      causal?: boolean;
    };
  hopfield: {
    /** α, of every write. Default 1. */
    rate?: number;
    /** What becomes of a read. Default linear. */
    separation?: 'linear' | 'sign' | 'softmax';
    /** Of the softmax, 0 or more. Default 1. */
    inverseTemperature?: number;
    /** Reads one after another, 1 to 1000; several want keyDim = valueDim. Default 1. */
    iterations?: number;
  };
  retnet: FeatureMapSettings & DecaySetting;
  lightning: FeatureMapSettings & DecaySetting;
  mamba2: ScaleSetting & {
    /** `[heads]`, 0 or less. Default -1. */
    a?: Numbers;
    /** `[heads]`. Default 0. */
    d?: Numbers;
  };
  gla: ScaleSetting;
  hgrn2: ScaleSetting;
  rwkv6: ScaleSetting & {
    /** `[heads, keyDim]`, the bonus of a token for itself. Default 0. */
    u?: Numbers;
  };
  mlstm: ScaleSetting & EpsilonSetting;
  delta: FeatureMapSettings;
  gated_delta: FeatureMapSettings;
  kda: ScaleSetting;
  comba: ScaleSetting;
  gdn2: ScaleSetting;
  rwkv7: ScaleSetting;
  longhorn: FeatureMapSettings;
  least_squares: ScaleSetting & {
    /** What is left of earlier tokens' weight, 0.001 to 1. Default 1. */
    forgetting?: number;
    /** Weight of |S|² at first, 1e-6 to 1e6. Default 0.001. */
    regulariser?: number;
  };
  ttt_linear: EpsilonSetting & {
    /** Tokens, 1 to 64. Default 16. */
    miniBatch?: number;
    /** What the norm's result is added to: `query`, or `output`, Wᵀ q + c. Default query. */
    residual?: 'query' | 'output';
    /** `[heads, valueDim]`, weight of the norm. Default 1. */
    gamma?: Numbers;
    /** `[heads, valueDim]`, its bias. Default 0. */
    beta?: Numbers;
  };
  titans: {
    /** Tokens, 1 to 64. Default 1. */
    miniBatch?: number;
  };
  mamba1: {
    /** `[heads, valueDim, keyDim]`, 0 or less. Default -1, -2, ... along keyDim. */
    a?: Numbers;
    /** `[heads, valueDim]`. Default 0. */
    d?: Numbers;
  };
  softmax: {
    /** Multiplies q·k. Default keyDim^-½. */
    scale?: number;
  };
}

/** The size of a memory. */
export interface MemorySize {
  /** Heads that hold values, each with a state of its own. Default 1. */
  heads?: number;
  /** Fewer heads of keys, of which each serves as many heads, one after another. Default `heads`. */
  keyHeads?: number;
  /** Length of a key, 1 to 1024. */
  keyDim: number;
  /** Length of a value, 1 to 1024. */
  valueDim: number;
}

/** A rule, its size and its settings. */
export type MemoryOptions<Rule extends MemoryRule = MemoryRule> = {
  [Name in Rule]: { rule: Name } & MemorySize & MemorySettings[Name];
}[Rule];

/** Where a memory's WebAssembly comes from. */
export interface MemoryPlace {
  /** As of `loadModel`. Memories that bring no file of their own share one instance. */
  wasm?: WasmOptions;
}

/** What a write brings: a key and a value under those names, other inputs under the rule's own. */
export type MemoryWrite<Rule extends MemoryRule> = { key?: Numbers; value?: Numbers } & Partial<
  MemoryInputs[Rule]
>;

/** Arrays in the memory's own heap: see {@link AssociativeMemory.buffers}. */
export interface MemoryBuffers<Rule extends MemoryRule> {
  inputs: { [Name in keyof MemoryInputs[Rule]]-?: Float32Array };
  output: Float32Array;
}
