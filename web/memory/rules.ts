// SPDX-License-Identifier: MIT

// What the rules of cpp/memory/rules are called and take, as types; what may be chosen of each is in
// memory-options.ts. Their numbers - lengths, defaults, ranges - come from there; a test holds the two
// together.

/** Numbers of a memory, row by row: a `Float32Array` is copied fastest. */
export type Numbers = Float32Array | readonly number[];

/**
 * What tokens bring to each rule; `t` stands for tokens. Every rule's recurrence is for one head,
 * with S its state `[keyDim, valueDim]`, empty at first. Numbers are float32, without units; `g`
 * and `w` are natural logarithms of decays, 0 or less.
 */
export interface MemoryInputs {
  /**
   * `S ← S + φ(k) vᵀ; o = Sᵀ φ(q)`. Unnormalised linear attention; with the default φ, the
   * identity, a linear associator (Kohonen 1972).
   */
  linear: QueryKeyValue;
  /**
   * `S ← S + φ(k) vᵀ; z ← z + φ(k); o = Sᵀ φ(q) / (z·φ(q) + epsilon)`, by default with φ = elu + 1
   * (Katharopoulos et al., Transformers are RNNs, 2020). With `causal: false` every query of a call
   * reads what all of its keys wrote.
   */
  linear_transformer: QueryKeyValue;
  /**
   * `S ← S + rate k vᵀ; o = sep(Sᵀ q)`, with `separation` linear, sign (Hopfield 1982) or softmax
   * of `inverseTemperature` times it (Millidge et al. 2022). `iterations` reads again with o for q,
   * for patterns stored with v = k.
   */
  hopfield: QueryKeyValue;
  /**
   * `S ← e^decay S + k vᵀ; o = Sᵀ q`, decay of each head constant, by default log(1 - 2^(-5-h))
   * (Sun et al., Retentive Network, 2023). Rotations of q and k are the caller's.
   */
  retnet: QueryKeyValue;
  /**
   * `S ← e^decay S + k vᵀ; o = Sᵀ q`, decay of each head constant, by default -2^(-8(h+1)/heads)
   * (Qin et al., Lightning Attention-2, 2024).
   */
  lightning: QueryKeyValue;
  /**
   * `S ← e^(dt·a) S + b (dt x)ᵀ; o = Sᵀ c + d x`, a and d of each head constant (Dao and Gu,
   * Transformers are SSMs, 2024). `dt` is what comes out of its softplus.
   */
  mamba2: {
    /** `[t, keyHeads, keyDim]`, the query. */
    c: Numbers;
    /** `[t, keyHeads, keyDim]`, the key. */
    b: Numbers;
    /** `[t, heads, valueDim]`, the value. */
    x: Numbers;
    /** `[t, heads]`, 0 or more. */
    dt: Numbers;
  };
  /** `S ← Diag(e^g) S + k vᵀ; o = Sᵀ q` (Yang et al., Gated Linear Attention, 2023). */
  gla: QueryKeyValue & ChannelDecay;
  /** `S ← Diag(e^g) S + (1 - e^g) vᵀ; o = Sᵀ q` (Qin et al., HGRN2, 2024). */
  hgrn2: Pick<QueryKeyValue, 'q' | 'v'> & ChannelDecay;
  /**
   * `o = Sᵀ r + (r · (u ∘ k)) v; S ← Diag(e^w) S + k vᵀ`, u constant: reads before it writes (Peng
   * et al., Eagle and Finch, 2024).
   */
  rwkv6: ReceptanceKeyValue;
  /**
   * `m' = max(log σ(f) + m, i); S ← e^(log σ(f) + m - m') S + e^(i - m') k vᵀ; n likewise of k;
   * o = Sᵀ q / (max(|n·q|, e^-m') + epsilon)` (Beck et al., xLSTM, 2024). `i` and `f` come before
   * their exponential and sigmoid.
   */
  mlstm: QueryKeyValue & {
    /** `[t, heads]`, any number. */
    i: Numbers;
    /** `[t, heads]`, any number. */
    f: Numbers;
  };
  /** `S ← S + k (beta (v - Sᵀ k))ᵀ; o = Sᵀ q` (Schlag et al. 2021, Yang et al. 2024). */
  delta: QueryKeyValue & WriteRate;
  /** `S ← e^g S; S ← S + k (beta (v - Sᵀ k))ᵀ; o = Sᵀ q` (Yang et al., Gated Delta Networks, 2024). */
  gated_delta: QueryKeyValue & HeadDecay & WriteRate;
  /**
   * `S ← Diag(e^g) S; S ← S + k (beta (v - Sᵀ k))ᵀ; o = Sᵀ q` (Kimi Team, Kimi Linear, 2025).
   */
  kda: QueryKeyValue & ChannelDecay & WriteRate;
  /**
   * `S ← e^g S + k (beta (v - Sᵀ p))ᵀ; o = Sᵀ q`, p reading what has not decayed (Hu et al., Comba,
   * 2025).
   */
  comba: QueryKeyValue & {
    /** `[t, keyHeads, keyDim]`, by which it erases. A write that gives none takes its key. */
    p: Numbers;
  } & HeadDecay &
    WriteRate;
  /** `S ← Diag(e^g) S; S ← S + k (w ∘ v - Sᵀ (b ∘ k))ᵀ; o = Sᵀ q` (Gated DeltaNet-2). */
  gdn2: QueryKeyValue &
    ChannelDecay & {
      /** `[t, keyHeads, keyDim]`, how much is erased along each key channel, 0 to 1. */
      b: Numbers;
      /** `[t, heads, valueDim]`, how much of each value channel is written, 0 to 1. */
      w: Numbers;
    };
  /** `S ← Diag(e^w) S + b (aᵀ S) + k vᵀ; o = Sᵀ r` (Peng et al., RWKV-7 "Goose", 2025). */
  rwkv7: ReceptanceKeyValue & {
    /** `[t, keyHeads, keyDim]`, what is recalled, of the state before its decay: minus a key. */
    a: Numbers;
    /** `[t, keyHeads, keyDim]`, along which that is added. */
    b: Numbers;
  };
  /**
   * `S ← S + k (β (v - Sᵀ k))ᵀ` with `β = beta / (1 + beta k·k)`; `o = Sᵀ q` (Liu et al., Longhorn,
   * 2024, its exact form).
   */
  longhorn: QueryKeyValue & WriteRate;
  /**
   * `gain = P k / (forgetting + k·P k); S ← S + gain (v - Sᵀ k)ᵀ; P ← (P - gain (P k)ᵀ) / forgetting;
   * o = Sᵀ q`, P = 1/regulariser at first: the exact least squares fit of values to keys so far
   * (Plackett 1950; Wang et al., Test-time regression, 2025).
   */
  least_squares: QueryKeyValue;
  /**
   * `o = q + LN(Wᵀ q + c)` after a step of gradient descent on `|LN(Wᵀ k + c) - (v - k)|² / 2` of
   * rate `eta · lr`, gradients taken where the mini-batch of `miniBatch` tokens began (Sun et al.,
   * Learning to (Learn at Test Time), 2024). keyDim is valueDim.
   */
  ttt_linear: QueryKeyValue & {
    /** `[t, heads]`, rate of the token that reads. */
    eta: Numbers;
    /** `[t, heads]`, rate of the token that is learned from; 1 by default. */
    lr?: Numbers;
  };
  /**
   * `M ← (1 - alpha) M + N` with momentum `N ← eta N - theta k (Sᵀ k - v)ᵀ`, S standing for M before;
   * `o = Mᵀ q` (Behrouz et al., Titans, 2024, its linear memory). In mini-batches the gradient is
   * taken where one began.
   */
  titans: QueryKeyValue & {
    /** `[t, heads]`, what is forgotten, 0 to 1. */
    alpha: Numbers;
    /** `[t, heads]`, what is left of the momentum, 0 to 1. */
    eta: Numbers;
    /** `[t, heads]`, learning rate, 0 or more. */
    theta: Numbers;
  };
  /**
   * `S_jn ← e^(dt_j a_jn) S_jn + dt_j x_j b_n; o_j = Σ_n c_n S_jn + d_j x_j` with S `[valueDim,
   * keyDim]`, a and d constant (Gu and Dao, Mamba, 2023).
   */
  mamba1: {
    /** `[t, keyHeads, keyDim]`, the query. */
    c: Numbers;
    /** `[t, keyHeads, keyDim]`, the key. */
    b: Numbers;
    /** `[t, heads, valueDim]`, the value. */
    x: Numbers;
    /** `[t, heads, valueDim]`, 0 or more. */
    dt: Numbers;
  };
  /**
   * `o = Σ_s softmax_s(scale q·k_s) v_s` over all tokens so far, which it keeps: memory grows. To
   * compare with (Vaswani et al. 2017).
   */
  softmax: {
    /** `[t, heads, keyDim]` */
    q: Numbers;
    /** `[t, keyHeads, keyDim]` */
    k: Numbers;
    /** `[t, keyHeads, valueDim]` */
    v: Numbers;
  };
}

/** The name of a rule. */
export type MemoryRule = keyof MemoryInputs;

/** Of most rules. */
export interface QueryKeyValue {
  /** `[t, keyHeads, keyDim]` */
  q: Numbers;
  /** `[t, keyHeads, keyDim]` */
  k: Numbers;
  /** `[t, heads, valueDim]` */
  v: Numbers;
}

/** As RWKV calls them. */
export interface ReceptanceKeyValue {
  /** `[t, keyHeads, keyDim]`, the query. */
  r: Numbers;
  /** `[t, keyHeads, keyDim]` */
  k: Numbers;
  /** `[t, heads, valueDim]` */
  v: Numbers;
  /** `[t, heads, keyDim]`, log decay of each key channel. */
  w: Numbers;
}

/** A decay for each head. */
export interface HeadDecay {
  /** `[t, heads]`, log decay. */
  g: Numbers;
}

/** A decay for each key channel. */
export interface ChannelDecay {
  /** `[t, heads, keyDim]`, log decay of each key channel. */
  g: Numbers;
}

/** Of the delta rule. */
export interface WriteRate {
  /** `[t, heads]`, how much of the difference is written, 0 to 2. */
  beta: Numbers;
}
