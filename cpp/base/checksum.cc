// SPDX-License-Identifier: MIT
#include "base/checksum.h"

#include <cstring>
#include <vector>

namespace fastweights {
namespace {

constexpr size_t kBlockBytes = 1 << 16;  // that a thread takes at a time
constexpr int kWords = 8;                // of one vector pair
constexpr size_t kStripeBytes = 2 * kWords * sizeof(uint32_t);

// Odd, with as many ones as zeros: those of SplitMix64 and XXH32.
constexpr uint64_t kMultiplier = 0xbf58476d1ce4e5b9;
constexpr uint32_t kFirstKey = 0x9e3779b1, kSecondKey = 0x85ebca77;

uint64_t Mixed(uint64_t value) {
  value = (value ^ value >> 31) * kMultiplier;
  return value ^ value >> 29;
}

class BlockSum {
 public:
  BlockSum() {
    for (uint32_t i = 0; i < kWords; ++i) {
      first_keys_[i] = kFirstKey * (2 * i + 1);
      second_keys_[i] = kSecondKey * (2 * i + 1);
    }
  }

  void AddStripe(const uint8_t* bytes) {
    uint32_t first[kWords], second[kWords];
    std::memcpy(first, bytes, sizeof(first));
    std::memcpy(second, bytes + sizeof(first), sizeof(second));
    for (int i = 0; i < kWords; ++i) {
      // The words themselves, too: a factor of zero would hide the other.
      sums_[i] += static_cast<uint64_t>(first[i] ^ first_keys_[i]) *
                      (second[i] ^ second_keys_[i]) +
                  (static_cast<uint64_t>(second[i]) << 32 | first[i]);
      first_keys_[i] += kSecondKey;
      second_keys_[i] += kFirstKey;
    }
  }

  uint64_t Sum() const {
    uint64_t sum = 0;
    for (const uint64_t part : sums_) sum = Mixed(sum + part);
    return sum;
  }

 private:
  uint32_t first_keys_[kWords], second_keys_[kWords];
  uint64_t sums_[kWords] = {};
};

uint64_t SumOf(const uint8_t* bytes, size_t count) {
  BlockSum sum;
  size_t at = 0;
  for (; at + kStripeBytes <= count; at += kStripeBytes) {
    sum.AddStripe(bytes + at);
  }
  if (at < count) {
    uint8_t last[kStripeBytes] = {};
    std::memcpy(last, bytes + at, count - at);
    sum.AddStripe(last);
  }
  return sum.Sum();
}

}  // namespace

void Checksum::Add(const uint8_t* bytes, size_t count, Threads& threads) {
  const size_t blocks = (count + kBlockBytes - 1) / kBlockBytes;
  std::vector<uint64_t> sums(blocks);
  threads.For(static_cast<int>(blocks), [&](int block, int) {
    const size_t at = block * kBlockBytes;
    sums[block] =
        SumOf(bytes + at, count - at < kBlockBytes ? count - at : kBlockBytes);
  });
  for (const uint64_t sum : sums) Mix(sum);
  Mix(count);
}

void Checksum::Mix(uint64_t value) {
  state_ = Mixed(state_ * kMultiplier + value + 1);
}

std::string Checksum::Hex() const {
  std::string digits(16, '0');
  for (int i = 0; i < 16; ++i) {
    digits[i] = "0123456789abcdef"[state_ >> (60 - 4 * i) & 15];
  }
  return digits;
}

}  // namespace fastweights
