// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace fastweights {

// The definition of every type: `count` weights from their bytes, in float64,
// one weight at a time as the format's documentation states it. Linked into
// tests only.
std::vector<double> DequantiseNaive(int type, const uint8_t* bytes, int count);

}  // namespace fastweights
