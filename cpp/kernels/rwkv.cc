// SPDX-License-Identifier: MIT
#include "kernels/rwkv.h"

#include <cmath>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

constexpr float kMostDecay = -0.60653066f;  // -e^(-1/2)

// Below this a key that erases has no direction.
constexpr float kLeastSquares = 1e-24f;

}  // namespace

void Rwkv7Prepare(int rows, int dim, const Rwkv7Vectors& vectors,
                  const Rwkv7Rows& x) {
  DCHECK(dim % 4 == 0);
  const Exp exp;
  const F32x4 one = Splat(1.0f), most_decay = Splat(kMostDecay);
  for (int row = 0; row < rows; ++row) {
    const int at = row * x.stride;
    const float* r = x.r + at;
    float *k = x.k + at, *v = x.v + at, *w = x.w + at, *a = x.a + at,
          *p = x.p + at;
    float* first = x.first + row * x.first_stride;
    float* bonus = x.bonus + row * dim;
    F32x4 squares = Splat(0.0f), reads = Splat(0.0f);
    for (int i = 0; i < dim; i += 4) {
      Store(w + i, Mul(most_decay,
                       exp.Sigmoid(Add(Load(vectors.w0 + i), Load(w + i)))));
      const F32x4 rate = exp.Sigmoid(Add(Load(vectors.a0 + i), Load(a + i)));
      Store(a + i, rate);
      F32x4 value = Load(v + i);
      if (vectors.v0 == nullptr) {
        Store(first + i, value);
      } else {
        const F32x4 blend = exp.Sigmoid(Add(Load(vectors.v0 + i), Load(p + i)));
        value = MulAdd(Sub(Load(first + i), value), blend, value);
        Store(v + i, value);
      }
      const F32x4 key = Load(k + i);
      const F32x4 erase = Mul(key, Load(vectors.k_k + i));
      Store(p + i, erase);
      squares = MulAdd(erase, erase, squares);
      const F32x4 written =
          Mul(key, MulAdd(Sub(rate, one), Load(vectors.k_a + i), one));
      Store(k + i, written);
      reads = MulAdd(Mul(Load(r + i), written), Load(vectors.r_k + i), reads);
    }
    const F32x4 scale = Splat(1.0f / std::sqrt(Sum(squares) + kLeastSquares));
    const F32x4 read = Splat(Sum(reads));
    for (int i = 0; i < dim; i += 4) {
      const F32x4 erase = Mul(Load(p + i), scale);
      Store(p + i, erase);
      Store(a + i, Mul(Load(a + i), erase));
      Store(bonus + i, Mul(read, Load(v + i)));
    }
  }
}

void Rwkv7Gate(int rows, int dim, const float* bonus, const float* gate,
               float* o, int stride) {
  DCHECK(dim % 4 == 0);
  for (int row = 0; row < rows; ++row, bonus += dim, o += stride) {
    for (int i = 0; i < dim; i += 4) {
      const F32x4 sum = Add(Load(o + i), Load(bonus + i));
      Store(o + i, gate == nullptr ? sum : Mul(sum, Load(gate + i)));
    }
    if (gate != nullptr) gate += stride;
  }
}

void Rwkv6Decay(int rows, int dim, const float* decay, float* w, int stride) {
  DCHECK(dim % 4 == 0);
  const Exp exp;
  const F32x4 zero = Splat(0.0f);
  for (int row = 0; row < rows; ++row, w += stride) {
    for (int i = 0; i < dim; i += 4) {
      Store(w + i, Sub(zero, exp(Add(Load(decay + i), Load(w + i)))));
    }
  }
}

void ComplementKeys(int rows, int dim, const float* w, float* k, int stride) {
  DCHECK(dim % 4 == 0);
  const Exp exp;
  const F32x4 one = Splat(1.0f);
  for (int row = 0; row < rows; ++row, w += stride, k += stride) {
    for (int i = 0; i < dim; i += 4) {
      Store(k + i, Mul(Load(k + i), Sub(one, exp(Load(w + i)))));
    }
  }
}

}  // namespace fastweights
