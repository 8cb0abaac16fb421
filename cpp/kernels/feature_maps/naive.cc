// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/feature_maps/feature_maps.h"

namespace fastweights {
namespace {

using Row = std::vector<double>;

Row SoftmaxOf(Row y) {
  const double largest = *std::max_element(y.begin(), y.end());
  double sum = 0;
  for (double& e : y) sum += e = std::exp(e - largest);
  for (double& e : y) e /= sum;
  return y;
}

Row Features(const FeatureMapShape& shape, const FeatureMapArgs& a,
             const Row& x) {
  const int d = shape.dim;
  Row y;
  switch (shape.map) {
    case FeatureMap::kIdentity:
      return x;
    case FeatureMap::kEluPlusOne:
      for (const double e : x) y.push_back(e > 0 ? e + 1 : std::exp(e));
      return y;
    case FeatureMap::kRelu:
      for (const double e : x) y.push_back(std::max(e, 0.0));
      return y;
    case FeatureMap::kSilu:
      for (const double e : x) y.push_back(e / (1 + std::exp(-e)));
      return y;
    case FeatureMap::kHedgehog:
      for (int i = 0; i < d; ++i) {
        double sum = a.bias[i];
        for (int j = 0; j < d; ++j) sum += a.weight[i * d + j] * x[j];
        y.push_back(2 * sum);
      }
      for (int i = 0; i < d; ++i) y.push_back(-y[i]);
      return SoftmaxOf(y);
    case FeatureMap::kDijiang:
      for (int j = 0; j < d; ++j) {
        double sum = 0;
        for (int i = 0; i < d; ++i) sum += x[i] * a.weight[i * d + j];
        y.push_back(sum);
      }
      return SoftmaxOf(y);
    case FeatureMap::kTaylor:
      y.push_back(1);
      for (const double e : x) y.push_back(e / std::pow(d, 0.25));
      for (int i = 0; i < d; ++i) {
        for (int j = i; j < d; ++j) {
          const double both = x[i] * x[j] / std::sqrt(2.0 * d);
          y.push_back(i == j ? both : both * std::sqrt(2.0));
        }
      }
      while (y.size() % 4 != 0) y.push_back(0);
      return y;
    case FeatureMap::kDpfp:
      Row r;
      for (const double e : x) r.push_back(std::max(e, 0.0));
      for (const double e : x) r.push_back(std::max(-e, 0.0));
      for (int j = 1; j <= shape.nu; ++j) {
        for (int i = 0; i < 2 * d; ++i) {
          y.push_back(r[i] * r[(i - j + 2 * d) % (2 * d)]);
        }
      }
      return y;
  }
  return y;
}

}  // namespace

void ApplyFeatureMapNaive(int rows, const FeatureMapShape& shape,
                          const FeatureMapArgs& args) {
  for (int row = 0; row < rows; ++row) {
    const float* x = args.x + row * args.x_stride;
    const Row features = Features(shape, args, Row(x, x + shape.dim));
    for (size_t i = 0; i < features.size(); ++i) {
      args.out[row * args.out_stride + i] = static_cast<float>(features[i]);
    }
  }
}

}  // namespace fastweights
