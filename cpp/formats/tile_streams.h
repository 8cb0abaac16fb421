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

// Tiles [from, to) and, where several places are read at once, those that lie
// `apart`, twice `apart` and so on behind them.
struct TileRun {
  int from, to, apart = 0;

  TileRun At(int place) const {
    return {from + place * apart, to + place * apart};
  }
};

// Calls run(places, of) with what of tiles [first, last) is read from several
// places at once, `places` of them (a std::integral_constant), and with what is
// left. They lie as far from each other as these tiles go, a thread's task's: a
// Zen 5 reads from two within 192 KB four fifths of what it reads from one,
// and from neighbours half.
template <int kPlaces, class Run>
void ForPlaces(int first, int last, const Run& run) {
  const int apart = (last - first) / kPlaces;
  run(std::integral_constant<int, kPlaces>(),
      TileRun{first, first + apart, apart});
  if constexpr (kPlaces > 1) {
    run(std::integral_constant<int, 1>(),
        TileRun{first + kPlaces * apart, last});
  }
}

}  // namespace fastweights
