// SPDX-License-Identifier: MIT
// What there is to see of a session's constant state, as it crosses to whoever studies it.

/** Which layers and heads, and whether more than norms and gates. */
export interface StateRequest {
  layer: number | undefined;
  head: number | undefined;
  values: boolean | undefined;
}

/**
 * What the recurrent layers of a session hold. Its arrays are views of one buffer, and the caller's
 * own.
 */
export interface SessionState {
  /**
   * How many tokens the state has read. What was drawn last is read with the next draw, and a session
   * that was rewound goes back with its next prompt.
   */
  tokens: number;
  /** Those that have a state of matrices, in order. Softmax attention and convolutions have none. */
  layers: LayerState[];
}

/** The state of one layer: a matrix S for each head, read as o = Sᵀq. */
export interface LayerState {
  /** Of the model, from 0. */
  layer: number;
  /** How it mixes tokens: `gated_delta`, `linear_attention`, `mamba`, `mamba2`, `rwkv6`, `rwkv7`. */
  mixer: string;
  /** That the layer has. Arrays are of all of them, or of the one that was asked for. */
  heads: number;
  /** Rows and columns of a head's S. One of `mamba` has a row for each place of a channel's state. */
  keyDim: number;
  valueDim: number;
  /** The Frobenius norm of each head's S. */
  norms: Float32Array;
  /** S, `[heads, keyDim, valueDim]`, with what a chunk of tokens has left pending applied. */
  values?: Float32Array;
  /**
   * What the last token did. Absent where it is not known: of `mamba`, before a text, and where a
   * session was restored or has gone back, until a token is read.
   */
  last?: TokenTrace;
}

/**
 * What a token did to the heads of a layer, where S₀ is the state before it and S the one after:
 * S = decay · S₀ + key writeᵀ, and in `rwkv7` + eraseKey eraseᵀ.
 */
export interface TokenTrace {
  /** What is left of S₀: `[heads]`, or `[heads, keyDim]` where each key channel decays by itself. Absent without decay. */
  decay?: Float32Array;
  /** How much of what is wrong under the key is made right, `[heads]`: of the delta rule alone. */
  beta?: Float32Array;
  /** Lengths, `[heads]`, of query, key and value as the recurrence takes them: scaled and normalised. */
  queryNorms: Float32Array;
  keyNorms: Float32Array;
  valueNorms: Float32Array;
  /** The Frobenius norm of S - decay · S₀, `[heads]`. */
  writeNorms: Float32Array;
  /** `[heads, keyDim]` */
  keys?: Float32Array;
  /** `[heads, valueDim]`: the value or, by the delta rule, beta (value - what S recalled). */
  writes?: Float32Array;
  /** What is erased apart from what is written: `[heads, keyDim]` and `[heads, valueDim]`. */
  eraseKeys?: Float32Array;
  erases?: Float32Array;
}
