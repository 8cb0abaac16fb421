// SPDX-License-Identifier: MIT
#include "kernels/exp.h"

namespace fastweights {

// The polynomial is that of Cephes' expf (Moshier).
const float kExpTable[13] = {
    -87.3f,
    87.3f,
    1.44269504088896341f,
    -0.693359375f,
    2.12194440e-4f,
    1.9875691500e-4f,
    1.3981999507e-3f,
    8.3334519073e-3f,
    4.1665795894e-2f,
    1.6666665459e-1f,
    5.0000001201e-1f,
    1.0f,
    kExponentOfOne,
};

// 2, then 2 / n for n = 3, 5, ...
const float kLogTable[8] = {2.0f,         2.0f / 3.0f, 2.0f / 5.0f,
                            2.0f / 7.0f,  2.0f / 9.0f, 2.0f / 11.0f,
                            2.0f / 13.0f, 2.0f / 15.0f};

}  // namespace fastweights
