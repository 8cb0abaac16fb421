// SPDX-License-Identifier: MIT
#include "kernels/linear_recurrence/normaliser.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/activations.h"
#include "kernels/linear_recurrence/keys.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// z = decay * z + k, the decay one number or, where it is null, that of each
// channel; z . q.
float AddKey(int dim, float decay, const float* decays, const float* k,
             const float* q, float* z) {
  F32x4 all = Splat(decay), sum = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) {
    if (decays != nullptr) all = Load(decays + i);
    const F32x4 x = MulAdd(all, Load(z + i), Load(k + i));
    Store(z + i, x);
    sum = MulAdd(x, Load(q + i), sum);
  }
  return Sum(sum);
}

}  // namespace

void Normalise(int tokens, const LinearRecurrenceShape& shape,
               const LinearRecurrenceArgs& cell, const NormaliserArgs& args,
               int head, float* scratch) {
  DCHECK(shape.key_dim % 4 == 0 && shape.value_dim % 4 == 0);
  DCHECK(shape.heads % shape.key_heads == 0 && head < shape.heads);
  const int K = shape.key_dim, V = shape.value_dim;
  float* z = args.z + head * args.z_stride;
  for (int t = 0; t < tokens; ++t) {
    const TokenKeys token(shape, cell, t, head);
    const bool per_channel = shape.decay == Decay::kPerChannel;
    if (per_channel) DecaysOf(K, token.g, scratch);
    const float decay =
        shape.decay == Decay::kPerHead ? std::exp(*token.g) : 1.0f;
    float sum =
        AddKey(K, decay, per_channel ? scratch : nullptr, token.k, token.q, z);
    if (args.kind == Normaliser::kSumOrOne) {
      sum = std::max(std::abs(sum), args.floor[t * shape.heads + head]);
    }
    const F32x4 divisor = Splat(sum + args.epsilon);
    float* out = cell.out + t * cell.out_stride + head * V;
    for (int j = 0; j < V; j += 4) Store(out + j, Div(Load(out + j), divisor));
  }
}

void StabiliseMlstm(int tokens, const LinearRecurrenceShape& shape,
                    const MlstmGates& gates, int head) {
  DCHECK(shape.key_heads == shape.heads && head < shape.heads);
  float m = gates.m[head];
  for (int t = 0; t < tokens; ++t) {
    float& i = gates.i[t * shape.heads + head];
    float& f = gates.f[t * shape.heads + head];
    const float kept = m - Softplus(-f);
    m = std::max(kept, i);
    const F32x4 factor = Splat(std::exp(i - m));
    f = kept - m;
    i = std::exp(-m);
    float* k = gates.k + t * gates.k_stride + head * shape.key_dim;
    for (int c = 0; c < shape.key_dim; c += 4) {
      Store(k + c, Mul(factor, Load(k + c)));
    }
  }
  gates.m[head] = m;
}

}  // namespace fastweights
