// SPDX-License-Identifier: MIT
#pragma once

#include "base/workspace.h"

namespace fastweights {

// Places that a product with few tokens reads tiles from at once, either of two
// numbers: which one is faster is the processor's affair, and found by trying
// (Reading in base/workspace.h).
//
// Few: on Zen 5 Q8_0 reads 40 % more a second from two than from one and 20 %
// more than from four, Q4_0 15 % more than from either. Integer scales take
// registers, and the sums of two tiles with them: there Q4_K and Q6_K are 5 to
// 15 % faster from one than from four, and Q5_K, where four at some distances
// from each other kept what fetches ahead from it, up to four times.
template <class K>
inline constexpr int kFewPlaces = K::kIntegers ? 1 : 2;

// Many: an Intel of 2025 (AMX, 14 GB/s a thread) waits at each page's beginning
// for memory, as it computes between two reads for longer than it looks ahead.
// From six one token of Q4_K is 1.75 times as fast as from one, of Q5_K and
// Q6_K 1.6 times, of Q4_0 1.45 times as from two, of Q8_0 1.15 times; four do
// 1.05 to 1.15 times less, eight no more. By 16-bit products four make Q4_0 2.1
// times as fast, Q4_K 1.7 times.
inline constexpr int kManyPlaces = 6;

// Tiles [from, to) and, where several places are read at once, those that lie
// `apart`, twice `apart` and so on behind them.
struct TileRun {
  int from, to, apart = 0;

  TileRun At(int place) const {
    return {from + place * apart, to + place * apart};
  }
};

// Calls run(places, of) with what of tiles [first, last) is read from so many
// places at once, and with what is left, from one. They lie as far from each
// other as these tiles go, a thread's task's: a Zen 5 reads from two within 192
// KB four fifths of what it reads from one, and from neighbours half.
template <class Run>
void ForPlaces(int places, int first, int last, const Run& run) {
  const int apart = (last - first) / places;
  if (apart > 0) run(places, TileRun{first, first + apart, apart});
  if (first + places * apart < last) {
    run(1, TileRun{first + places * apart, last});
  }
}

}  // namespace fastweights
