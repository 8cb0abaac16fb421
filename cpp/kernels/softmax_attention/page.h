// SPDX-License-Identifier: MIT
#pragma once

// Some rows of attention over one page. Included by streaming.cc alone.

#include <algorithm>

#include "kernels/exp.h"
#include "kernels/softmax_attention/attention_block.h"
#include "kernels/softmax_attention/row_tiles.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Reads a word of each 4 KB of what will be walked over front to back: where
// they begin, a processor that fetches ahead would wait for memory and for the
// page's address. All at once they wait for each other's no more.
inline void Touch(const float* from, int floats) {
  constexpr int kStep = 4096 / sizeof(float);
  for (int i = 0; i < floats; i += kStep) {
    const float x = from[i];
    // So that the compiler reads it.
    asm volatile("" : : "r"(x));
  }
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

  // A page whose positions begin at `start`; `next` is the one after it, or
  // null.
  void AddPage(const float* page, int start, const float* next) {
    int first[kAttentionRows], count[kAttentionRows];
    for (int r = 0; r < block_.rows; ++r) {
      first[r] = std::clamp(block_.first[r] - start, 0, kPageTokens);
      count[r] = std::clamp(block_.length[r] - start, 0, kPageTokens);
    }
    if (next != nullptr) {
      const int row = kv_head_ * kPageTokens;
      Touch(next + row * layout_.key_floats, kPageTokens * layout_.key_floats);
      Touch(next + layout_.values + row * layout_.value_floats,
            kPageTokens * layout_.value_floats);
    }
    // Whether one of some rows sees a position.
    const auto see = [&](int row, int rows) {
      return first[row] < kPageTokens && count[row + rows - 1] > 0;
    };
    ForEachTile<Products::kScoreTile>(0, block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      if (!see(r, kQueries)) return;
      products_.template Scores<kQueries>(page, count[r + kQueries - 1], r);
    });
    for (int r = 0; r < block_.rows; ++r) {
      block_.Softmax(exp_, first[r], count[r], r);
      products_.PrepareWeights(page, count[r], r);
    }
    ForEachTile<Products::kValueTile>(0, block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      if (!see(r, kQueries)) return;
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
