// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "random.h"

namespace fastweights {

// Memory for the code under test: NaN where nobody wrote, guard words on both
// sides, `offset` floats away from an aligned address.
class Poisoned {
 public:
  explicit Poisoned(size_t count, size_t offset = 0)
      : count_(count),
        start_(kGuards + offset),
        memory_(start_ + count + kGuards, kGuard) {
    std::fill_n(data(), count_, NAN);
  }
  Poisoned(std::span<const float> values, size_t offset)
      : Poisoned(values.size(), offset) {
    std::copy(values.begin(), values.end(), data());
  }

  float* data() { return memory_.data() + start_; }
  size_t size() const { return count_; }
  std::span<const float> values() const {
    return {memory_.data() + start_, count_};
  }
  // Whether the guard words are as they were.
  bool intact() const {
    const auto guard = [](float x) { return x == kGuard; };
    return std::all_of(memory_.begin(), memory_.begin() + start_, guard) &&
           std::all_of(memory_.begin() + start_ + count_, memory_.end(), guard);
  }

 private:
  static constexpr size_t kGuards = 16;
  // A number, not a NaN: adding to it must show.
  static constexpr float kGuard = 1.0e7f + 21.0f;

  size_t count_;
  size_t start_;
  std::vector<float> memory_;
};

// sqrt(sum |actual - expected|^2 / sum |expected|^2); the plain root mean
// square error where everything expected is zero.
template <typename Actual, typename Expected>
double RelativeRms(const Actual& actual, const Expected& expected) {
  if (std::empty(expected)) return 0.0;
  double error = 0.0, norm = 0.0;
  for (size_t i = 0; i < std::size(expected); ++i) {
    const double wanted = expected[i];
    error += (actual[i] - wanted) * (actual[i] - wanted);
    norm += wanted * wanted;
  }
  const double count = static_cast<double>(std::size(expected));
  return std::sqrt(error / (norm > 0.0 ? norm : count));
}

template <typename Actual, typename Expected>
testing::AssertionResult Near(const Actual& actual, const Expected& expected,
                              double limit) {
  if (std::size(actual) != std::size(expected)) {
    return testing::AssertionFailure()
           << std::size(actual) << " values, not " << std::size(expected);
  }
  const double ratio = RelativeRms(actual, expected);
  // Written so that NaN fails.
  if (!(ratio <= limit)) {
    return testing::AssertionFailure()
           << "relative RMS error " << ratio << " is above " << limit;
  }
  return testing::AssertionSuccess();
}

// Bit for bit, which tells -0 from 0 and takes NaN for equal to itself.
inline testing::AssertionResult Same(std::span<const float> actual,
                                     std::span<const float> expected) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure()
           << actual.size() << " values, not " << expected.size();
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::memcmp(&actual[i], &expected[i], sizeof(float)) != 0) {
      return testing::AssertionFailure() << "[" << i << "] is " << actual[i]
                                         << ", expected " << expected[i];
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace fastweights
