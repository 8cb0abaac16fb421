// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/hopfield/hopfield.h"

namespace fastweights {

void SeparateNaive(Separation separation, int rows, int dim,
                   const SeparationArgs& args) {
  for (int row = 0; row < rows; ++row) {
    const float* x = args.x + row * args.x_stride;
    float* out = args.out + row * args.out_stride;
    const double beta = args.beta;
    const double largest = *std::max_element(x, x + dim);
    double sum = 0;
    for (int i = 0; i < dim; ++i) sum += std::exp(beta * (x[i] - largest));
    for (int i = 0; i < dim; ++i) {
      double y = x[i];
      if (separation == Separation::kSign) y = (y > 0) - (y < 0);
      if (separation == Separation::kSoftmax) {
        y = std::exp(beta * (y - largest)) / sum;
      }
      out[i] = static_cast<float>(y);
    }
  }
}

}  // namespace fastweights
