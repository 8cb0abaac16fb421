// SPDX-License-Identifier: MIT
#pragma once

// What vectors and their users count with.

#include <cstdint>

namespace fastweights {

// Floats of this size are whole numbers, so adding it rounds; and the last bits
// of the sum are the exponent of 2^n for the whole number n that was added.
inline constexpr float kExponentOfOne = 0x1.8p23f + 127;

// Whether MulAdd is one instruction: two take a register between them.
#ifdef __wasm_relaxed_simd__
inline constexpr bool kMulAddIsOne = true;
#else
inline constexpr bool kMulAddIsOne = false;
#endif

// Of half-precision numbers (LoadHalf4): what stays of their bits, moved up,
// and what their exponents' bias of 15 lacks to a float's 127.
inline constexpr int32_t kHalfMask = static_cast<int32_t>(0x8fffe000);
inline constexpr float kHalfScale = 0x1p112f;

// Where a quad of rows has the first two columns of each, and the other two; a
// negative place makes a zero, and of both an unsigned number of 16 bits. V8
// rebuilds a constant vector that the compiler knows at every use.
extern const int8_t kPairsOfRows[2][16];

}  // namespace fastweights
