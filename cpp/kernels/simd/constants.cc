// SPDX-License-Identifier: MIT
#include "kernels/simd/constants.h"

namespace fastweights {

const int8_t kPairsOfRows[2][16] = {
    {0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1},
    {2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15, -1},
};

}  // namespace fastweights
