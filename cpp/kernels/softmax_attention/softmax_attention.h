// SPDX-License-Identifier: MIT
#pragma once

// Causal softmax attention with grouped heads over a cache of keys and values
// kept in pages, so that it grows without moving:
//
//   o_t = sum_{s <= t} softmax_s(q_t . k_s * scale) v_s
//
// or over the last `window` positions s alone, t among them (Child et al.
// 2019). Query head j reads key/value head j / (query_heads / kv_heads).
// Vaswani et al. 2017; the one-pass softmax is that of Milakov & Gimelshein,
// Online normalizer calculation for softmax, 2018.

namespace fastweights {

inline constexpr int kPageTokens = 64;

// Pages that so many tokens take.
inline int KvPageCount(int tokens) {
  return (tokens + kPageTokens - 1) / kPageTokens;
}

struct SoftmaxAttentionShape {
  int query_heads;
  int kv_heads;   // divides query_heads
  int key_dim;    // multiple of 4
  int value_dim;  // multiple of 4
  float scale;
  int window = 0;  // 0: all positions
};

// The first position that the token at `position` sees.
inline int FirstSeen(const SoftmaxAttentionShape& shape, int position) {
  return shape.window == 0 || position < shape.window
             ? 0
             : position + 1 - shape.window;
}

// One layer's keys and values. Page p holds positions p * kPageTokens and on:
// keys [kv_heads, kPageTokens, key_dim], then values likewise.
struct KvPages {
  float* const* pages;
  int offset;  // floats from the start of a page to this layer's part
};

inline int KvPageFloats(const SoftmaxAttentionShape& shape) {
  return shape.kv_heads * kPageTokens * (shape.key_dim + shape.value_dim);
}

struct SoftmaxAttentionArgs {
  const float* q;     // [tokens, query_heads, key_dim]
  int q_stride;       // floats from one token to the next
  int q_head_stride;  // floats from one head to the next
  const float* k;     // [tokens, kv_heads, key_dim], dense
  const float* v;     // [tokens, kv_heads, value_dim], dense
  KvPages cache;      // has room for position + tokens
  int position;       // tokens in the cache before this call
  float* out;         // [tokens, query_heads, value_dim], dense; not an input
};

// The definition: float64 throughout, no SIMD. Linked into tests only.
void SoftmaxAttentionNaive(int tokens, const SoftmaxAttentionShape& shape,
                           const SoftmaxAttentionArgs& args);

// Copies k and v of tokens [first, end) to the cache.
void AppendKeysAndValues(int first, int end, const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& args);

// Zeros in one page [KvPageFloats(shape)] for its positions from `first` on.
void ClearKeysAndValues(int first, const SoftmaxAttentionShape& shape,
                        float* page);

// Query rows that read a page together; its keys and values pass through the
// first-level cache once for all of them.
inline constexpr int kAttentionRows = 16;

// Rows [first, end) of those that read `kv_head`: row r is token r / group,
// head r % group of the head's group of query_heads / kv_heads. At most
// kAttentionRows. Their tokens' keys and values are in the cache. Goes page by
// page, a row's sums in the same order whatever the other rows. No scratch.
void SoftmaxAttentionStreaming(const SoftmaxAttentionShape& shape,
                               const SoftmaxAttentionArgs& args, int kv_head,
                               int first, int end);

}  // namespace fastweights
