// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.h"

namespace fastweights {

// Writes a zero into every page of memory that is about to be written whole,
// so that threads share what fresh memory costs: whoever writes to a page first
// waits 2 us for its 4 KB, six times as long as reading a file into it takes
// then. All in one loop: 500 of a megabyte each had two threads wait for each
// other for 100 ms. One thread gains nothing by it, and writes nothing.
inline void Touch(const std::vector<std::span<uint8_t>>& parts,
                  Threads& threads) {
  constexpr size_t kPageBytes = 1 << 12;
  constexpr size_t kBlockBytes = 1 << 18;  // that a thread takes at a time
  if (threads.count() == 1) return;
  std::vector<std::span<uint8_t>> blocks;
  for (std::span<uint8_t> part : parts) {
    for (; part.size() > kBlockBytes; part = part.subspan(kBlockBytes)) {
      blocks.push_back(part.first(kBlockBytes));
    }
    blocks.push_back(part);
  }
  threads.For(static_cast<int>(blocks.size()), [&](int task, int) {
    const std::span<uint8_t> block = blocks[task];
    volatile uint8_t* bytes = block.data();
    for (size_t at = 0; at < block.size(); at += kPageBytes) bytes[at] = 0;
  });
}

}  // namespace fastweights
