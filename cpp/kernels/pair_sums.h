// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fastweights {

// Sums of a few int8 numbers: of the first two of each four, and of the others.
struct PairSums {
  int16_t first, second;
};

}  // namespace fastweights
