// SPDX-License-Identifier: MIT
#include "base/fresh_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "odd_threads.h"
#include "runtime/thread_pool.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

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
    fresh.Take(parts);
  }

  std::vector<uint8_t> bytes;
  std::vector<std::span<uint8_t>> parts;
  FreshMemory fresh;
};

TEST(FreshMemory, IsFilledOnceByTheCallerWhileOthersChangeNothing) {
  std::vector<std::unique_ptr<Threads>> kinds;
  kinds.push_back(std::make_unique<Threads>());
  kinds.push_back(std::make_unique<OddThreads>(3));
  kinds.push_back(MakeThreads(3));
  for (const auto& threads : kinds) {
    Memory memory;
    for (size_t i = 0; i < memory.parts.size(); ++i) {
      // What a system call writes is no race with what is atomic, either.
      memory.fresh.Fill(*threads, [&] {
        for (uint8_t& byte : memory.parts[i]) {
          const uint8_t next = __atomic_load_n(&byte, __ATOMIC_RELAXED) + 1;
          __atomic_store_n(&byte, next, __ATOMIC_RELAXED);
        }
      });
    }
    std::ptrdiff_t filled = 0;
    for (const std::span<uint8_t> part : memory.parts) {
      EXPECT_EQ(std::ranges::count(part, kBefore + 1), std::ssize(part));
      filled += std::ssize(part);
    }
    EXPECT_EQ(std::ranges::count(memory.bytes, kBefore),
              std::ssize(memory.bytes) - filled);
  }
}

#ifdef __linux__
// How many of its pages the process has.
size_t PagesThere(std::span<uint8_t> memory) {
  std::vector<unsigned char> there(memory.size() / kPageBytes);
  EXPECT_EQ(mincore(memory.data(), memory.size(), there.data()), 0);
  return std::ranges::count_if(there,
                               [](unsigned char one) { return one & 1; });
}

TEST(FreshMemory, IsTouchedByOthersAlone) {
  constexpr size_t kPages = 1000;
  for (const int count : {1, 3}) {
    void* mapped = mmap(nullptr, kPages * kPageBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    const std::span memory(static_cast<uint8_t*>(mapped), kPages * kPageBytes);
    madvise(mapped, memory.size(), MADV_NOHUGEPAGE);
    FreshMemory fresh;
    fresh.Take({memory});
    // These take turns, the caller's last.
    OddThreads threads(count);
    size_t there = kPages;
    fresh.Fill(threads, [&] { there = PagesThere(memory); });
    EXPECT_EQ(there, count == 1 ? 0 : kPages);
    munmap(mapped, memory.size());
  }
}
#endif

}  // namespace
}  // namespace fastweights
