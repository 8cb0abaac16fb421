// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// scale * q - minimum
struct ScaleAndMinimum {
  float scale, minimum;
};

// What best fits x [32] with codes q in [0, top] that a trial step gives: of
// steps a tenth of a code apart, a least squares fit each, weighted by
// |x| + rms(x), the one with the smallest error. The minimum is at least 0.
//
// The search is the one that ggml's make_qkx2_quants makes. All in single
// precision and in one order, so that every build and tools/gguf/fit-scales.mjs
// find the same to the bit. NaN where the squares of x have no finite sum.
ScaleAndMinimum FitScaleAndMinimum(const float* x, int top);

}  // namespace fastweights
