// SPDX-License-Identifier: MIT

// The recurrence on states with nothing pending.

#include "base/check.h"
#include "kernels/linear_recurrence/keys.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// The arguments from a token on.
LinearRecurrenceArgs From(int token, const LinearRecurrenceShape& shape,
                          LinearRecurrenceArgs args) {
  const auto move = [&](const float** from, int stride) {
    if (*from) *from += token * stride;
  };
  const int gates =
      shape.heads * (shape.decay == Decay::kPerChannel ? shape.key_dim : 1);
  move(&args.q, args.q_stride);
  move(&args.k, args.k_stride);
  move(&args.v, args.v_stride);
  move(&args.g, gates);
  move(&args.beta, shape.heads);
  move(&args.p, args.p_stride);
  move(&args.b, args.b_stride);
  args.out += token * args.out_stride;
  return args;
}

// S^T q on a strip of 4 * kLanes value columns.
template <int kLanes>
void ReadStrip(int key_dim, const float* q, const float* state, float* out) {
  F32x4 read[kLanes];
  for (F32x4& r : read) r = Splat(0.0f);
  for (int i = 0; i < key_dim; ++i, state += 4 * kLanes) {
    const F32x4 qi = Splat(q[i]);
    for (int l = 0; l < kLanes; ++l) {
      read[l] = MulAdd(qi, Load(state + 4 * l), read[l]);
    }
  }
  for (int l = 0; l < kLanes; ++l) Store(out + 4 * l, read[l]);
}

}  // namespace

void LinearRecurrence(int tokens, const LinearRecurrenceShape& shape,
                      const LinearRecurrenceArgs& args, int head,
                      float* scratch) {
  // Measured at 128 x 128: without erasure a token reads the state once, and of
  // low rank a chunk's second write costs more than its decays save.
  const bool saves = shape.erase == Erase::kDelta || shape.erase == Erase::kKey;
  const int chunked = saves ? tokens / kChunkTokens * kChunkTokens : 0;
  if (chunked > 0) {
    LinearRecurrenceArgs chunks = args;
    chunks.pending = scratch + ChunkScratchFloats(shape);
    LinearRecurrenceChunk(0, chunked, shape, chunks, head, scratch);
  }
  if (chunked == tokens) return;
  LinearRecurrenceRecurrent(tokens - chunked, shape, From(chunked, shape, args),
                            head, scratch);
}

void LinearRecurrenceRead(int queries, const LinearRecurrenceShape& shape,
                          const LinearRecurrenceArgs& args, int head) {
  DCHECK(shape.key_dim % 4 == 0 && shape.value_dim % 4 == 0);
  const int K = shape.key_dim, V = shape.value_dim;
  const float* q = args.q + KeyHeadOf(shape, head) * K;
  const float* state = args.state + head * args.state_stride;
  float* out = args.out + head * V;
  for (int i = 0; i < queries; ++i) {
    ForEachStrip(V, [&](auto lanes, int column) {
      ReadStrip<decltype(lanes)::value>(K, q + i * args.q_stride,
                                        state + column * K,
                                        out + i * args.out_stride + column);
    });
  }
}

}  // namespace fastweights
