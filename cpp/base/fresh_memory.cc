// SPDX-License-Identifier: MIT
#include "base/fresh_memory.h"

#include <atomic>
#include <cstddef>

namespace fastweights {
namespace {

constexpr size_t kPageBytes = 1 << 12;
constexpr size_t kBlockBytes = 1 << 18;  // that a thread touches at a time

// The caller may be writing there: that stays. What adds must not be known to
// be nothing: compilers make an or of it, V8 of that a loop that reads first,
// and who reads a page first pays for it twice (525 MB were read in 400 ms
// beside it, not in 230).
void Touch(std::span<uint8_t> block) {
  uint8_t nothing = 0;
  __asm__ volatile("" : "+r"(nothing));
  for (size_t at = 0; at < block.size(); at += kPageBytes) {
    // std::atomic_ref is not in every libc++.
    __atomic_fetch_add(&block[at], nothing, __ATOMIC_RELAXED);
  }
}

}  // namespace

void FreshMemory::Take(const std::vector<std::span<uint8_t>>& parts) {
  blocks_.clear();
  for (std::span<uint8_t> part : parts) {
    for (; part.size() > kBlockBytes; part = part.subspan(kBlockBytes)) {
      blocks_.push_back(part.first(kBlockBytes));
    }
    blocks_.push_back(part);
  }
  left_ = static_cast<int>(blocks_.size());
}

void FreshMemory::Fill(Threads& threads, const std::function<void()>& work) {
  bool worked = false;
  std::atomic<bool> done = false;
  std::atomic<int> left = left_;
  const auto fill = [&] {
    if (worked) return;
    worked = true;
    work();
    done = true;
  };
  threads.For(threads.count(), [&](int, int thread) {
    if (thread == 0) return fill();
    while (!done) {
      const int block = left.fetch_sub(1) - 1;
      if (block < 0) return;
      Touch(blocks_[block]);
    }
  });
  // Where the others were quick enough to take the caller's share of the loop.
  fill();
  left_ = left < 0 ? 0 : left.load();
}

}  // namespace fastweights
