// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/linear_recurrence/linear_recurrence.h"

// What some systems divide the cell's output by: the keys are summed up as the
// cell does their products with the values, and q reads that sum.
//
//   z <- Diag(exp g) z + k
//   o <- o / (q . z + epsilon)                    sum
//   o <- o / (max(|q . z|, floor) + epsilon)      sum or one
//
// The sum: linear transformer (Katharopoulos et al. 2020, eqs. 18 to 20,
// epsilon 1e-6), Based (Arora et al. 2024) and Hedgehog (Zhang et al. 2024), on
// keys and queries that are a feature map's and not negative; where they have
// both signs q . z may be near nothing. Sum or one: mLSTM (Beck et al., xLSTM,
// 2024, section 2.3; epsilon 1e-6), where the one is exp(-m) of the stabilised
// cell.

namespace fastweights {

enum class Normaliser { kSum, kSumOrOne };

struct NormaliserArgs {
  Normaliser kind;
  float epsilon;
  const float* floor;  // [tokens, heads]; null but for kSumOrOne
  float* z;            // [heads, key_dim], read and written
  int z_stride;        // floats from one head to the next
};

// The definition, in float64. Linked into tests only.
void NormaliseNaive(int tokens, const LinearRecurrenceShape& shape,
                    const LinearRecurrenceArgs& cell,
                    const NormaliserArgs& args);

// One head, all tokens. shape and cell are the cell's, which has run before: of
// cell this reads q, k and g and divides out in place. Token by token, so no
// split of a text changes a bit.
void Normalise(int tokens, const LinearRecurrenceShape& shape,
               const LinearRecurrenceArgs& cell, const NormaliserArgs& args,
               int head, float* scratch);

inline int NormaliserScratchFloats(const LinearRecurrenceShape& shape) {
  return shape.decay == Decay::kPerChannel ? shape.key_dim : 0;
}

// The exponential gates of mLSTM (Beck et al. 2024, eqs. 15 to 17), which
// overflow unless the largest exponent so far, m, is taken out of the state:
//
//   m_t = max(log sigmoid(f) + m_{t - 1}, i)
//   g   = log sigmoid(f) + m_{t - 1} - m_t    the cell's log decay per head
//   k  <- exp(i - m_t) k
//   floor = exp(-m_t)                         infinite where m_t is below -88
//
// In place: i becomes the floor, f becomes g.
struct MlstmGates {
  float* i;  // [tokens, heads], pre-activation
  float* f;  // [tokens, heads], pre-activation
  float* k;  // [tokens, heads, key_dim]
  int k_stride;
  float* m;  // [heads], read and written; zero before a text
};

void StabiliseMlstmNaive(int tokens, const LinearRecurrenceShape& shape,
                         const MlstmGates& gates);

// One head, all tokens; as many key heads as heads.
void StabiliseMlstm(int tokens, const LinearRecurrenceShape& shape,
                    const MlstmGates& gates, int head);

}  // namespace fastweights
