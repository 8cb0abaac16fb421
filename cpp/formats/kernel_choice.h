// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// Which of XNNPACK's kernel and our own runs. Both add in the same order, so
// that only the clock tells them apart.
//
// GOP/s (multiply and add counted) of 4096 x 1024, one thread, Node 24,
// relaxed SIMD, Sapphire Rapids, November 2026, ours / XNNPACK's:
//
//   tokens  1         2         3         4         6         8         12
//   BF16    23 / 7    34 / 13   31 / 19   42 / 25   41 / 25   44 / 33   43 / 37
//   F16     7 / 5     13 / 9    18 / 14   22 / 19   18 / 21   22 / 28   22 / 32
//   F32     16 / 12   30 / 18   34 / 27   37 / 37   39 / 30   41 / 41   43 / 43
//
// Ours reads 16-bit weights as they are, XNNPACK's wants them widened first:
// 0.4 ms here (F16: 0.9), which many tokens share.
inline constexpr int kMostTokensBf16 = 16;  // that our kernel takes
inline constexpr int kMostTokensF16 = 4;
inline constexpr int kMostTokensF32 = 7;

// Widened weights that a task works with: they stay in the second-level cache.
inline constexpr size_t kPanelBytes = 128 << 10;

}  // namespace fastweights
