// SPDX-License-Identifier: MIT
#include "base/checksum.h"

#include <bit>
#include <cstring>

namespace fastweights {
namespace {

constexpr size_t kBlockBytes = 1 << 16;  // in which no key comes twice
constexpr size_t kStripeBytes = 32;

// Odd, with as many ones as zeros: those of SplitMix64 and XXH32.
constexpr uint64_t kMultiplier = 0xbf58476d1ce4e5b9;
constexpr uint32_t kFirstKey = 0x9e3779b1, kNextKey = 0x85ebca77;

uint64_t Mixed(uint64_t value) {
  value = (value ^ value >> 31) * kMultiplier;
  return value ^ value >> 29;
}

// As vectors, since of loops over words LLVM makes loads of single lanes:
// 525 MB take 20 ms in V8, 41 of such. Lanes are numbered as bytes lie.
typedef uint32_t Words __attribute__((vector_size(16)));
typedef uint64_t Sums __attribute__((vector_size(16)));

Sums Low(Words words) {
  return __builtin_convertvector(__builtin_shufflevector(words, words, 0, 1),
                                 Sums);
}

Sums High(Words words) {
  return __builtin_convertvector(__builtin_shufflevector(words, words, 2, 3),
                                 Sums);
}

// Of whole stripes, and of what is left of one with zeros behind it.
uint64_t SumOf(const uint8_t* bytes, size_t count) {
  Sums low = {}, high = {};
  Words keys = {kFirstKey, 3 * kFirstKey, 5 * kFirstKey, 7 * kFirstKey};
  const auto add = [&](const uint8_t* stripe) {
    Words first, second;
    std::memcpy(&first, stripe, sizeof(first));
    std::memcpy(&second, stripe + sizeof(first), sizeof(second));
    low += Low(first ^ keys) * Low(second ^ keys);
    high += High(first ^ keys) * High(second ^ keys);
    // The words themselves, too: a factor of zero would hide the other.
    low +=
        std::bit_cast<Sums>(__builtin_shufflevector(first, second, 0, 4, 1, 5));
    high +=
        std::bit_cast<Sums>(__builtin_shufflevector(first, second, 2, 6, 3, 7));
    keys += kNextKey;
  };
  size_t at = 0;
  for (; at + kStripeBytes <= count; at += kStripeBytes) add(bytes + at);
  if (at < count) {
    uint8_t last[kStripeBytes] = {};
    std::memcpy(last, bytes + at, count - at);
    add(last);
  }
  uint64_t sum = 0;
  for (const Sums& part : {low, high}) {
    sum = Mixed(sum + part[0]);
    sum = Mixed(sum + part[1]);
  }
  return sum;
}

}  // namespace

void Checksum::Add(const uint8_t* bytes, size_t count) {
  for (size_t at = 0; at < count; at += kBlockBytes) {
    Mix(SumOf(bytes + at, count - at < kBlockBytes ? count - at : kBlockBytes));
  }
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
