// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "formats/tile_tokens.h"

namespace fastweights {

// Bytes of tiles that some tokens meet before the next ones do: they fit a
// second-level cache, and reading so many in one go keeps prefetchers at it.
inline constexpr size_t kRunBytes = 192 << 10;

// Calls run(from, to) for tiles [first, last), a run at a time, of which each
// is one of `places` that are read at once.
template <class K, class Run>
void ForRuns(int groups, int first, int last, int places, const Run& run) {
  const int tiles = static_cast<int>(
      std::max<size_t>(1, kRunBytes / (places * K::TileBytes(groups))));
  for (int from = first; from < last; from += tiles) {
    run(from, std::min(from + tiles, last));
  }
}

// With more tokens taking tiles apart is as fast, or faster; those that fill up
// a block are paid for, too. GOP/s of a thread of a Zen 5 (relaxed, weights
// from memory), from the packed records and taken apart:
//   tokens    3          4          8          16         32         64
//   Q8_0      137 / 86   163 / 112  164 / 128  170 / 133  173 / 150  168 / 166
//   Q4_0      148 / 110  163 / 145  165 / 150  168 / 145  169 / 157  171 / 171
// With integer scales 8 tokens of Q4_K and Q6_K are 1.25 times as fast from the
// packed records on a Zen 4, 16 are 1.06 times. Of 16-bit products 4 are 1.22
// times as fast, 8 of Q6_K 0.8 times: taken apart those have no scales.
template <class K>
constexpr int kFewTokens = !K::kIntegers               ? kMostFewTokens
                           : IsWide<typename K::Dot>() ? 2 * kTokenBlock - 1
                                                       : 4 * kTokenBlock;

// Two tokens with two tiles at once fit the registers, but for wide products.
template <class K, int kTokens>
inline constexpr bool kInPairs = kTokens == 2 && !IsWide<typename K::Dot>();

// Whether a dot product is one instruction, so that three tokens and more wait
// for memory.
template <class K>
inline constexpr bool kWaits = HasLaneSums<typename K::Dot>() &&
                               !IsWide<typename K::Dot>();

// Whether some tokens read tiles in turns: integer scales need twice the code
// for it.
template <class K>
inline constexpr bool kHasTurns = !K::kIntegers || kWaits<K>;

// Few places, or many. Two tokens of Q8_0 read 1.2 times as much from two as
// from one, all there is to read. On an Intel with AVX-VNNI two make 3 to 16 of
// Q8_0 1.1 to 1.2 times as fast, 3 and 4 of Q4_0 1.2 times, 8 and 16 1.1 and
// 1.05 times. Many make four of Q4_K twice as fast as one does there, of Q5_K,
// Q6_K, Q4_0 and Q8_0 1.2 times; where weights lie in the cache K types lose
// up to a sixth.
template <class K>
int PlacesOf(int tokens, Reading reading) {
  if (!kHasTurns<K>) return 1;
  if (reading == Reading::kManyPlaces) return kManyPlaces;
  const bool gains = tokens == 2 ? kInPairs<K, 2> : kWaits<K>;
  return gains ? kFewPlaces<K> : 1;
}

// The kTokens tokens from `token` on with a run of tiles from each place.
template <class K, int kTokens>
void TokensOfPlaces(int rows, const uint8_t* tiles, int places,
                    const TileRun& run, int token,
                    const TileInput<typename K::Dot>& x, float* out,
                    int out_stride) {
  const auto read = [&]<Turns kTurns>(int count, const TileRun& of) {
    RunOfTokens<K, kTokens, kTurns>(rows, tiles, count, of, token, x, out,
                                    out_stride);
  };
  constexpr bool kPairs = kHasTurns<K> && kInPairs<K, kTokens>;
  // The end of more tokens, which is read from the cache by now.
  constexpr bool kMayBeRest = kTokens <= 2;
  if constexpr (K::kIntegers) {
    if (places == 1 || (kMayBeRest && token > 0)) {
      for (int place = 0; place < places; ++place) {
        read.template operator()<Turns::kNone>(1, run.At(place));
      }
      return;
    }
  }
  if constexpr (kPairs) {
    if (places > 1) {
      read.template operator()<Turns::kPairs>(places, run);
      return;
    }
  }
  if constexpr (!K::kIntegers || (kHasTurns<K> && !kMayBeRest)) {
    read.template operator()<Turns::kSingle>(places, run);
  }
}

// Tiles [first, last) of a matrix of `rows` rows with a few tokens, two to
// kFewTokens.
template <class K>
void FewTokens(int rows, const uint8_t* tiles, int first, int last, int tokens,
               const TileInput<typename K::Dot>& x, Reading reading, float* out,
               int out_stride) {
  const auto from_places = [&](int places, const TileRun& of) {
    ForRuns<K>(x.groups, of.from, of.to, places, [&](int from, int to) {
      for (int t = 0; t < tokens; t += kTokenBlock) {
        const auto run = [&]<int kTokens>() {
          TokensOfPlaces<K, kTokens>(rows, tiles, places, {from, to, of.apart},
                                     t, x, out, out_stride);
        };
        const int left = tokens - t;
        if (left > 3) {
          run.template operator()<4>();
        } else if (left == 3) {
          run.template operator()<3>();
        } else if (left == 2) {
          run.template operator()<2>();
        } else {
          run.template operator()<1>();
        }
      }
    });
  };
  ForPlaces(PlacesOf<K>(tokens, reading), first, last, from_places);
}

}  // namespace fastweights
