// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "formats/weights.h"

namespace fastweights {

// Whether this engine multiplies as it should with matrices of some ggml types
// in a form: products of small whole numbers by every loop that will run,
// whatever the number of tokens, which must come out exact. Types that nothing
// implements have none. Relaxed SIMD is young, and the baseline compiler of V8
// 11.3, for one, gets its int8 dot product wrong in loops.
//
// An engine that compiles each function when it is first called spends its time
// on that, hence only the types that a model has.
bool ProductsAreExact(std::span<const int> types, MatrixForm form);

}  // namespace fastweights
