// SPDX-License-Identifier: MIT
#include "base/checksum.h"

#include <cstring>
#include <vector>

namespace fastweights {
namespace {

constexpr size_t kBlockBytes = 1 << 16;  // that a thread takes at a time
// Of one vector: sums and keys then stay in V8's registers.
constexpr int kWords = 4;
constexpr size_t kStripeBytes = 2 * kWords * sizeof(uint32_t);

// Odd, with as many ones as zeros: those of SplitMix64 and XXH32.
constexpr uint64_t kMultiplier = 0xbf58476d1ce4e5b9;
constexpr uint32_t kFirstKey = 0x9e3779b1, kNextKey = 0x85ebca77;

uint64_t Mixed(uint64_t value) {
  value = (value ^ value >> 31) * kMultiplier;
  return value ^ value >> 29;
}

// Of whole stripes, and of what is left of one with zeros behind it.
uint64_t SumOf(const uint8_t* bytes, size_t count) {
  uint64_t sums[kWords] = {};
  uint32_t keys[kWords];
  for (uint32_t i = 0; i < kWords; ++i) keys[i] = kFirstKey * (2 * i + 1);
  const auto add = [&](const uint8_t* stripe) {
    uint32_t first[kWords], second[kWords];
    std::memcpy(first, stripe, sizeof(first));
    std::memcpy(second, stripe + sizeof(first), sizeof(second));
    for (int i = 0; i < kWords; ++i) {
      // The words themselves, too: a factor of zero would hide the other.
      sums[i] += static_cast<uint64_t>(first[i] ^ keys[i]) *
                 static_cast<uint64_t>(second[i] ^ keys[i]);
      sums[i] += static_cast<uint64_t>(second[i]) << 32 | first[i];
      keys[i] += kNextKey;
    }
  };
  size_t at = 0;
  for (; at + kStripeBytes <= count; at += kStripeBytes) add(bytes + at);
  if (at < count) {
    uint8_t last[kStripeBytes] = {};
    std::memcpy(last, bytes + at, count - at);
    add(last);
  }
  uint64_t sum = 0;
  for (const uint64_t part : sums) sum = Mixed(sum + part);
  return sum;
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
