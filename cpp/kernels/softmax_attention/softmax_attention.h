// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/softmax_attention/kv_pages.h"

// Causal softmax attention with grouped heads over a cache of keys and values
// kept in pages, so that it grows without moving:
//
//   o_t = sum_{s <= t} softmax_s(q_t . k_s * scale) v_s
//
// or over the last `window` positions s alone, t among them (Child et al.
// 2019), of keys and values as they are kept (KvType). Query head j reads
// key/value head j / (query_heads / kv_heads).
// Vaswani et al. 2017; the one-pass softmax is that of Milakov & Gimelshein,
// Online normalizer calculation for softmax, 2018. Positions are taken in runs
// whose sums are added up in order, so that threads can share a row's (Dao et
// al., Flash-Decoding, 2023).

namespace fastweights {

struct SoftmaxAttentionShape {
  int query_heads;
  int kv_heads;   // divides query_heads
  int key_dim;    // multiple of 4
  int value_dim;  // multiple of 4
  float scale;
  int window = 0;  // 0: all positions
  KvType kv_type = KvType::kF32;
};

// The first position that the token at `position` sees.
inline int FirstSeen(const SoftmaxAttentionShape& shape, int position) {
  return shape.window == 0 || position < shape.window
             ? 0
             : position + 1 - shape.window;
}

// One layer's keys and values. Page p holds positions p * kPageTokens and on,
// as LayoutOf(shape) says.
struct KvPages {
  float* const* pages;
  int offset;  // floats from the start of a page to this layer's part
};

constexpr KvLayout LayoutOf(const SoftmaxAttentionShape& shape) {
  return {shape.kv_type, shape.kv_heads, shape.key_dim, shape.value_dim};
}

constexpr int KvPageFloats(const SoftmaxAttentionShape& shape) {
  return LayoutOf(shape).floats;
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
// first-level cache once for all of them. Row r of those that read a kv_head is
// token r / group, head r % group of the head's group of query_heads /
// kv_heads.
inline constexpr int kAttentionRows = 48;

// Rows [first, end) of each of kv_heads [head, head_end), at most
// kAttentionRows in all. Heads lie side by side in a page, and processors fetch
// ahead best of what is read on and on: where rows are few, those of several
// heads take 0.9 of the time.
struct AttentionRows {
  int head, head_end;
  int first, end;
};

// Kv_heads of which so many rows each go over pages together.
constexpr int HeadsTogether(int rows, int kv_heads) {
  const int most = kAttentionRows / rows;
  return most < 1 ? 1 : most < kv_heads ? most : kv_heads;
}

// Positions whose sums are a row's by themselves: a million multiply-adds of
// the 0.8B Qwen3.5's four heads of 256, far above what a task costs. What the
// runs have is added up in order, so not a bit of a row depends on who took
// which, nor on the other rows.
inline constexpr int kRunTokens = 8 * kPageTokens;

// Floats of a row's sums over a run: of values [value_dim], best score, total.
inline int RunSumFloats(const SoftmaxAttentionShape& shape) {
  return shape.value_dim + 4;
}

// Floats that a call works with: queries as products take them, a run's sums.
constexpr int AttentionScratchFloats(const SoftmaxAttentionShape& shape) {
  return kAttentionRows * (shape.key_dim + shape.value_dim);
}

// Rows whose tokens' keys and values are in the cache. Scratch is
// [AttentionScratchFloats].
void SoftmaxAttentionStreaming(const SoftmaxAttentionShape& shape,
                               const SoftmaxAttentionArgs& args,
                               const AttentionRows& rows, float* scratch);

// The same rows' sums [heads, end - first, RunSumFloats] over one run; of rows
// that see nothing of it, of no meaning.
void SoftmaxAttentionRun(const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& args,
                         const AttentionRows& rows, int run, float* sums,
                         float* scratch);

// Adds one row's sums over runs [run, run_end), `stride` floats apart, to those
// before them, which `so_far` [RunSumFloats] has; after its last run the row's
// out is there. Runs are taken in order from the first.
void SoftmaxAttentionJoin(const SoftmaxAttentionShape& shape,
                          const SoftmaxAttentionArgs& args, int kv_head,
                          int row, int run, int run_end, float* sums,
                          int stride, float* so_far);

}  // namespace fastweights
