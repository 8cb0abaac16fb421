// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fastweights {

// Seeded draws that are the same with every standard library (splitmix64).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Bits() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double Between(double low, double high) {
    return low + (high - low) * static_cast<double>(Bits() >> 11) * 0x1p-53;
  }
  int Below(int limit) { return static_cast<int>(Bits() % limit); }
  // The sum of twelve uniforms has variance 1 and is normal enough.
  double Normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += Between(0.0, 1.0);
    return sum;
  }

  std::vector<float> Uniforms(size_t count, double low, double high) {
    std::vector<float> values(count);
    for (float& x : values) x = static_cast<float>(Between(low, high));
    return values;
  }
  std::vector<float> Normals(size_t count, double deviation = 1.0) {
    std::vector<float> values(count);
    for (float& x : values) x = static_cast<float>(deviation * Normal());
    return values;
  }

 private:
  uint64_t state_;
};

}  // namespace fastweights
