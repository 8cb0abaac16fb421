// SPDX-License-Identifier: MIT

// The state that tokens have made of a head's, whether their chunk has ended or
// not.

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/dot.h"
#include "kernels/linear_recurrence/chunk_products.h"
#include "kernels/linear_recurrence/keys.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// What is pending, as it will be added.
struct Additions {
  int tokens;
  const float* keys[2];       // [tokens, key_dim] of each write
  float left[kChunkTokens];   // D(t, last), where it is a number
  float state_decay;          // D(-1, last)
  const float* state_decays;  // the same per channel; null where it is a number
};

Additions AdditionsOf(int tokens, const LinearRecurrenceShape& shape,
                      const PendingTokens& pending) {
  Additions all = {};
  all.tokens = tokens;
  all.state_decay = 1.0f;
  for (int w = 0; w < WritesPerToken(shape.erase); ++w) {
    all.keys[w] = pending.Keys(shape, w);
  }
  std::fill_n(all.left, kChunkTokens, 1.0f);
  const bool per_channel = shape.decay == Decay::kPerChannel;
  // Keys are decayed up to the last token there.
  all.state_decays = per_channel && tokens > 0 ? pending.decays : nullptr;
  if (per_channel) return all;
  for (int t = 0; t < tokens; ++t) {
    const auto fade = [&](float& decay) {
      decay *= pending.decays[t];
      if (decay < kLeastDecay) decay = 0.0f;
    };
    fade(all.state_decay);
    for (int s = 0; s < t; ++s) fade(all.left[s]);
  }
  return all;
}

// On a strip of 4 * kLanes value columns; out has rows of value_dim.
template <int kLanes>
void StateStrip(const LinearRecurrenceShape& shape, const Additions& all,
                const float* const* writes, const float* state, float* out) {
  const int K = shape.key_dim;
  for (int i = 0; i < K; ++i, state += 4 * kLanes, out += shape.value_dim) {
    const F32x4 decay =
        Splat(all.state_decays ? all.state_decays[i] : all.state_decay);
    F32x4 sum[kLanes];
    for (int l = 0; l < kLanes; ++l) sum[l] = Mul(decay, Load(state + 4 * l));
    for (int w = 0; w < WritesPerToken(shape.erase); ++w) {
      for (int t = 0; t < all.tokens; ++t) {
        const F32x4 k = Splat(all.left[t] * all.keys[w][t * K + i]);
        const float* u = writes[w] + 4 * kLanes * t;
        for (int l = 0; l < kLanes; ++l) {
          sum[l] = MulAdd(k, Load(u + 4 * l), sum[l]);
        }
      }
    }
    for (int l = 0; l < kLanes; ++l) Store(out + 4 * l, sum[l]);
  }
}

}  // namespace

void LinearRecurrenceState(int position, const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head,
                           float* out) {
  DCHECK(args.state_stride >= ChunkStateFloats(shape) && head < shape.heads);
  const int K = shape.key_dim;
  float* state = args.state + head * args.state_stride;
  const PendingTokens pending(shape, state + K * shape.value_dim);
  const Additions all = AdditionsOf(position % kChunkTokens, shape, pending);
  ForEachStrip(shape.value_dim, [&](auto lanes, int column) {
    const float* writes[2];
    for (int w = 0; w < WritesPerToken(shape.erase); ++w) {
      writes[w] = pending.Writes(shape, w, column);
    }
    StateStrip<decltype(lanes)::value>(shape, all, writes, state + column * K,
                                       out + column);
  });
}

float StateNorm(int count, const float* state) {
  return std::sqrt(Dot(count, state, state));
}

}  // namespace fastweights
