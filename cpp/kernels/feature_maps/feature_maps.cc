// SPDX-License-Identifier: MIT
#include "kernels/feature_maps/feature_maps.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"
#include "kernels/softmax.h"

namespace fastweights {
namespace {

using Shape = FeatureMapShape;
using Args = FeatureMapArgs;

template <typename F>
void Elementwise(int dim, const float* x, float* out, const F& f) {
  for (int i = 0; i < dim; i += 4) Store(out + i, f(Load(x + i)));
}

F32x4 Relu(F32x4 x) { return Max(x, Splat(0.0f)); }

void Identity(const Shape& shape, const Args&, const float* x, float* out) {
  Elementwise(shape.dim, x, out, [](F32x4 v) { return v; });
}

void EluPlusOne(const Shape& shape, const Args&, const float* x, float* out) {
  const Exp exp;
  const F32x4 zero = Splat(0.0f);
  // One of the two is exp(0) = 1, or 0.
  Elementwise(shape.dim, x, out,
              [&](F32x4 v) { return Add(Max(v, zero), exp(Min(v, zero))); });
}

void ReluOf(const Shape& shape, const Args&, const float* x, float* out) {
  Elementwise(shape.dim, x, out, Relu);
}

void Silu(const Shape& shape, const Args&, const float* x, float* out) {
  const Exp exp;
  Elementwise(shape.dim, x, out,
              [&](F32x4 v) { return Mul(v, exp.Sigmoid(v)); });
}

void Hedgehog(const Shape& shape, const Args& args, const float* x,
              float* out) {
  const int dim = shape.dim;
  // Four outputs at once, whose sums do not wait for each other.
  for (int i = 0; i < dim; i += 4) {
    const float* W = args.weight + i * dim;
    F32x4 sum[4];
    for (F32x4& s : sum) s = Splat(0.0f);
    for (int j = 0; j < dim; j += 4) {
      const F32x4 xj = Load(x + j);
      for (int r = 0; r < 4; ++r) {
        sum[r] = MulAdd(Load(W + r * dim + j), xj, sum[r]);
      }
    }
    for (int r = 0; r < 4; ++r) {
      const float y = Sum(sum[r]) + args.bias[i + r];
      out[i + r] = y;
      out[dim + i + r] = -y;
    }
  }
  Softmax(2 * dim, 2.0f, out, out);
}

void Dijiang(const Shape& shape, const Args& args, const float* x, float* out) {
  const int dim = shape.dim;
  ForEachStrip(dim, [&](auto lanes, int column) {
    constexpr int kLanes = decltype(lanes)::value;
    F32x4 sum[kLanes];
    for (F32x4& s : sum) s = Splat(0.0f);
    for (int i = 0; i < dim; ++i) {
      const float* M = args.weight + i * dim + column;
      for (int l = 0; l < kLanes; ++l) {
        sum[l] = MulAdd(Splat(x[i]), Load(M + 4 * l), sum[l]);
      }
    }
    for (int l = 0; l < kLanes; ++l) Store(out + column + 4 * l, sum[l]);
  });
  Softmax(dim, 1.0f, out, out);
}

void Taylor(const Shape& shape, const Args&, const float* x, float* out) {
  const int dim = shape.dim;
  const float scale = 1.0f / std::sqrt(static_cast<float>(dim));
  const float half = std::sqrt(0.5f);
  *out++ = 1.0f;
  const F32x4 first = Splat(std::sqrt(scale));
  Elementwise(dim, x, out, [&](F32x4 v) { return Mul(v, first); });
  out += dim;
  for (int i = 0; i < dim; ++i) {
    const float xi = scale * x[i];
    const int count = dim - i;
    const float* right = x + i;
    int j = 0;
    for (; j + 4 <= count; j += 4) {
      Store(out + j, Mul(Splat(xi), Load(right + j)));
    }
    for (; j < count; ++j) out[j] = xi * right[j];
    out[0] *= half;
    out += count;
  }
  std::fill_n(out, -(1 + dim + dim * (dim + 1) / 2) & 3, 0.0f);
}

// out = relu(a) * relu(b), of their negatives where so told.
void ReluProduct(int count, const float* a, bool negate_a, const float* b,
                 bool negate_b, float* out) {
  const float sign_a = negate_a ? -1.0f : 1.0f;
  const float sign_b = negate_b ? -1.0f : 1.0f;
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    Store(out + i, Mul(Relu(Mul(Splat(sign_a), Load(a + i))),
                       Relu(Mul(Splat(sign_b), Load(b + i)))));
  }
  for (; i < count; ++i) {
    out[i] = std::max(sign_a * a[i], 0.0f) * std::max(sign_b * b[i], 0.0f);
  }
}

void Dpfp(const Shape& shape, const Args&, const float* x, float* out) {
  const int dim = shape.dim;
  // Of [x, -x] and of itself moved j to the right, four stretches in which the
  // sign of neither changes.
  for (int j = 1; j <= shape.nu; ++j, out += 2 * dim) {
    ReluProduct(j, x, false, x + dim - j, true, out);
    ReluProduct(dim - j, x + j, false, x, false, out + j);
    ReluProduct(j, x, true, x + dim - j, false, out + dim);
    ReluProduct(dim - j, x + j, true, x, true, out + dim + j);
  }
}

int Same(int dim, int) { return dim; }
int Twice(int dim, int) { return 2 * dim; }
int TaylorDim(int dim, int) {
  return (1 + dim + dim * (dim + 1) / 2 + 3) / 4 * 4;
}
int DpfpDim(int dim, int nu) { return 2 * dim * nu; }

constexpr FeatureMapInfo kMaps[] = {
    {FeatureMap::kIdentity, "identity", false, false, Same, Identity},
    {FeatureMap::kEluPlusOne, "elu_plus_one", false, false, Same, EluPlusOne},
    {FeatureMap::kRelu, "relu", false, false, Same, ReluOf},
    {FeatureMap::kSilu, "silu", false, false, Same, Silu},
    {FeatureMap::kHedgehog, "hedgehog", true, true, Twice, Hedgehog},
    {FeatureMap::kDijiang, "dijiang", true, false, Same, Dijiang},
    {FeatureMap::kTaylor, "taylor", false, false, TaylorDim, Taylor},
    {FeatureMap::kDpfp, "dpfp", false, false, DpfpDim, Dpfp},
};

const FeatureMapInfo& InfoOf(FeatureMap map) {
  const FeatureMapInfo& info = kMaps[static_cast<int>(map)];
  DCHECK(info.map == map);
  return info;
}

}  // namespace

std::span<const FeatureMapInfo> FeatureMaps() { return kMaps; }

int FeatureDim(const FeatureMapShape& shape) {
  return InfoOf(shape.map).feature_dim(shape.dim, shape.nu);
}

void ApplyFeatureMap(int rows, const FeatureMapShape& shape,
                     const FeatureMapArgs& args) {
  DCHECK(shape.dim > 0 && shape.dim % 4 == 0);
  DCHECK(shape.map != FeatureMap::kDpfp ||
         (shape.nu >= 1 && shape.nu < shape.dim));
  const FeatureMapInfo& info = InfoOf(shape.map);
  for (int row = 0; row < rows; ++row) {
    info.apply(shape, args, args.x + row * args.x_stride,
               args.out + row * args.out_stride);
  }
}

void DijiangMatrix(int dim, const float* diagonal, float* matrix) {
  const double turn = std::acos(-1.0) / (2 * dim);
  for (int k = 0; k < dim; ++k) {
    const double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / dim);
    for (int n = 0; n < dim; ++n) {
      // Whole turns are 4 dim: the angle stays small and exact.
      const int steps = (2 * n + 1) * k % (4 * dim);
      matrix[k * dim + n] =
          static_cast<float>(scale * std::cos(turn * steps) * diagonal[n]);
    }
  }
}

}  // namespace fastweights
