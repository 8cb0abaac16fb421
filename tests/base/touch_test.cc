// SPDX-License-Identifier: MIT
#include "base/touch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

#include "odd_threads.h"

namespace fastweights {
namespace {

constexpr size_t kPageBytes = 1 << 12;
constexpr size_t kGuard = 64;
constexpr uint8_t kBefore = 0xab;

constexpr size_t kSizes[] = {
    1, kPageBytes - 1, 0, kPageBytes, 5 * kPageBytes + 7, 200 * kPageBytes + 1};

// Parts of those sizes, with guards between them.
struct Memory {
  Memory() {
    size_t whole = kGuard;
    for (const size_t size : kSizes) whole += size + kGuard;
    bytes.assign(whole, kBefore);
    size_t at = kGuard;
    for (const size_t size : kSizes) {
      parts.emplace_back(bytes.data() + at, size);
      at += size + kGuard;
    }
  }

  std::vector<uint8_t> bytes;
  std::vector<std::span<uint8_t>> parts;
};

TEST(Touch, WritesOnceToEveryPageAndToNothingElse) {
  OddThreads threads(3);
  Memory memory;
  Touch(memory.parts, threads);
  std::ptrdiff_t written = 0;
  for (const std::span<uint8_t> part : memory.parts) {
    for (size_t at = 0; at < part.size(); at += kPageBytes) {
      const auto page =
          part.subspan(at, std::min(kPageBytes, part.size() - at));
      EXPECT_EQ(std::ranges::count(page, 0), 1) << at << " of " << part.size();
      written += 1;
    }
  }
  EXPECT_EQ(std::ranges::count(memory.bytes, kBefore),
            std::ssize(memory.bytes) - written);
}

TEST(Touch, LeavesItToOneThreadThatWritesItAnyway) {
  Threads alone;
  Memory memory;
  Touch(memory.parts, alone);
  EXPECT_EQ(std::ranges::count(memory.bytes, kBefore),
            std::ssize(memory.bytes));
}

}  // namespace
}  // namespace fastweights
