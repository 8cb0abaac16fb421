// SPDX-License-Identifier: MIT
#include "formats/fit_scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/simd.h"

namespace fastweights {
namespace {

constexpr int kCount = 32;
constexpr int kTrials = 20;
constexpr int kLanes = 4;

// x as the trials see it.
struct Values {
  explicit Values(const float* x) {
    float high = -std::numeric_limits<float>::infinity(), squares = 0.0f;
    for (int j = 0; j < kCount; ++j) {
      low = std::min(low, x[j]);
      high = std::max(high, x[j]);
      const float square = x[j] * x[j];
      squares += square;
    }
    span = high - low;
    is_finite = squares <= std::numeric_limits<float>::max();
    const float rms = std::sqrt(squares / static_cast<float>(kCount));
    for (int j = 0; j < kCount; ++j) {
      above[j] = x[j] - low;
      weights[j] = rms + std::abs(x[j]);
      const float weighted = weights[j] * above[j];
      const float square = weighted * above[j];
      sum_w += weights[j];
      sum_y += weighted;
      sum_yy += square;
    }
  }

  float low = 0.0f;  // of x and 0
  float span;        // from there to the largest
  bool is_finite;
  // Sums over y = x - low, which is at least 0 and loses less than x where
  // values are far from 0.
  float above[kCount], weights[kCount];
  float sum_w = 0.0f, sum_y = 0.0f, sum_yy = 0.0f;
};

// Of the codes that a step gives.
struct CodeSums {
  float q, qq, qy;  // weighted
};

// Those of four steps, one a lane: a lane adds in the order of the values.
void SumCodes(const Values& values, const float* steps, float top,
              CodeSums* sums) {
  // Added and taken away again, it rounds: to the nearest, ties to even.
  const F32x4 whole = Splat(0x1.8p23f);
  const F32x4 inverse = Div(Load(steps), Splat(values.span));
  const F32x4 most = Splat(top);
  F32x4 q_sum = Splat(0.0f), qq_sum = Splat(0.0f), qy_sum = Splat(0.0f);
  for (int j = 0; j < kCount; ++j) {
    const F32x4 y = Splat(values.above[j]);
    const F32x4 nearest = Sub(Add(Mul(y, inverse), whole), whole);
    const F32x4 q = Min(nearest, most);
    const F32x4 weighted = Mul(Splat(values.weights[j]), q);
    q_sum = Add(q_sum, weighted);
    qq_sum = Add(qq_sum, Mul(weighted, q));
    qy_sum = Add(qy_sum, Mul(weighted, y));
  }
  float q[kLanes], qq[kLanes], qy[kLanes];
  Store(q, q_sum);
  Store(qq, qq_sum);
  Store(qy, qy_sum);
  for (int i = 0; i < kLanes; ++i) sums[i] = {q[i], qq[i], qy[i]};
}

// scale * q + offset that fits y best, and the error that is left. Each product
// is a statement of its own: no compiler may fuse it with what follows.
struct Fit {
  Fit(const Values& values, const CodeSums& sums) {
    const float product = values.sum_w * sums.qq;
    const float square = sums.q * sums.q;
    const float determinant = product - square;
    const float least = 1e-5f * product;
    // Positive values that lie close together may all get the top code, which
    // leaves only a scale to fit.
    if (determinant > least) {
      const float first = sums.qq * values.sum_y;
      const float second = sums.q * sums.qy;
      offset = (first - second) / determinant;
    }
    // The minimum's field has no sign.
    offset = std::min(offset, -values.low);
    const float moved = offset * sums.q;
    scale = (sums.qy - moved) / sums.qq;
    const float scaled = scale * sums.qq;
    const float of_scale = scale * (scaled + 2.0f * moved - 2.0f * sums.qy);
    const float weight = offset * values.sum_w;
    const float of_offset = offset * (weight - 2.0f * values.sum_y);
    error = values.sum_yy + of_scale + of_offset;
  }

  float scale, offset = 0.0f, error;
};

}  // namespace

ScaleAndMinimum FitScaleAndMinimum(const float* x, int top) {
  const Values values(x);
  if (!values.is_finite) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    return {kNaN, kNaN};
  }
  ScaleAndMinimum best = {0.0f, -values.low};
  if (!(values.span > 0.0f)) return best;
  float best_error = std::numeric_limits<float>::infinity();
  for (int t = 0; t < kTrials; t += kLanes) {
    float steps[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      steps[i] = static_cast<float>(top + (t + i - 10) / 10.0);
    }
    CodeSums sums[kLanes];
    SumCodes(values, steps, static_cast<float>(top), sums);
    for (const CodeSums& of_step : sums) {
      const Fit fit(values, of_step);
      if (!(fit.scale >= 0.0f && fit.error < best_error)) continue;
      best_error = fit.error;
      best = {fit.scale, -(fit.offset + values.low)};
    }
  }
  return best;
}

}  // namespace fastweights
