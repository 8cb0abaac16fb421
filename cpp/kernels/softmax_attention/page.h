// SPDX-License-Identifier: MIT
#pragma once

// Some rows of attention over one page. Included by streaming.cc alone.

#include <algorithm>
#include <type_traits>

#include "kernels/exp.h"
#include "kernels/softmax_attention/attention_block.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Reads memory, a word of each cache line, as fast as it comes: what then walks
// over it in columns finds it in the cache. From four places at once, so that
// the processor looks up four of its pages, and fetches ahead in each: 33 GB/s
// where one gives 27.
inline void Fetch(const float* from, int floats) {
  constexpr int kLine = 16, kPlaces = 4;
  const int part = floats / kPlaces;
  for (int i = 0; i < part; i += kLine) {
    for (int place = 0; place < kPlaces; ++place) {
      const float x = from[place * part + i];
      // So that the compiler reads it.
      asm volatile("" : : "r"(x));
    }
  }
}

// Calls tile(rows, row) for tiles of up to kTile rows, `rows` a constant.
template <int kTile, typename F>
void ForEachTile(int rows, const F& tile) {
  int row = 0;
  for (; row + kTile <= rows; row += kTile) {
    tile(std::integral_constant<int, kTile>(), row);
  }
  for (; row < rows; ++row) tile(std::integral_constant<int, 1>(), row);
}

// The steps of a page for `block`'s rows. What depends on how keys and values
// are kept is Products', for a page and a number of its positions that rows
// see (count, ascending):
//
//   Scores<kQueries>(page, count, row)   q . k, scaled, to block.weight of the
//                                        kQueries rows from `row` on
//   PrepareWeights(page, count, r)       once row r has its softmax
//   AddValues<kQueries>(page, count, row)
//       out[r] = out[r] * rescale[r] + sum_{s < count[r]} weight[r][s]
//       values[s]
//
// of up to kScoreTile and kValueTile rows at once.
template <typename Products>
class PageAttention {
 public:
  PageAttention(const SoftmaxAttentionShape& shape, int kv_head,
                AttentionBlock& block)
      : layout_(LayoutOf(shape)),
        kv_head_(kv_head),
        block_(block),
        products_(shape, kv_head, block) {}

  // A page whose positions begin at `start`.
  void AddPage(const float* page, int start) {
    const int row = kv_head_ * kPageTokens;
    int count[kAttentionRows];
    for (int r = 0; r < block_.rows; ++r) {
      count[r] = std::clamp(block_.length[r] - start, 0, kPageTokens);
    }
    Fetch(page + row * layout_.key_floats, kPageTokens * layout_.key_floats);
    Fetch(page + layout_.values + row * layout_.value_floats,
          kPageTokens * layout_.value_floats);
    ForEachTile<Products::kScoreTile>(block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      products_.template Scores<kQueries>(page, count[r + kQueries - 1], r);
    });
    for (int r = 0; r < block_.rows; ++r) {
      const int first = std::clamp(block_.first[r] - start, 0, kPageTokens);
      block_.Softmax(exp_, first, count[r], r);
      products_.PrepareWeights(page, count[r], r);
    }
    ForEachTile<Products::kValueTile>(block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      products_.template AddValues<kQueries>(page, count + r, r);
    });
  }

 private:
  const KvLayout layout_;
  const int kv_head_;
  AttentionBlock& block_;
  const Exp exp_;
  Products products_;
};

}  // namespace fastweights
