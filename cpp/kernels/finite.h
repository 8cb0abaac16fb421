// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// Whether none of x [count] is NaN or infinite.
bool AllFinite(size_t count, const float* x);

}  // namespace fastweights
