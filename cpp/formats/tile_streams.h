// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

namespace fastweights {

// Places that a product with few tokens reads tiles from at once. On Zen
// 5 Q8_0 reads 40 % more a second from two than from one and 20 % more than
// from four, Q4_0 15 % more than from either. Integer scales take registers,
// and the sums of two tiles with them: Q4_K and Q6_K are 5 to 15 % faster from
// one than from four, and Q5_K, where four at some distances from each other
// kept what fetches ahead from it, up to four times.
template <class K>
inline constexpr int kStreams = K::kIntegers ? 1 : 2;

// Calls run(count, tile, apart) for tiles [first, last): for the `count` of
// them that begin with `tile` and are so far apart. The count is a
// std::integral_constant, kCount and, for what is left, 1.
template <int kCount, class Run>
void ForStreams(int first, int last, const Run& run) {
  const int apart = (last - first) / kCount;
  for (int i = first; i < first + apart; ++i) {
    run(std::integral_constant<int, kCount>(), i, apart);
  }
  for (int i = first + kCount * apart; i < last; ++i) {
    run(std::integral_constant<int, 1>(), i, 0);
  }
}

}  // namespace fastweights
