// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <sstream>
#include <string>

#include "golden_case.h"
#include "kernel_test.h"
#include "kernels/linear_recurrence/linear_recurrence.h"

// The cases that golden/kernels.py writes.

namespace fastweights {

// Their sizes, but Mamba-2's and those behind a feature map.
inline constexpr int kHeads = 2;
inline constexpr int kKeyDim = 16;
inline constexpr int kValueDim = 24;

using Arrays = GoldenArrays;

inline std::set<int> GoldenLengths(const std::string& operation) {
  std::istringstream index(ReadGolden("kernels/index.txt"));
  std::set<int> lengths;
  std::string name, array;
  int length = 0, offset = 0, count = 0;
  while (index >> name >> length >> array >> offset >> count) {
    if (name == operation) lengths.insert(length);
  }
  EXPECT_FALSE(lengths.empty()) << operation << " is not in the index";
  return lengths;
}

inline void Scale(std::vector<float>& x, float factor) {
  for (float& value : x) value *= factor;
}

// x times a gate for each of its numbers, or for each run of them.
inline void Gate(std::vector<float>& x, const std::vector<float>& gate) {
  const size_t run = x.size() / gate.size();
  for (size_t i = 0; i < x.size(); ++i) x[i] *= gate[i / run];
}

// The arrays named as the cell's arguments are, without its state and output.
inline LinearRecurrenceArgs ArgsOf(const LinearRecurrenceShape& shape,
                                   Arrays& arrays) {
  const int keys = shape.key_heads * shape.key_dim;
  return {.q = arrays["q"].data(),
          .q_stride = keys,
          .k = arrays["k"].data(),
          .k_stride = keys,
          .v = arrays["v"].data(),
          .v_stride = shape.heads * shape.value_dim,
          .g = arrays["g"].data(),
          .beta = arrays["beta"].data(),
          .p = arrays["p"].data(),
          .p_stride = keys,
          .b = arrays["b"].data(),
          .b_stride = keys,
          .bonus = arrays["bonus"].data(),
          .state = nullptr,
          .state_stride = shape.key_dim * shape.value_dim,
          .out = nullptr,
          .out_stride = shape.heads * shape.value_dim};
}

// The definition's output; `rows`, the state as [heads, key_dim, value_dim],
// becomes that after it.
inline std::vector<float> RunNaive(int tokens,
                                   const LinearRecurrenceShape& shape,
                                   Arrays& arrays, std::vector<float>& rows) {
  LinearRecurrenceArgs args = ArgsOf(shape, arrays);
  std::vector<float> state(rows.size());
  const auto index = [&](size_t i) {
    const size_t head = i / args.state_stride * args.state_stride;
    const int at = static_cast<int>(i - head);
    return head + StateIndex(shape, at / shape.value_dim, at % shape.value_dim);
  };
  for (size_t i = 0; i < rows.size(); ++i) state[index(i)] = rows[i];
  Poisoned out(static_cast<size_t>(tokens) * args.out_stride);
  args.state = state.data();
  args.out = out.data();
  LinearRecurrenceNaive(tokens, shape, args);
  EXPECT_TRUE(out.intact());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = state[index(i)];
  return {out.values().begin(), out.values().end()};
}

}  // namespace fastweights
