// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

namespace fastweights {

// Calls tile(rows, row) for tiles of the rows [row, end), each as large as
// there is one, `rows` a constant: kTile, or 4, 2, 1 where they are fewer.
template <int kTile, typename F>
void ForEachTile(int row, int end, const F& tile) {
  for (; row + kTile <= end; row += kTile) {
    tile(std::integral_constant<int, kTile>(), row);
  }
  if constexpr (kTile > 1) {
    ForEachTile<(kTile > 4 ? 4 : kTile / 2)>(row, end, tile);
  }
}

}  // namespace fastweights
