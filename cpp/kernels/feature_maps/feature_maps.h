// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

// Feature maps phi for linear attention: a query or key row x [dim] becomes
// phi(x) [FeatureDim], and phi(q) . phi(k) stands for the softmax kernel.

namespace fastweights {

enum class FeatureMap {
  kIdentity,    // x
  kEluPlusOne,  // elu(x) + 1 (Katharopoulos et al. 2020)
  kRelu,        // max(x, 0)
  kSilu,        // x sigmoid(x)
  // softmax([y, -y]), y = 2 (W x + b); W and b learned per head (Zhang et al.,
  // The Hedgehog & the Porcupine, 2024).
  kHedgehog,
  // softmax(x M), M fixed per model (Chen et al., DiJiang, 2024); see
  // DijiangMatrix.
  kDijiang,
  // phi(q) . phi(k) = 1 + s + s^2 / 2 with s = q . k / sqrt(dim) (Arora et al.,
  // Based, 2024): 1, x / dim^(1/4), then of x x^T / sqrt(2 dim) the upper
  // triangle by rows, sqrt 2 times what is off the diagonal; zeros up to a
  // multiple of 4.
  kTaylor,
  // r_i r_(i-j mod 2 dim) for i in [0, 2 dim), then for the next j, from 1 to
  // nu, with r = relu([x, -x]) (Schlag et al. 2021, DPFP).
  kDpfp,
};

struct FeatureMapShape {
  FeatureMap map;
  int dim;  // multiple of 4
  int nu;   // of DPFP, 1 to dim - 1; elsewhere not read
};

// Of one head.
struct FeatureMapArgs {
  const float* x;       // [rows, dim]
  int x_stride;         // floats from one row to the next
  const float* weight;  // [dim, dim]: Hedgehog's W, a row for each output;
                        // DiJiang's M, a row for each input; else null
  const float* bias;    // [dim], of Hedgehog; else null
  float* out;           // [rows, FeatureDim]; x only for the first four maps
  int out_stride;
};

// What there is to know of a map.
struct FeatureMapInfo {
  FeatureMap map;
  std::string_view name;  // "elu_plus_one" and so on
  bool has_weight;
  bool has_bias;
  int (*feature_dim)(int dim, int nu);
  // One row: x [dim] to out [feature_dim].
  void (*apply)(const FeatureMapShape& shape, const FeatureMapArgs& args,
                const float* x, float* out);
};

// All of them, in the order of the enum.
std::span<const FeatureMapInfo> FeatureMaps();

// Length of a row of features; a multiple of 4.
int FeatureDim(const FeatureMapShape& shape);

// The definition: float64 throughout, no SIMD. Linked into tests only.
void ApplyFeatureMapNaive(int rows, const FeatureMapShape& shape,
                          const FeatureMapArgs& args);

// Rows do not depend on each other.
void ApplyFeatureMap(int rows, const FeatureMapShape& shape,
                     const FeatureMapArgs& args);

// M = C diag(diagonal), C [frequency, place] the orthonormal DCT-II, as the
// model's authors draw it once and store it; diagonal [dim], matrix [dim, dim].
void DijiangMatrix(int dim, const float* diagonal, float* matrix);

}  // namespace fastweights
