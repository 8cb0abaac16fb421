// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {

// What a token did to a head's state, for whoever looks at it: the chunk form
// leaves that of a call's last token where LinearRecurrenceArgs::trace says.
//
// A trace of a token is what it multiplied the state with and what it added,
// so that of the state before it and the one after it each gives the other:
//
//   S = Diag(decay) S_old + keys[0] writes[0]^T (+ keys[1] writes[1]^T)
struct RecurrenceTrace {
  RecurrenceTrace(const LinearRecurrenceShape& shape, float* at)
      : beta(at), query_norm(at + 1), value_norm(at + 2), decay(at + 3) {
    at += 4;
    for (int w = 0; w < WritesPerToken(shape.erase); ++w) {
      keys[w] = at;
      writes[w] = at + shape.key_dim;
      at += shape.key_dim + shape.value_dim;
    }
    if (shape.decay == Decay::kPerChannel) decay = at;
  }

  float* beta;        // 1 but for kDelta
  float* query_norm;  // of q and v as they are given to the kernel
  float* value_norm;
  float* decay;  // one, or [key_dim]; 1 without decay
  // k and u; of low rank also b and -e.
  float* keys[2];    // [key_dim]
  float* writes[2];  // [value_dim]
};

// Of a head.
inline int RecurrenceTraceFloats(const LinearRecurrenceShape& shape) {
  const int vectors =
      WritesPerToken(shape.erase) * (shape.key_dim + shape.value_dim);
  return 4 + vectors + (shape.decay == Decay::kPerChannel ? shape.key_dim : 0);
}

}  // namespace fastweights
