// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// Which of XNNPACK's kernel and our own runs. Both add in the same order, so
// that only the clock tells them apart.
//
// GOP/s (multiply and add counted) of 4096 x 1024, ours / XNNPACK's, by
// `npm run bench -- products`, November 2026: one thread, relaxed SIMD, Node
// 24, Sapphire Rapids.
//
//   tokens  1        2        3        4        6        8        16
//   BF16    23 / 7   35 / 12  37 / 18  44 / 25  41 / 24  44 / 33  45 / 39
//   F16     6 / 4    13 / 10  18 / 14  22 / 19  18 / 21  22 / 28  22 / 35
//   F32     16 / 7   26 / 17  31 / 26  34 / 35  38 / 30  40 / 40  44 / 44
//
// Ours reads 16-bit weights as they are, XNNPACK's wants them widened first:
// 0.4 ms here (F16: 0.9), which many tokens share.
// SIMD128 alone gives the same limits within 6 %.
inline constexpr int kMostTokensBf16 = 16;  // that our kernel takes
inline constexpr int kMostTokensF16 = 4;
inline constexpr int kMostTokensF32 = 7;

// Widened weights that a task works with: they stay in the second-level cache.
inline constexpr size_t kPanelBytes = 128 << 10;

}  // namespace fastweights
