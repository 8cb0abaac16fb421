// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// Whether this engine multiplies as it should: products of every width of
// codes on a few small whole numbers, which must come out exact. Relaxed SIMD
// is young, and the baseline compiler of V8 11.3, for one, gets its int8 dot
// product wrong in loops.
bool ProductsAreExact();

}  // namespace fastweights
