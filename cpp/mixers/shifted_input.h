// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "kernels/token_shift.h"
#include "mixers/mixer.h"

namespace fastweights {

// A layer's input beside that of the token before, as RWKV's layers mix them.
// Each text keeps its last input, [dim], in its constant state.
class ShiftedInput {
 public:
  // `at`: floats of a text's constant state before what it keeps.
  ShiftedInput(const Pass& pass, ProductInput& x, size_t at)
      : pass_(pass), x_(x), at_(at) {}

  // out [tokens, dim] = x + (x of the token before - x) * (mix + extra), with
  // mix [dim] and extra [tokens, dim], which may be out, or null.
  void Mix(const float* mix, const float* extra, float* out) const {
    const int dim = x_.columns();
    const ProfileScope scope(x_.workspace().profile(), {"token shift"});
    size_t first = 0;
    for (const Stretch& text : pass_.texts) {
      const float* kept = text.state.constant + at_;
      ForRanges(x_.workspace().threads(), text.tokens,
                std::max(1, kTaskFloats / dim), [&](int from, int end) {
                  const size_t at = (first + from) * dim;
                  const float* x = x_.values() + at;
                  TokenShift(end - from, dim, from == 0 ? kept : x - dim, x,
                             mix, extra == nullptr ? nullptr : extra + at,
                             out + at);
                });
      first += text.tokens;
    }
  }

  // After the last Mix, and before anything takes x's place.
  void Keep() const {
    const int dim = x_.columns();
    const float* end = x_.values();
    for (const Stretch& text : pass_.texts) {
      end += static_cast<size_t>(text.tokens) * dim;
      std::copy_n(end - dim, dim, text.state.constant + at_);
    }
  }

 private:
  static constexpr int kTaskFloats = 16 << 10;

  const Pass& pass_;
  ProductInput& x_;
  size_t at_;
};

}  // namespace fastweights
