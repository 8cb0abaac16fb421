// SPDX-License-Identifier: MIT
#include "formats/tile_product.h"

#include <algorithm>
#include <type_traits>

#include "base/check.h"
#include "formats/tile_few.h"
#include "formats/tile_gemm.h"
#include "formats/tile_gemv.h"

namespace fastweights {

namespace {

// A task of fewer bytes costs less than handing it to another thread.
constexpr size_t kTaskBytes = 32 << 10;
// With more tokens taking tiles apart is as fast. Measured on Zen 5 with
// weights read from memory: Q8_0 150 GOP/s with 12 to 32 tokens, where panels
// reach 91 to 124; Q4_0 136 for 107 to 133; Q4_K 104 for 94 to 108; Q6_K 70 for
// 68 to 77.
template <class K>
constexpr int kFewTokens = K::kBits == 8 ? kMostFewTokens : 16;
// Tasks a thread, so that one that is held up leaves some to the others.
constexpr int kTasksOfThread = 4;

int Tasks(int threads, int tiles, size_t tile_bytes) {
  if (threads == 1) return 1;
  const size_t most = tile_bytes * static_cast<size_t>(tiles) / kTaskBytes;
  return static_cast<int>(std::clamp<size_t>(
      std::min<size_t>(most, static_cast<size_t>(threads) * kTasksOfThread), 1,
      static_cast<size_t>(tiles)));
}

template <class K>
const int32_t* Starts(const TileLayout& layout, ProductInput& input) {
  const int32_t* code_sums = input.Quantised().code_sums;
  const int zero_point = K::kOffsets ? 0 : WeightZeroPoint(layout);
  const int count = input.tokens() * input.columns() / kTileColumns * K::kParts;
  int32_t* starts = input.workspace().arena().Take<int32_t>(count);
  for (int i = 0; i < count; ++i) {
    const int32_t sum =
        K::kParts == 2 ? code_sums[i] : code_sums[2 * i] + code_sums[2 * i + 1];
    starts[i] = kSumStart - zero_point * sum;
  }
  return starts;
}

template <class K>
void Run(const TileLayout& layout, int rows, const uint8_t* tiles,
         ProductInput& input, float* out, int out_stride) {
  Workspace& workspace = input.workspace();
  const QuantisedInput& quantised = input.Quantised();
  TileInput<typename K::Dot> x = {
      .codes = nullptr,
      .scales = quantised.scales,
      .sums = quantised.sums,
      .starts = nullptr,
      .groups = input.columns() / kTileColumns,
  };
  if constexpr (std::is_same_v<typename K::Dot::Code, int16_t>) {
    x.codes = input.Widened();
  } else {
    x.codes = quantised.codes;
  }
  const ArenaScope scope(workspace.arena());
  x.starts = Starts<K>(layout, input);
  const int count = (rows + kTileRows - 1) / kTileRows;
  const int tasks =
      Tasks(workspace.threads().count(), count, K::TileBytes(x.groups));
  workspace.threads().For(tasks, [&](int task, int thread) {
    const auto bound = [&](int of) {
      return static_cast<int>(static_cast<int64_t>(count) * of / tasks);
    };
    const int first = bound(task), last = bound(task + 1);
    if (input.tokens() == 1) {
      OneToken<K>(layout, rows, tiles, first, last, x, out);
      return;
    }
    if (input.tokens() <= kFewTokens<K>) {
      FewTokens<K>(layout, rows, tiles, first, last, input.tokens(), x, out,
                   out_stride);
      return;
    }
    Arena& arena = workspace.thread_arena(thread);
    const ArenaScope panel_scope(arena);
    const Panel panel(x.groups, K::kParts, arena);
    ManyTokens<K>(layout, rows, tiles, first, last, input.tokens(), x, panel,
                  out, out_stride);
  });
}

// Which dot product a kind of weights takes in this build and engine.
template <int kBits, int kGroup, bool kOffsets, int kBlock, bool kLevels>
void Choose(const TileLayout& layout, int rows, const uint8_t* tiles,
            ProductInput& x, float* out, int out_stride) {
#ifdef __wasm_relaxed_simd__
  constexpr bool kSevenBits = kBits < 8 && !kLevels;
  if (kSevenBits || RelaxedDotOperand() != WideOperand::kSaturates) {
    return Run<Kind<NarrowDot, kBits, kGroup, kOffsets, kBlock, kLevels>>(
        layout, rows, tiles, x, out, out_stride);
  }
#endif
  Run<Kind<WideDot, kBits, kGroup, kOffsets, kBlock, kLevels>>(
      layout, rows, tiles, x, out, out_stride);
}

}  // namespace

size_t TileScratchBytes(const TileLayout& layout, int columns) {
  return Panel::Bytes(columns / kTileColumns, kTileColumns / layout.group);
}

void TileProduct(const TileLayout& layout, int rows, const uint8_t* tiles,
                 ProductInput& x, float* out, int out_stride) {
  const auto run = [&](auto product) {
    product(layout, rows, tiles, x, out, out_stride);
  };
  if (layout.levels) return run(Choose<4, 32, false, 32, true>);
  switch (layout.bits) {
    case 4:
      if (layout.block == 256) return run(Choose<4, 32, true, 256, false>);
      return layout.offsets ? run(Choose<4, 32, true, 32, false>)
                            : run(Choose<4, 32, false, 32, false>);
    case 5:
      if (layout.block == 256) return run(Choose<5, 32, true, 256, false>);
      return layout.offsets ? run(Choose<5, 32, true, 32, false>)
                            : run(Choose<5, 32, false, 32, false>);
    case 6:
      return run(Choose<6, 16, false, 256, false>);
    case 8:
      return run(Choose<8, 32, false, 32, false>);
  }
  CHECK(false);
}

}  // namespace fastweights
