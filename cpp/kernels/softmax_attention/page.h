// SPDX-License-Identifier: MIT
#pragma once

// Some rows of attention over one page. Included by streaming.cc alone.

#include <algorithm>

#include "kernels/exp.h"
#include "kernels/softmax_attention/attention_block.h"
#include "kernels/softmax_attention/read_ahead.h"
#include "kernels/softmax_attention/row_tiles.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// The steps of a page for `block`'s rows. What depends on how keys and values
// are kept is Products', for a head's part of a page and a number of its
// positions that rows see (count, ascending):
//
//   Scores<kQueries>(head, count, row)   q . k, scaled, to block.weight of the
//                                        kQueries rows from `row` on
//   AddValues<kQueries>(head, count, row)
//       out[r] = out[r] * rescale[r] + sum_{s < count[r]} weight[r][s]
//       values[s]
//
// of up to kScoreTile and kValueTile rows at once.
template <typename Products>
class PageAttention {
 public:
  PageAttention(const SoftmaxAttentionShape& shape, AttentionBlock& block)
      : layout_(LayoutOf(shape)), block_(block), products_(shape, block) {}

  // A page whose positions begin at `start`; `next` is the one after it, or
  // null.
  void AddPage(const float* page, int start, const float* next) {
    int first[kAttentionRows], count[kAttentionRows];
    for (int r = 0; r < block_.rows; ++r) {
      first[r] = std::clamp(block_.first[r] - start, 0, kPageTokens);
      count[r] = std::clamp(block_.length[r] - start, 0, kPageTokens);
    }
    const int begin = block_.head * layout_.head;
    const float* head = page + begin;
    for (int row = 0; row < block_.rows; row += block_.head_rows) {
      const int end = row + block_.head_rows;
      AddHead(head, first, count, row, end);
      head += layout_.head;
      if (end < block_.rows) {
        ReadAhead(head);
      } else if (next != nullptr) {
        ReadAhead(next + begin);
      }
    }
  }

 private:
  // A head's part of a page, to the rows [row, end).
  void AddHead(const float* head, const int* first, const int* count, int row,
               int end) {
    // Whether one of some rows sees a position.
    const auto see = [&](int r, int rows) {
      return first[r] < kPageTokens && count[r + rows - 1] > 0;
    };
    ForEachTile<Products::kScoreTile>(row, end, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      if (!see(r, kQueries)) return;
      products_.template Scores<kQueries>(head, count[r + kQueries - 1], r);
    });
    for (int r = row; r < end; ++r) {
      block_.Softmax(exp_, first[r], count[r], r);
    }
    ForEachTile<Products::kValueTile>(row, end, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      if (!see(r, kQueries)) return;
      products_.template AddValues<kQueries>(head, count + r, r);
    });
  }

  const KvLayout layout_;
  AttentionBlock& block_;
  const Exp exp_;
  Products products_;
};

}  // namespace fastweights
